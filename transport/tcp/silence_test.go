package tcp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// watchful is a coordinator that expects signs of life of its processes, and looks for them when the test does.
func watchful(t *testing.T, processes int) *Coordinator {
	t.Helper()
	c := startedCoordinator(t, processes)
	c.cfg.Detection = Detection{Offered: true, Timeout: 40 * time.Millisecond}
	return c
}

// look has the coordinator look for signs of life so often, and returns whom it fences.
func (c *Coordinator) look(times int) (fenced []int) {
	for range times {
		for _, m := range c.silentMembers() {
			fenced = append(fenced, m.process)
		}
	}
	return fenced
}

// Processes count as silent if the coordinator has looked for signs of life so often in vain, however long that
// takes: a machine that stands still keeps it from hearing them.
func TestSilenceIsCountedInLooks(t *testing.T) {
	c := watchful(t, 2)
	for range 3 {
		require.Empty(t, c.look(beatsPerTimeout))
		require.NoError(t, c.hear(c.members[0], control{Beat: true}))
		require.NoError(t, c.hear(c.members[1], control{Status: &status{}}), "whatever it says is a sign of life")
	}
	require.Empty(t, c.look(beatsPerTimeout-1))
	require.NoError(t, c.hear(c.members[1], control{Beat: true}))
	require.Equal(t, []int{0}, c.look(2))
	require.Equal(t, []int{1}, c.look(20*beatsPerTimeout), "each is fenced once")
}

func TestProcessIsNotSilentBeforeItHasBegun(t *testing.T) {
	c := watchful(t, 1)
	c.startMember(c.members[0])
	require.Empty(t, c.look(10*beatsPerTimeout))
	require.NotEmpty(t, c.look(2*beatsPerTimeout))
}

// Only of processes that should be there, or hang, signs of life are wanted: those that hang give none, and are ended.
func TestOnlyProcessesThatAreThereCanBeSilent(t *testing.T) {
	for state, want := range map[memberState][]int{
		expected: nil, absent: nil, joined: {0}, hanging: {0}, ended: nil, done: nil,
	} {
		c := watchful(t, 1)
		c.members[0].state = state
		require.Equal(t, want, c.look(2*beatsPerTimeout), state)
	}
}

// Whoever is fenced is a failure of its own, unless it has said before that it hangs. It may only have been slow, so the
// run was late by what it was waited for.
func TestFencedProcessHasFailedAndWasLate(t *testing.T) {
	for _, said := range []bool{false, true} {
		c := watchful(t, 2)
		c.cfg.Faults, c.cfg.Pace = faults.MustParse("hang:1@t5"), Sends
		var fenced []int
		c.cfg.Fence = func(process int) { fenced = append(fenced, process) }
		m := c.members[1]
		if said {
			require.NoError(t, c.record(m, &lastWords{rankReport: unheard(1, report.Hung, 5), Process: true}))
		}
		c.fence(m)
		require.Equal(t, []int{1}, fenced)
		require.ErrorContains(t, m.out.session.WriteFrame(&silentFrame), "closed")
		res := c.result()
		require.Equal(t, report.Hung, res.Ranks[1].Outcome)
		require.Len(t, res.Failed, 1)
		require.Equal(t, said, len(res.Unscheduled) == 0)
		require.Equal(t, map[bool]clock.Time{false: 40, true: 0}[said], res.Late)
	}
}

var silentFrame = control{Beat: true}.frame()

// A process may end by itself before it is fenced. Nothing is said about it then.
func TestProcessThatHasEndedNeedNotBeFenced(t *testing.T) {
	for _, state := range []memberState{ended, done} {
		c := watchful(t, 1)
		c.cfg.Log = func(line string) { t.Error(line) }
		c.members[0].state = state
		c.fence(c.members[0])
		require.Empty(t, c.failures)
	}
}

// Processes that take long to answer take long to hear when the run begins, so it begins later.
func TestRunBeginsLaterIfAProcessIsSlow(t *testing.T) {
	for _, test := range []struct{ delay, slowest, want time.Duration }{
		{time.Hour, 0, time.Hour}, {time.Hour, time.Minute, time.Hour}, {time.Hour, 3 * time.Hour, 6 * time.Hour},
		{time.Nanosecond, time.Hour, 2 * time.Hour}, {0, time.Hour, 0}, {-time.Hour, time.Hour, -time.Hour},
	} {
		c := watchful(t, 1)
		c.cfg.Timeout = 0
		c.started, c.slowest = false, test.slowest
		require.NoError(t, c.Start(t.Context(), test.delay))
		require.InDelta(t, test.want, c.Until(0), float64(10*time.Minute))
	}
}

// How long a process takes is the time between an answer and its next question.
func TestSlowestAnswerIsNoted(t *testing.T) {
	c := watchful(t, 1)
	m := c.members[0]
	m.state = expected
	c.anchor.at = time.Now().Add(-time.Hour)
	require.NoError(t, c.tellTime(m, 1))
	require.Zero(t, c.slowest, "how long it took to come is of no interest")
	require.InDelta(t, time.Hour, m.answered, float64(10*time.Minute))
	c.anchor.at = c.anchor.at.Add(-2 * time.Hour)
	require.NoError(t, c.tellTime(m, 1))
	require.InDelta(t, 2*time.Hour, c.slowest, float64(10*time.Minute))
	for range clockReadings - 2 {
		require.NoError(t, c.tellTime(m, 1))
	}
	require.InDelta(t, 2*time.Hour, c.slowest, float64(10*time.Minute))
	require.ErrorContains(t, c.tellTime(m, 1), "it asks what time it is again")
}
