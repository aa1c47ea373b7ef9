package tcp

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// startedCoordinator is one whose run has begun, and whose processes say what a test has them say.
func startedCoordinator(t *testing.T, processes int) *Coordinator {
	t.Helper()
	job := Job{Job: wire.NewJob(), LogP: clock.LogP{Ranks: processes, Latency: 1, Overhead: 1}, Processes: processes, Tick: time.Millisecond}
	c, err := newCoordinator(CoordinatorConfig{Job: job})
	require.NoError(t, err)
	c.started = true
	for _, m := range c.members {
		m.state, m.out = joined, newOutbox(silentSession(t, job.Job), func() {})
		t.Cleanup(m.out.close)
	}
	return c
}

// silentSession is a session with somebody who hears everything and says nothing.
func silentSession(t *testing.T, job wire.Job) *wire.Session {
	t.Helper()
	return heardSession(t, job, func(wire.Frame) {})
}

// heardSession is a session with somebody who says nothing, and does something with all that it hears.
func heardSession(t *testing.T, job wire.Job, hear func(wire.Frame)) *wire.Session {
	t.Helper()
	here, there := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s, err := wire.Handshake{Job: job}.Connect(there)
		for err == nil {
			var f wire.Frame
			if f, err = s.ReadFrame(); err == nil {
				hear(f)
			}
		}
	}()
	s, err := wire.Handshake{Job: job}.Accept(here)
	require.NoError(t, err)
	require.NoError(t, s.Welcome())
	t.Cleanup(func() {
		s.Close()
		there.Close()
		<-ended
	})
	return s
}

// says has a process say how it is.
func (c *Coordinator) says(process int, s status) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members[process].status = &s
	c.endIfIdle()
}

// Everybody has to answer, whoever is first.
func TestARunIsNotOverBeforeEverybodyHasAnswered(t *testing.T) {
	for last := range 3 {
		c := startedCoordinator(t, 3)
		for process := range 3 {
			c.says(process, status{Idle: true})
		}
		for process := range 3 {
			if process != last {
				c.says(process, status{Probe: 1, Idle: true})
			}
			require.False(t, c.over, "%d has not answered", last)
		}
		c.says(last, status{Probe: 1, Idle: true})
		require.True(t, c.over)
	}
}

// Processes may all be idle, each when it says so, and the counts may agree by chance, while messages go
// round. So everybody is asked again, and only if nothing has been received meanwhile the run is over.
func TestARunIsOverOnlyIfNothingHasChangedWhenAllAreAskedAgain(t *testing.T) {
	c := startedCoordinator(t, 2)
	idle := func(probe int, received int64) status { return status{Probe: probe, Idle: true, Received: received} }
	c.says(0, idle(0, 5))
	c.says(1, idle(0, 7))
	require.False(t, c.over, "nobody was asked again")
	require.Equal(t, 1, c.probe)
	c.says(0, idle(1, 5))
	require.False(t, c.over, "one has not answered")
	c.says(1, idle(1, 8))
	require.False(t, c.over, "it has received something meanwhile")
	require.Equal(t, 2, c.probe, "they are asked once more")
	c.says(0, idle(2, 5))
	c.says(1, status{Probe: 2, Received: 8})
	require.False(t, c.over, "it has something to do")
	c.says(1, idle(2, 8))
	require.Equal(t, 3, c.probe)
	c.says(0, idle(3, 5))
	require.False(t, c.over)
	c.says(1, idle(3, 8))
	require.True(t, c.over)
}

// What others have to do first keeps a run from being over.
func TestARunIsNotOverWhileSomebodyHoldsIt(t *testing.T) {
	c := startedCoordinator(t, 1)
	release := c.Hold()
	c.says(0, status{Idle: true})
	c.says(0, status{Idle: true, Probe: c.probe})
	require.False(t, c.over)
	require.Zero(t, c.probe)
	release()
	require.Equal(t, 1, c.probe)
	c.says(0, status{Idle: true, Probe: 1})
	require.True(t, c.over)
}

// A process that has not heard of a failure may still do something about it.
func TestARunIsNotOverBeforeAllHaveHeardOfAllFailures(t *testing.T) {
	c := startedCoordinator(t, 2)
	c.version = 3
	for probe := range 3 {
		c.says(0, status{Idle: true, Probe: probe, Version: 3})
		c.says(1, status{Idle: true, Probe: probe, Version: 2})
	}
	require.False(t, c.over)
	require.Zero(t, c.probe)
}

// Whoever may still do something keeps a run from being over, and nobody else does.
func TestWhoKeepsARunFromBeingOver(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(c *Coordinator, m *member)
		idle  bool
	}{
		"nobody":              {func(*Coordinator, *member) {}, true},
		"has said nothing":    {func(_ *Coordinator, m *member) { m.status = nil }, false},
		"is busy":             {func(_ *Coordinator, m *member) { m.status.Idle = false }, false},
		"has not heard all":   {func(c *Coordinator, _ *member) { c.version++ }, false},
		"is started again":    {func(_ *Coordinator, m *member) { m.state = expected }, false},
		"hangs":               {func(_ *Coordinator, m *member) { m.state = hanging }, true},
		"hangs, to be fenced": {func(c *Coordinator, m *member) { m.state = hanging; c.cfg.Timeout = 1 }, false},
		"has ended":           {func(c *Coordinator, m *member) { m.state, m.status, c.cfg.Timeout = ended, nil, 1 }, true},
		"is done":             {func(_ *Coordinator, m *member) { m.state, m.status = done, nil }, true},
		"was never there":     {func(_ *Coordinator, m *member) { m.state, m.status = absent, nil }, true},
	} {
		c := startedCoordinator(t, 2)
		for _, m := range c.members {
			m.status = &status{Idle: true}
		}
		test.spoil(c, c.members[1])
		require.Equal(t, test.idle, c.allIdle(), name)
	}
}

// Nothing must be under way to a process that lives, from whomever; what is under way to others is of no interest.
func TestNothingIsUnderWayToThoseWhoLive(t *testing.T) {
	for name, test := range map[string]struct {
		spoil   func(c *Coordinator)
		nothing bool
	}{
		"nothing": {func(*Coordinator) {}, true},
		"one":     {func(c *Coordinator) { c.members[0].status.Tallies = map[int]tally{1: {7, 1, 0}} }, false},
		"the last one": {func(c *Coordinator) {
			c.members[2].status.Tallies = map[int]tally{1: {7, 1, 0}}
			c.members[1].status.Tallies = map[int]tally{2: {7, 0, 0}}
		}, false},
		"to one that has ended": {func(c *Coordinator) {
			c.members[0].status.Tallies = map[int]tally{1: {7, 1, 0}}
			c.members[1].state = ended
		}, true},
		"to itself": {func(c *Coordinator) { c.members[1].status.Tallies = map[int]tally{1: {7, 1, 0}} }, true},
		"of one that says not": {func(c *Coordinator) {
			c.members[0].status = nil
			c.members[1].state, c.members[2].state = joined, ended
		}, false},
		"of one that has failed": {func(c *Coordinator) { c.members[0].state, c.members[0].status = ended, nil }, true},
	} {
		c := startedCoordinator(t, 3)
		for _, m := range c.members {
			m.status = &status{Idle: true}
		}
		test.spoil(c)
		if c.members[0].status == nil && c.members[0].state == joined {
			require.False(t, c.received(c.members[0], c.members[1]), name)
			continue
		}
		require.Equal(t, test.nothing, c.nothingUnderWay(), name)
	}
}

// A run that nobody lives in any more is over at once, and only once.
func TestRunWithoutProcessesIsOver(t *testing.T) {
	c := startedCoordinator(t, 2)
	c.started = false
	c.members[0].state, c.members[1].state = ended, hanging
	c.endIfIdle()
	require.False(t, c.over, "it has not begun")
	c.started, c.startAt = true, c.now()-time.Hour
	c.endIfIdle()
	require.True(t, c.over)
	require.InDelta(t, time.Hour, c.wall, float64(10*time.Minute))
	require.Error(t, c.watching.Err(), "signs of life are of no interest any more")
	wall := c.wall
	c.startAt = 0
	c.endIfIdle()
	require.Equal(t, wall, c.wall)
}

// The clock of the coordinator shows 0 before the run, and its result is there when all have reported.
func TestCoordinatorKnowsHowFarARunIs(t *testing.T) {
	c := startedCoordinator(t, 2)
	c.cfg.Tick, c.startAt = time.Hour, c.now()-150*time.Minute
	require.EqualValues(t, 2, c.ticks())
	c.started = false
	require.Zero(t, c.ticks())
	c.started, c.startAt = true, c.now()+150*time.Minute
	require.Zero(t, c.ticks())
	require.InDelta(t, 270*time.Minute, c.Until(2), float64(10*time.Minute))
	require.False(t, c.complete())
	c.over = true
	require.False(t, c.complete(), "reports are to come")
	c.members[0].state, c.members[1].state = done, hanging
	require.True(t, c.complete())
	c.over = false
	require.False(t, c.complete())
}

// A run that is given up before it has begun has taken no time.
func TestARunThatHasNotBegunTakesNoTime(t *testing.T) {
	c := startedCoordinator(t, 2)
	c.startAt = c.now() + time.Hour
	c.end()
	require.Zero(t, c.wall)
}
