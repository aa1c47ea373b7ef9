package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"
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
