package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// tell has the root tell everybody.
var tell = fromRoot(func(p protocols.Proc) {
	for to := 1; p.Rank() == 0 && to < p.Size(); to++ {
		p.Send(to, mailbox.Message{})
	}
	if p.Rank() > 0 {
		p.Recv(mailbox.Any)
	}
})

func TestPromisesOfUndisturbedRuns(t *testing.T) {
	for _, c := range []struct {
		schedule        string
		links, returned string // why not
		disturbed       string
	}{
		{"none", "", "", ""},
		{"crash:3,hang:5@t4,slow:2x4", "", "", ""},
		{"cut:3|*@t2", "links were cut", "", "links were cut"},
		{"cut:3|*@t2,cut:4|*", "links were cut", "", "links were cut"},
		{"cut:3|*@t1000", "", "", ""}, // when all is over
		{"crash:4@t3,rejoin:4@t9", "", "rank 4 came back", "rank 4 came back"},
		{"crash:4@t3,crash:2,rejoin:4@t9,rejoin:2@t9,hang:4@t12,rejoin:4@t20", "", "ranks 2 and 4 came back", "ranks 2 and 4 came back"},
		{"rejoin:4@t9", "", "", ""}, // it has not failed
		{"crash:4,rejoin:4@t9,cut:2|3", "links were cut", "rank 4 came back", "links were cut"},
	} {
		r := run(t, 6, tell, c.schedule)
		for why, condition := range map[string]guarantee.Condition{
			"links":     guarantee.LinksHold,
			"returned":  guarantee.NobodyCameBack,
			"disturbed": guarantee.Undisturbed,
		} {
			want := map[string]string{"links": c.links, "returned": c.returned, "disturbed": c.disturbed}[why]
			met, whyNot := condition(r)
			require.Equal(t, want, whyNot, "%s: %s", c.schedule, why)
			require.Equal(t, want == "", met)
		}
	}
}

// In place of a promise that a cut would break, the verdict says that there is none.
func TestNothingIsPromisedWhenLinksAreCut(t *testing.T) {
	cut := run(t, 6, tell, "cut:3|*")
	requireVerdict(t, cut, guarantee.ReachesEveryLiveRank{}, broken, "rank 3 never reached")
	requireVerdict(t, cut, guarantee.When(guarantee.Undisturbed, guarantee.ReachesEveryLiveRank{}), held, "links were cut: nothing promised")
	requireVerdict(t, cut, guarantee.Integrity{}, held, "all 4 messages that arrived were sent before")
}
