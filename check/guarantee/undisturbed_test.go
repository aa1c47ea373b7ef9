package guarantee_test

import (
	"cmp"
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

func TestPremisesAboutWhatElseHappens(t *testing.T) {
	for _, c := range []struct {
		schedule              string
		links, returned, slow string // why they are not met
	}{
		{"none", "", "", ""},
		{"crash:3,hang:5@t4", "", "", ""},
		{"slow:2x4", "", "", "slow:2x4@t0"},
		{"slow:4x3@t2,slow:2x4@t1", "", "", "slow:4x3@t2"},
		{"slow:4x3@t1000", "", "", ""}, // when all is over
		{"cut:3|*@t2", "cut:3|*@t2", "", ""},
		{"cut:3|*@t2,cut:4|*", "cut:3|*@t2", "", ""},
		{"cut:3|*@t1000", "", "", ""},
		{"crash:4@t3,rejoin:4@t9", "", "rank 4 came back", ""},
		{"crash:4@t3,crash:2,rejoin:4@t9,rejoin:2@t9,hang:4@t12,rejoin:4@t20", "", "ranks 2 and 4 came back", ""},
		{"crash:4@t3,crash:2,rejoin:4@t9,rejoin:2@t12", "", "ranks 2 and 4 came back", ""},
		{"rejoin:4@t9", "", "", ""}, // it has not failed
		{"crash:4,rejoin:4@t9,cut:2|3", "cut:2|3@t0", "rank 4 came back", ""},
	} {
		t.Run(c.schedule, func(t *testing.T) {
			r := run(t, 6, tell, c.schedule)
			require.Equal(t, c.links, guarantee.LinksHold.Unmet(r))
			require.Equal(t, c.returned, guarantee.NobodyCameBack.Unmet(r))
			require.Equal(t, cmp.Or(c.links, c.returned), guarantee.Undisturbed.Unmet(r))
			require.Equal(t, len(r.Report.Failed)+len(r.Report.Rejoined) > 0, guarantee.NobodyFails.Unmet(r) != "")
			require.Equal(t, c.slow, guarantee.NobodySlow.Unmet(r))
		})
	}
}

// In place of a promise that a cut would break, the verdict says that there is none.
func TestNothingIsClaimedWhenLinksAreCut(t *testing.T) {
	cut := run(t, 6, tell, "cut:3|*")
	requireVerdict(t, cut, guarantee.ReachesEveryLiveRank{}, broken, "rank 3 never reached")
	requireVerdict(t, cut, guarantee.When(guarantee.Undisturbed, guarantee.ReachesEveryLiveRank{}), unclaimed,
		"every message arrives, and nobody comes back (cut:3|*@t0)")
	requireVerdict(t, cut, guarantee.Integrity{}, held, "all 4 messages that arrived were sent before")
}
