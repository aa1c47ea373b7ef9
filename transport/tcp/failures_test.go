package tcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

var errBroken = errors.New("broken")

// How a connection ends is worth a line only if nobody could have expected that.
func TestEndOfAProcessIsLoggedIfItIsUnusual(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		spoil func(c *Coordinator, m *member)
		says  string
		fails bool // the whole run
		ended bool // the process has failed with its rank
	}{
		"is killed":               {io.EOF, func(*Coordinator, *member) {}, "", false, true},
		"is killed while it says": {io.ErrUnexpectedEOF, func(*Coordinator, *member) {}, "", false, true},
		"is fenced":               {net.ErrClosed, func(*Coordinator, *member) {}, "", false, true},
		"says nonsense":           {errBroken, func(*Coordinator, *member) {}, "coordinator: connection of process 1 dropped: the end: broken", false, true},
		"has said its last words": {errBroken, func(_ *Coordinator, m *member) { m.words = &lastWords{} }, "", false, true},
		"is done":                 {errBroken, func(_ *Coordinator, m *member) { m.state = done }, "", false, false},
		"has ended":               {errBroken, func(_ *Coordinator, m *member) { m.state = ended }, "", false, false},
		"when all is closed":      {errBroken, func(c *Coordinator, _ *member) { c.closed = true }, "", false, false},
		"before it joined": {errBroken, func(c *Coordinator, m *member) { c.started, m.state = false, expected },
			"coordinator: process 1 went away before it joined: the end: broken", false, false},
		"before the run": {errBroken, func(c *Coordinator, _ *member) { c.started = false }, "", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			coordinator := startedCoordinator(t, 2)
			coordinator.cfg.Offered = true
			var log []string
			coordinator.cfg.Log = func(line string) { log = append(log, line) }
			m := coordinator.members[1]
			c.spoil(coordinator, m)
			version := coordinator.version
			coordinator.lost(m, fmt.Errorf("the end: %w", c.err))
			if c.says == "" {
				require.Empty(t, log)
			} else {
				require.Equal(t, []string{c.says}, log)
			}
			if c.fails {
				require.ErrorContains(t, coordinator.err, "tcp: process 1 was lost before the run began: the end: broken")
			} else {
				require.NoError(t, coordinator.err)
			}
			require.Equal(t, c.ended, coordinator.down[1])
			require.Equal(t, c.ended, coordinator.known.Suspected[1])
			require.Equal(t, c.ended, coordinator.version == version+2, "others are told of the process and of its rank")
			if c.ended {
				require.Equal(t, ended, m.state)
				require.Equal(t, unscheduled, coordinator.failures[0].fault)
			}
			require.ErrorIs(t, m.out.session.SetDeadline(time.Time{}), io.ErrClosedPipe)
		})
	}
}

// The end of a former life changes nothing for the present one, but others have to close its connections.
func TestEndOfAFormerLifeIsPublished(t *testing.T) {
	c := startedCoordinator(t, 2)
	former := c.members[1]
	former.state = hanging
	c.members[1] = &member{process: 1, life: 1, state: joined, out: former.out}
	c.lost(former, io.EOF)
	require.Equal(t, ended, former.state)
	require.Equal(t, joined, c.members[1].state)
	require.Equal(t, 1, c.version)
	require.Empty(t, c.failures)
}

// Only what is in the schedule of a rank can be its last words.
func TestLastWordsMustBeInTheSchedule(t *testing.T) {
	c := scheduled(t, "crash:1@send1,cut:0|1@t5,crash:0@send1,slow:1x2@send2")
	for name, test := range map[string]struct {
		rank, fault int
		happened    []int
		outcome     report.Outcome
		good        bool
	}{
		"its fault":                {1, 0, nil, report.Crashed, true},
		"its last fault":           {1, 3, []int{0, 3}, report.Hung, true},
		"fault of another one":     {1, 2, nil, report.Crashed, false},
		"a cut":                    {1, 1, nil, report.Crashed, false},
		"before the first":         {1, -1, nil, report.Crashed, false},
		"behind the last":          {1, 4, nil, report.Crashed, false},
		"history of another one":   {1, 0, []int{0, 2}, report.Crashed, false},
		"history that is none":     {1, 0, []int{4}, report.Crashed, false},
		"it has not failed":        {1, 0, nil, report.Finished, false},
		"rank of another process":  {0, 2, nil, report.Crashed, false},
		"rank that does not exist": {2, 0, nil, report.Crashed, false},
	} {
		clear(c.down)
		c.failures = nil
		words := &lastWords{rankReport: unheard(test.rank, test.outcome, 7), Fault: test.fault}
		for _, place := range test.happened {
			words.History.Happened = append(words.History.Happened, faults.Happening{Place: place})
		}
		err := c.record(c.members[1], words)
		require.Equal(t, test.good, err == nil, name)
		require.Equal(t, test.good, c.down[1], name)
		if test.good {
			require.Equal(t, failure{words.rankReport, test.fault}, c.failures[0])
			require.Equal(t, words.History, c.histories[1])
		}
	}
}

// The crash of a rank is announced at once if its process lives on, with what that has sent; else its connection says so.
func TestCrashIsAnnouncedAtOnceIfTheProcessLives(t *testing.T) {
	for _, process := range []bool{false, true} {
		c := scheduled(t, "crash:1@send1")
		c.cfg.Offered = true
		words := &lastWords{rankReport: unheard(1, report.Crashed, 7), Process: process}
		require.NoError(t, c.record(c.members[1], words))
		require.Equal(t, !process, c.known.Suspected[1])
		require.Equal(t, process, c.members[1].words == words)
		require.Equal(t, joined, c.members[1].state)
		require.Zero(t, c.holds)
	}
}

// A rank that fails twice in one life has failed once, and one that has not failed does not come back.
func TestFailuresAndRejoinsTakeTurns(t *testing.T) {
	c := scheduled(t, "crash:1@t5,rejoin:1@t8")
	c.cfg.Offered = true
	c.noteRejoin(report.Rejoin{Rank: 1, Time: 8}, 8)
	require.Empty(t, c.rejoins)
	c.failsAt(5, report.Crashed, 0)
	c.failsAt(6, report.Hung, 0)
	require.Len(t, c.failures, 1)
	require.Equal(t, clock.Time(5), c.histories[1].Happened[0].Time)
	c.announce(nil, 1)
	c.announce(nil, 1)
	require.Equal(t, []int{1}, c.known.Ranks, "it is announced once")
	require.Equal(t, 1, c.version)
	c.noteRejoin(report.Rejoin{Rank: 1, Time: 9}, 8)
	require.Equal(t, []report.Rejoin{{Rank: 1, Time: 9}}, c.rejoins)
	require.False(t, c.down[1])
	require.False(t, c.known.Suspected[1])
	require.Equal(t, 2, c.version, "others are told that it is back")
	c.noteFailure(failure{unheard(1, report.Crashed, 20), unscheduled})
	require.Len(t, c.histories[1].Happened, 2, "what somebody else does is not in the schedule's history")
	c.noteRejoin(report.Rejoin{Rank: 1, Time: 30}, 30)
	require.Equal(t, 2, c.version, "nobody has heard that it was gone")
}

// Failures before the run are known from the start if they are noticed at all, once each and in order.
func TestWhatIsKnownFromTheStart(t *testing.T) {
	const text = "hang:3,crash:2,crash:0@t1,slow:1x2,hang:2,crash:4@send1,cut:0|1@t0"
	for name, c := range map[string]struct {
		Detection
		known []int
	}{
		"nothing is offered": {Detection{}, nil},
		"crashes":            {Detection{Offered: true}, []int{2}},
		"hangs, too":         {Detection{Offered: true, Timeout: time.Second}, []int{2, 3}},
	} {
		job := pairOfProcesses()
		job.Ranks, job.Faults = 5, faults.MustParse(text)
		coordinator, err := newCoordinator(CoordinatorConfig{Job: job, Detection: c.Detection})
		require.NoError(t, err)
		require.Equal(t, c.known, coordinator.known.Ranks, name)
		require.Len(t, coordinator.known.Suspected, len(c.known), name)
	}
}

// A process that is not started because its rank is down has failed at once, by the first fault of the rank.
func TestAbsentProcessHasFailedBeforeTheRun(t *testing.T) {
	c := scheduled(t, "crash:1@send1,crash:1")
	c.started = false
	c.Absent(1)
	require.Equal(t, absent, c.members[1].state)
	require.Len(t, c.failures, 1)
	require.Equal(t, 1, c.failures[0].fault)
	require.Equal(t, unheard(1, report.Crashed, 0).RankResult, c.failures[0].RankResult)
	require.Equal(t, []faults.Happening{{Place: 1}}, c.histories[1].Happened)
}
