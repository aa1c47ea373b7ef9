package membership_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// paced has rank 0 tell rank 1 one thing after another, with enough time between them.
func paced(all ...told) []told {
	for i := range all {
		all[i].at = clock.Time(20 * i)
	}
	return all
}

// Rank 1 of sixteen, of which eight were there at the start, goes on or aborts by the views that it has installed, and
// by what it hears of them. Ranks from 8 on that have changed have joined. Ranks below it never answer; it gives them up.
func TestWhichViewsCount(t *testing.T) {
	const change, stable = membership.FailedNode, membership.ViewStable
	few := gone(3, 4)
	join := func(c membership.Changes, ranks ...int) membership.Changes { return c.Merge(gone(ranks...)) }
	grown := join(few, 11, 12, 13, 14)
	shrunk := join(grown, 15).With(11, 2).With(12, 2).With(13, 2).With(14, 2)
	for name, test := range map[string]struct {
		script []told
		aborts bool
	}{
		"three of eight are lost": {paced(told{0, 0, change, gone(3, 4, 5)}), false},
		"half is lost":            {paced(told{0, 0, change, gone(3, 4, 5, 6)}), true},
		"half is lost in two steps": {
			paced(told{0, 0, change, few}, told{0, 0, change, gone(3, 4, 5, 6)}), true},
		"half is lost in two steps, and the first is known to be stable": {
			paced(told{0, 0, change, few}, told{0, 0, stable, few}, told{0, 0, change, gone(3, 4, 5, 6)}), false},
		"the second is known to be stable, which says that the first was tried": {
			paced(told{0, 0, change, few}, told{0, 0, change, gone(3, 4, 7)}, told{0, 0, stable, gone(3, 4, 7)}, told{0, 0, change, gone(3, 4, 6, 7)}), false},
		"another view is stable": {
			paced(told{0, 0, change, few}, told{0, 0, stable, gone(3)}, told{0, 0, change, gone(3, 4, 5, 6)}), true},
		"half of those that had come since is lost": {
			paced(told{0, 0, change, few}, told{0, 0, stable, few}, told{0, 0, change, grown}, told{0, 0, change, shrunk.With(5, 1)}), true},
		"those that have come are lost, and were never more than a few": {
			paced(told{0, 0, change, few}, told{0, 0, stable, few}, told{0, 0, change, grown}, told{0, 0, change, shrunk}), false},
		"a later view counts, though an earlier one is stable": {
			paced(told{0, 0, change, few}, told{0, 0, change, grown}, told{0, 0, stable, few}, told{0, 0, change, shrunk.With(5, 1)}), true},
	} {
		t.Run(name, func(t *testing.T) {
			o := asked(papers(16), 2)
			o.Members, o.Abort, o.Until = 8, true, 200
			s, err := membership.New(16, o)
			require.NoError(t, err)
			play(t, papers(16), s, test.script...)
			require.Equal(t, test.aborts, s.Records()[1].Aborted)
		})
	}
}

// A view that must not go on does not count, though all its members have it: neither by the last stable view nor by
// one that was tried since. Rank 1 has children that have not acknowledged yet, so it has not aborted when it
// hears that the view is stable.
func TestStableViewThatMustNotGoOnDoesNotCount(t *testing.T) {
	grown := gone(8, 9, 10, 11, 12, 13, 14, 15)
	lost := grown
	for rank := 8; rank < 16; rank++ {
		lost = lost.With(rank, 2)
	}
	for _, script := range [][]told{
		{{0, 0, membership.FailedNode, gone(0, 5, 6, 7)}, {6, 2, membership.ViewStable, gone(0, 5, 6, 7)}},
		{{0, 0, membership.NewNodeJoin, grown}, {40, 0, membership.FailedNode, lost}, {46, 2, membership.ViewStable, lost}},
	} {
		o := asked(papers(16), 2)
		o.Members, o.Abort, o.Until = 8, true, 1000
		s, err := membership.New(16, o)
		require.NoError(t, err)
		for _, child := range []int{3, 4} {
			for _, m := range script {
				if m.kind != membership.ViewStable {
					script = append(script, told{m.at + 15, child, membership.FailureAck, m.changes})
				}
			}
		}
		play(t, papers(16), s, script...)
		require.True(t, s.Records()[1].Aborted)
	}
}

// That a view is stable is passed on to the children in it, and to nobody if minorities go on.
func TestStableViewIsPassedOn(t *testing.T) {
	o := asked(papers(7), 2)
	o.Abort, o.Until = true, 60
	s, err := membership.New(7, o)
	require.NoError(t, err)
	view := gone(4)
	script := []told{{0, 0, membership.FailedNode, view}, {12, 3, membership.FailureAck, view}, {20, 0, membership.ViewStable, view}}
	requireSends(t, play(t, papers(7), s, script...),
		send{3, membership.FailedNode, view}, send{0, membership.FailureAck, view}, send{3, membership.ViewStable, view})

	x := run(t, papers(7), usual(papers(7), 2), "crash:4@t10")
	require.Zero(t, x.sends()[membership.ViewStable])
	abort := usual(papers(7), 2)
	abort.Abort = true
	x = run(t, papers(7), abort, "crash:4@t10")
	require.Equal(t, 5, x.sends()[membership.ViewStable])
}

// Reports and view changes are acknowledged by the kind that the thesis has for each.
func TestEveryKindHasItsAcknowledgement(t *testing.T) {
	for kind, want := range map[mailbox.Kind]mailbox.Kind{
		membership.NodeFailure: membership.FailureDetAck, membership.RootFailure: membership.FailureDetAck,
		membership.NewNode: membership.NewNodeJoinDetAck, membership.NodeAlive: membership.AliveNodeJoinDetAck,
		membership.FailedNode: membership.FailureAck, membership.RootDead: membership.FailureAck, membership.RootAndNodeFailure: membership.FailureAck,
		membership.NewNodeJoin: membership.NewNodeJoinAck, membership.AliveNodeJoin: membership.AliveNodeJoinAck,
	} {
		sent := answers(t, told{0, 2, kind, gone(3, 4)})
		require.NotEmpty(t, sent, membership.KindName(kind))
		require.Equal(t, membership.KindName(want), membership.KindName(sent[0].Msg), membership.KindName(kind))
	}
}
