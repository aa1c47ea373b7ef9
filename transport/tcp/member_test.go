package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// What was sent over one connection and received over another says nothing about what is still
// under way, even if the numbers agree.
func TestMessagesHaveBeenReceivedOnlyIfTheConnectionsAgree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent, got tally
		state     memberState
		received  bool
	}{
		"nothing yet":                      {tally{}, tally{}, joined, true},
		"all":                              {tally{7, 3, 0}, tally{7, 0, 3}, joined, true},
		"some":                             {tally{7, 3, 0}, tally{7, 0, 2}, joined, false},
		"more than was said":               {tally{7, 3, 0}, tally{7, 0, 4}, joined, false},
		"another connection":               {tally{7, 3, 0}, tally{8, 0, 3}, joined, false},
		"one side knows that it broke":     {tally{}, tally{7, 0, 0}, joined, false},
		"the other side knows":             {tally{7, 0, 0}, tally{}, joined, false},
		"hangs, all":                       {tally{7, 3, 0}, tally{7, 0, 3}, hanging, true},
		"hangs, some":                      {tally{7, 3, 0}, tally{7, 0, 2}, hanging, false},
		"hangs, its connection is gone":    {tally{7, 3, 0}, tally{}, hanging, true},
		"hangs, it had no connection":      {tally{0, 3, 0}, tally{}, hanging, true},
		"has ended, whatever it has sent":  {tally{7, 3, 0}, tally{7, 0, 2}, ended, true},
		"is done, whatever it has sent":    {tally{7, 3, 0}, tally{7, 0, 2}, done, true},
		"was never there":                  {tally{}, tally{}, absent, true},
		"has said nothing about it so far": {tally{}, tally{7, 0, 3}, joined, false},
	} {
		t.Run(name, func(t *testing.T) {
			from := &member{process: 0, state: c.state, status: &status{Tallies: map[int]tally{1: c.sent}}, words: &lastWords{Tallies: map[int]tally{1: c.sent}}}
			by := &member{process: 1, state: joined, status: &status{Tallies: map[int]tally{0: c.got}}}
			require.Equal(t, c.received, (*Coordinator)(nil).received(from, by))
		})
	}
}

// What a process must not say ends its connection, and what it may say is heard.
func TestWhatAProcessMaySay(t *testing.T) {
	reports := []rankReport{{Rank: 1, RankResult: report.RankResult{Outcome: report.Finished}}}
	for name, test := range map[string]struct {
		control
		over bool
		says string
	}{
		"its report":            {control{Report: reports}, true, ""},
		"its report, too early": {control{Report: reports}, false, "report before the run is over"},
		"a rank is back":        {control{Rejoined: &rejoined{report.Rejoin{Rank: 1, Time: 5}, 5}}, false, ""},
		"another one is back":   {control{Rejoined: &rejoined{report.Rejoin{Rank: 0, Time: 5}, 5}}, false, "rank 0 is back, which does not live there"},
		"it is connected":       {control{Connected: true}, false, ""},
		"nothing":               {control{}, false, ""},
	} {
		c := startedCoordinator(t, 2)
		c.over = test.over
		m := c.members[1]
		m.silence = 3
		err := c.hear(m, test.control)
		if test.says == "" {
			require.NoError(t, err, name)
		} else {
			require.EqualError(t, err, test.says, name)
		}
		require.Zero(t, m.silence, name)
		require.Equal(t, test.Connected, m.connected, name)
		require.Equal(t, test.over, m.state == done, name)
		require.Equal(t, test.over, len(m.report) == 1, name)
	}
	c := startedCoordinator(t, 2)
	require.NoError(t, c.hear(c.members[1], control{Panic: &Panic{Rank: 1, Time: 5, Value: "boom"}}))
	require.ErrorContains(t, c.err, "tcp: rank 1 panicked at t=5: boom")
	c.fail(errEnough)
	require.ErrorContains(t, c.err, "boom", "the first reason counts")
}

// Between a process and the coordinator there are control frames only.
func TestOtherFramesAreNoControl(t *testing.T) {
	a, b := sessions(t)
	require.NoError(t, a.WriteFrame(&wire.Frame{Type: wire.Message}))
	_, err := readControl(b)
	require.ErrorContains(t, err, "tcp: frame of type 1 from process 0, want 2")
}

// How others see a process depends on what has become of it.
func TestHowOthersSeeAProcess(t *testing.T) {
	for state, want := range map[memberState]peer{
		expected: {}, joined: {}, hanging: {Failed: true}, absent: {Failed: true, Ended: true}, ended: {Failed: true, Ended: true}, done: {Failed: true, Ended: true},
	} {
		m := &member{process: 3, life: 2, address: "a", state: state}
		want.Process, want.Life, want.Address = 3, 2, "a"
		require.Equal(t, want, *m.peer(), state)
		require.Equal(t, state == joined, m.live(), state)
	}
}
