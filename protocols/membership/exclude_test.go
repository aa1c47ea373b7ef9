package membership_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// slowForAWhile is a rank that does not answer in time, and later does.
const slowForAWhile = "slow:5x60@t50,slow:5x2@t700"

// The timeout is wrong about a slow rank: it is excluded, its messages are ignored, and it comes
// back when it has learnt of that.
func TestSlowRankIsExcludedAndComesBack(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, usual(logp, 2), slowForAWhile)
	require.Positive(t, x.Records()[5].Excluded)
	require.Positive(t, x.sends()[membership.Excluded])
	x.everybody(t, x.view(0), 0, 1, 2, 3, 4, 5, 6)
	require.Contains(t, x.view(0), "0-6 (7 members")
	x.hold(t)
}

func TestExcludedRankMayStayAway(t *testing.T) {
	logp := papers(7)
	o := asked(logp, 2, membership.Question{At: 60, From: 2, To: 5})
	o.Stay = true
	x := run(t, logp, o, slowForAWhile)
	require.Equal(t, 1, x.Records()[5].Excluded)
	require.Equal(t, "none", x.view(5))
	require.Less(t, x.Ranks[5].Exit, o.Until)
	x.everybody(t, "0-4+6 (6 members, 1 change)", 0, 1, 2, 3, 4, 6)
}

// Partitions form views of their own.
func TestPartitionsHaveTheirOwnViews(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, usual(logp, 2), "cut:0-2|3-6@t50")
	x.hold(t)
	x.everybody(t, "0-2 (3 members, 4 changes)", 0, 1, 2)
	x.everybody(t, "3-6 (4 members, 3 changes)", 3, 4, 5, 6)
}

// An application that must not go on twice ends where no more than half of the members are left.
func TestMinorityMayAbort(t *testing.T) {
	logp := papers(7)
	o := usual(logp, 2)
	o.Abort = true
	x := run(t, logp, o, "cut:0-2|3-6@t50")
	for rank, r := range x.Records() {
		require.Equal(t, rank <= 2, r.Aborted, rank)
		require.Equal(t, report.Finished, x.Ranks[rank].Outcome)
		require.Equal(t, rank > 2, x.Ranks[rank].Exit >= o.Until, rank)
	}
	x.everybody(t, "3-6 (4 members, 3 changes)", 3, 4, 5, 6)
}

// Two ranks that have taken each other for failed find each other again: a root asks those that
// have left, now and then.
func TestSplitGroupsGrowTogether(t *testing.T) {
	for _, schedule := range []string{"slow:0x60@t50,slow:0x2@t700", "slow:1x60@t50,slow:1x2@t700"} {
		logp := papers(2)
		o := usual(logp, 2)
		o.Until = 20000
		x := run(t, logp, o, schedule)
		require.Positive(t, x.Records()[0].Excluded+x.Records()[1].Excluded, schedule)
		x.everybody(t, x.view(1), 0, 1)
		x.hold(t)
	}
}

// If nobody is left of a group, those that come back begin another.
func TestGroupBeginsAgainWhenAllHaveFailed(t *testing.T) {
	logp := papers(4)
	o := usual(logp, 2)
	o.Until = 20000
	all := "crash:0@t5,crash:1@t6,crash:2@t7,crash:3@t8"
	for _, back := range []string{",rejoin:2@t900", ",rejoin:0@t900,rejoin:1@t900,rejoin:2@t900,rejoin:3@t900", ",rejoin:3@t900,rejoin:1@t1500"} {
		x := run(t, logp, o, all+back)
		var ranks []int
		for _, r := range x.Rejoined {
			ranks = append(ranks, r.Rank)
		}
		slices.Sort(ranks)
		x.everybody(t, x.view(ranks[0]), ranks...)
		require.Equal(t, len(ranks), membership.View{Group: x.Group(), Changes: x.Records()[ranks[0]].View}.Size(), back)
		x.hold(t)
	}
}
