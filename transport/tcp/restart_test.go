package tcp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// scheduled is a coordinator of two processes, whose run has begun, with these faults.
func scheduled(t *testing.T, text string) *Coordinator {
	t.Helper()
	c := startedCoordinator(t, 2)
	c.cfg.Faults = faults.MustParse(text)
	return c
}

// failsAt has rank 1 fail by a fault of the schedule.
func (c *Coordinator) failsAt(t clock.Time, outcome report.Outcome, place int) {
	f := failure{unheard(1, outcome, t), place}
	f.History.Happened = []faults.Happening{{Place: place, Time: t}}
	c.noteFailure(f)
}

// Whoever starts processes again waits until it is known whether a rank has failed before it is to rejoin.
func TestFailureBeforeARejoinIsAwaited(t *testing.T) {
	const back clock.Time = 20
	for name, c := range map[string]struct {
		faults string
		spoil  func(c *Coordinator)
		failed bool
	}{
		"has crashed":              {"crash:1@t10,rejoin:1@t20", func(c *Coordinator) { c.failsAt(10, report.Crashed, 0) }, true},
		"has crashed, too late":    {"crash:1@t10,rejoin:1@t20", func(c *Coordinator) { c.failsAt(30, report.Crashed, 0) }, true},
		"crashes later":            {"crash:1@t20,rejoin:1@t20", func(*Coordinator) {}, false},
		"does not fail":            {"rejoin:1@t20", func(*Coordinator) {}, false},
		"at a point, in time":      {"crash:1@send1,rejoin:1@t20", func(c *Coordinator) { c.failsAt(19, report.Crashed, 0) }, true},
		"at a point, at that time": {"crash:1@send1,rejoin:1@t20", func(c *Coordinator) { c.failsAt(20, report.Crashed, 0) }, false},
		"at a point, later":        {"crash:1@send1,rejoin:1@t20", func(c *Coordinator) { c.failsAt(21, report.Crashed, 0) }, false},
		"at a point, never":        {"crash:1@send1,rejoin:1@t20", func(*Coordinator) {}, false},
		"was killed by somebody":   {"rejoin:1@t20", func(c *Coordinator) { c.noteFailure(failure{unheard(1, report.Crashed, 5), unscheduled}) }, true},
		"another one was":          {"rejoin:1@t20", func(c *Coordinator) { c.noteFailure(failure{unheard(0, report.Crashed, 5), unscheduled}) }, false},
		"the run is over before":   {"crash:1@t10,rejoin:1@t20", func(c *Coordinator) { c.over = true }, false},
		"is back, and does not fail": {"crash:1@t10,rejoin:1@t12,rejoin:1@t20", func(c *Coordinator) {
			c.failsAt(10, report.Crashed, 0)
			c.noteRejoin(report.Rejoin{Rank: 1, Time: 12}, 12)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			coordinator := scheduled(t, c.faults)
			c.spoil(coordinator)
			require.Equal(t, c.failed, coordinator.AwaitFailure(t.Context(), 1, back))
		})
	}
}

// What the schedule puts before the rejoin may be late, and so may the process be that is to fail.
func TestLateFailureBeforeARejoinIsAwaited(t *testing.T) {
	for name, spoil := range map[string]func(c *Coordinator) (then func()){
		"it fails": func(c *Coordinator) (then func()) {
			return func() { c.failsAt(40, report.Crashed, 0) }
		},
		"it comes first": func(c *Coordinator) (then func()) {
			c.failsAt(10, report.Crashed, 0)
			c.members[1].state = expected
			return func() { c.members[1].state = joined }
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := scheduled(t, "crash:1@t10,rejoin:1@t20")
			then := spoil(c)
			failed := make(chan bool, 1)
			require.True(t, c.mayYetFail(1, 20))
			go func() { failed <- c.AwaitFailure(t.Context(), 1, 20) }()
			c.mu.Lock()
			then()
			require.False(t, c.mayYetFail(1, 20))
			c.cond.Broadcast()
			c.mu.Unlock()
			require.True(t, <-failed)
		})
	}
	ended, end := context.WithCancel(t.Context())
	end()
	require.False(t, scheduled(t, "crash:1@t10,rejoin:1@t20").AwaitFailure(ended, 1, 20), "nobody waits any more")
}

// A process is expected again only when its former life is over.
func TestProcessIsExpectedAgainWhenItHasFailed(t *testing.T) {
	ended1, end := context.WithCancel(t.Context())
	end()
	for state, ok := range map[memberState]bool{expected: false, absent: true, joined: false, hanging: true, ended: true, done: false} {
		c := startedCoordinator(t, 2)
		c.members[1].state, c.members[1].life = state, 4
		life, err := c.Expect(ended1, 1, 30)
		if !ok {
			require.ErrorContains(t, err, "tcp: process 1 has not failed", state)
			require.Equal(t, 4, c.members[1].life)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, 5, life)
		require.Equal(t, &member{process: 1, life: 5, born: 30}, c.members[1])
	}
	c := startedCoordinator(t, 2)
	c.members[1].state, c.members[1].fenced = hanging, true
	_, err := c.Expect(ended1, 1, 30)
	require.Error(t, err, "it is being killed: who does so knows it by its number")
}

// Only the life that is expected can be given up, and only in a run.
func TestLifeThatDoesNotComeIsGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(c *Coordinator)
		state memberState
	}{
		"expected":       {func(*Coordinator) {}, ended},
		"before the run": {func(c *Coordinator) { c.started = false }, expected},
		"another life":   {func(c *Coordinator) { c.members[1].life = 2 }, expected},
		"it has joined":  {func(c *Coordinator) { c.members[1].state = joined }, joined},
	} {
		coordinator := startedCoordinator(t, 2)
		coordinator.members[1].state, coordinator.members[1].life = expected, 1
		c.spoil(coordinator)
		coordinator.GiveUp(1, 1)
		require.Equal(t, c.state, coordinator.members[1].state, name)
	}
}

// That a life is given up may be what a run has waited for.
func TestRunIsOverWhenTheLastOneIsGivenUp(t *testing.T) {
	c := startedCoordinator(t, 1)
	c.members[0].state = expected
	c.GiveUp(0, 0)
	require.True(t, c.over)
}
