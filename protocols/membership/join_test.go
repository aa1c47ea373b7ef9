package membership_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// joining is a service of all ranks but the last two, which join at t=20 and t=300.
func joining(ranks, children int) membership.Options {
	o := asked(papers(ranks), children)
	o.Members = ranks - 2
	o.Joins = []membership.Join{{At: 20, Rank: ranks - 1}, {At: 300, Rank: ranks - 2}}
	return o
}

func TestNewRanksJoin(t *testing.T) {
	x := run(t, papers(9), joining(9, 2), "none")
	x.hold(t)
	x.everybody(t, "0-8 (9 members, 2 changes)", 0, 1, 2, 3, 4, 5, 6, 7, 8)
	require.Equal(t, map[mailbox.Kind]int{
		membership.NewNode: 2, membership.NewNodeJoinDetAck: 2, membership.JoinDetAck: 2,
		membership.NewNodeJoin: 7 + 8, membership.NewNodeJoinAck: 7 + 8,
	}, x.sends())
	require.Equal(t, membership.NewNodeJoin, x.Records()[8].Installed[0].Kind)
	view := membership.View{Group: x.Group(), Changes: x.Records()[8].View}
	require.Equal(t, []int{7, 8}, view.Children(3, nil), "at the bottom of the tree")
}

// A new rank that gets no receipt from the root asks the next one in the list.
func TestNewRankAsksTheNextOne(t *testing.T) {
	x := run(t, papers(9), joining(9, 2), "crash:0@t0,crash:1@t0")
	require.Equal(t, "2-8 (7 members, 4 changes)", x.view(8))
	x.everybody(t, x.view(8), 2, 3, 4, 5, 6, 7, 8)
	require.GreaterOrEqual(t, x.sends()[membership.NewNode], 4)
}

// The root and rank 1 have told only rank 3 of a new member when they fail. The new root hears of
// it from 3's acknowledgement; it has nothing to do with who has failed.
func TestNewRootLearnsFromAcknowledgements(t *testing.T) {
	o := asked(papers(7), 2, membership.Question{At: 60, From: 5, To: 0})
	o.Members, o.Until = 6, 400
	o.Joins = []membership.Join{{At: 20, Rank: 6}}
	x := run(t, papers(7), o, "crash:0@after-send2,crash:1@after-send1")
	x.hold(t)
	x.everybody(t, "2-6 (5 members, 3 changes)", 2, 3, 4, 5, 6)
	stable := x.Records()[2].Led
	require.Len(t, stable, 2)
	require.False(t, stable[0].Stable)
	require.Equal(t, 1, x.sends()[membership.NewNode], "the new member need not ask again")
}

// Who has failed and comes back has its old place again, and gets the view from the root.
func TestRankThatFailedComesBack(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, usual(logp, 2), "crash:1@t10,rejoin:1@t900")
	x.hold(t)
	x.everybody(t, "0-6 (7 members, 2 changes)", 0, 1, 2, 3, 4, 5, 6)
	last := x.Records()[1].Installed[0]
	require.Equal(t, membership.AliveNodeJoin, last.Kind)
	require.Greater(t, int(last.At), 900)
	require.Equal(t, []int{3, 4}, membership.View{Group: x.Group(), Changes: last.View}.Children(1, nil))
	counts := x.sends()
	require.Equal(t, 1, counts[membership.NodeAlive])
	require.Equal(t, 1, counts[membership.AliveNodeJoinDetAck])
	require.Equal(t, 1, counts[membership.JoinDetAck])
}

// A rank may be back before anybody has noticed that it was away. That counts as two changes:
// whatever others had begun with its former life has to be done again.
func TestRankThatNobodyMissedComesBack(t *testing.T) {
	logp := papers(7)
	x := run(t, logp, usual(logp, 2), "crash:4@t10,rejoin:4@t20")
	x.hold(t)
	x.everybody(t, "0-6 (7 members, 2 changes)", 0, 1, 2, 3, 4, 5, 6)
}

// A root that comes back is the root again.
func TestRootComesBack(t *testing.T) {
	logp := papers(7)
	for _, schedule := range []string{"crash:0@t10,rejoin:0@t900", "crash:0@t10,rejoin:0@t20"} {
		x := run(t, logp, usual(logp, 2), schedule)
		x.hold(t)
		x.everybody(t, "0-6 (7 members, 2 changes)", 0, 1, 2, 3, 4, 5, 6)
		stable := x.Records()[0].Led
		require.NotEmpty(t, stable, schedule)
		require.True(t, stable[len(stable)-1].Stable, schedule)
	}
}
