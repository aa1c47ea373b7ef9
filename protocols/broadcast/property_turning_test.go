package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Any rank can be the root: if those that are down are turned round the ring as well, every
// rank is reached at the same instant, at the same cost. That is, unless what a rank does
// depends on which of two messages it hears first: see below.
func TestTurningTheRingChangesNothing(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		corrections := []correction.Correction{correction.None{}, broadcast.Acknowledge{}, anyOpportunistic(t, false)}
		o := anyArrangement(t, anyTree(t, logp), rapid.SampledFrom(corrections).Draw(t, "correction"))
		o.EarlyRest = false
		dead := anyDown(t, o.Tree, logp.Ranks)
		before := lab.broadcast(logp, o, dead)
		by := rapid.IntRange(0, logp.Ranks-1).Draw(t, "turn by")
		o.Tree = must(tree.WithRoot(o.Tree, (o.Tree.Root()+by)%logp.Ranks))
		for i := range dead {
			dead[i].Rank = (dead[i].Rank + by) % logp.Ranks
		}
		after := lab.broadcast(logp, o, dead)
		require.Equal(t, costOf(before), costOf(after), describe(logp, o, dead))
		for rank, r := range before.Ranks {
			require.Equal(t, r, after.Ranks[(rank+by)%logp.Ranks], "rank %d before: %s", rank, describe(logp, o, dead))
		}
	})
}

// Messages that arrive at the same instant are received in the order of their senders' ranks,
// which is another one once the ring is turned. For a correction that listens this can decide
// whether one more message is sent.
func TestTurningTheRingCanChangeWhoIsHeardFirst(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 7, Latency: 1, Overhead: 1}
	shape := must(tree.NewKary(7, 3, tree.Interleaved))
	turned := must(tree.WithRoot(shape, 2))
	require.Equal(t, cost{messages: 31, colouring: 11, quiescence: 16}, costOf(lab.broadcast(logp, checkedOn(shape), down(1))))
	require.Equal(t, cost{messages: 32, colouring: 11, quiescence: 17}, costOf(lab.broadcast(logp, checkedOn(turned), down(3))))
}
