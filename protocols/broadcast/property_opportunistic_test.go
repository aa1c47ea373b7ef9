package broadcast_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Corrected Trees, 3.1: plain opportunistic correction reaches exactly whom it sends to, and
// so closes every gap of as many ranks as it has messages.
func TestOpportunisticCorrectionReachesWhoIsNearEnough(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		c := anyOpportunistic(t, false)
		o := anyArrangement(t, anyTree(t, logp), c)
		dead := anyDown(t, o.Tree, logp.Ranks)
		report := lab.broadcast(logp, o, dead)
		if o.EarlyRest { // it depends on who is early: see below
			return
		}
		near := nearEnough(o, rankSet(dead))
		for rank, r := range report.Ranks {
			if !r.Outcome.Failed() {
				require.Equal(t, near[rank], r.Coloured != clock.Never, "rank %d: %s", rank, describe(logp, o, dead))
			}
		}
		if !o.Chain && largestGap(o.Tree, rankSet(dead)) <= c.Messages {
			require.Empty(t, report.Unreached, describe(logp, o, dead))
		}
	})
}

// nearEnough is who is reached by the tree and by plain opportunistic correction. Overlapped,
// those reached by correction send as well; synchronized, they do not.
func nearEnough(o broadcast.Options, dead map[int]bool) []bool {
	reached := make([]bool, o.Tree.Size())
	var reach func(rank int)
	reach = func(rank int) {
		if dead[rank] || reached[rank] {
			return
		}
		reached[rank] = true
		for i := 0; ; i++ {
			child, ok := o.Tree.Child(rank, i)
			if !ok {
				break
			}
			reach(child)
		}
		if o.Overlapped {
			for _, neighbour := range neighbours(o, rank) {
				reach(neighbour)
			}
		}
	}
	reach(o.Tree.Root())
	for rank, byTree := range slices.Clone(reached) {
		if byTree {
			for _, neighbour := range neighbours(o, rank) {
				reached[neighbour] = true
			}
		}
	}
	return reached
}

// neighbours is whom a rank sends to in plain opportunistic correction.
func neighbours(o broadcast.Options, rank int) []int {
	size, root := o.Tree.Size(), o.Tree.Root()
	place := (rank - root + size) % size
	var all []int
	for to := place - reachLeft(o.Correction); to <= place+reachRight(o.Correction); to++ {
		if !o.Chain || 0 <= to && to < size {
			all = append(all, ((root+to)%size+size)%size)
		}
	}
	return all
}

// The gap is closed only if all take part that the tree would reach. Here rank 12 is reached
// early, by the root, and rests; rank 11, whom the dead rank 3 should have reached, gets
// nothing from either side.
func TestEarlyRestOpensGapsForOpportunisticCorrection(t *testing.T) {
	logp := clock.LogP{Ranks: 13, Latency: 1, Overhead: 1}
	o := broadcast.Options{Tree: tree.Binomial{Ranks: 13}, Correction: &correction.Opportunistic{Messages: 2}, Overlapped: true}
	dead := down(2, 3)
	require.Equal(t, 2, largestGap(o.Tree, rankSet(dead)))
	require.Empty(t, newLab(t).broadcast(logp, o, dead).Unreached)
	o.EarlyRest = true
	require.Equal(t, []int{11}, newLab(t).broadcast(logp, o, dead).Unreached)
}

// Corrected Trees, 4.2: on an interleaved k-ary tree fewer than k failures leave every k-th
// rank coloured, so that k-1 messages in all are enough; overlapped, too, and with the mended
// optimization. The paper's own can leave a rank out: see property_optimized_test.go.
func TestOpportunisticCorrectionStandsFewerThanKFailuresOnKaryTrees(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		k := rapid.IntRange(2, 6).Draw(t, "k")
		shape := anyRoot(t, must(tree.NewKary(logp.Ranks, k, tree.Interleaved)))
		c := &correction.Opportunistic{Messages: k - 1, Direction: anyDirection(t)}
		if rapid.Bool().Draw(t, "cautious") {
			c = cautious(*c)
		}
		o := broadcast.Options{Tree: shape, Overlapped: rapid.Bool().Draw(t, "overlapped"), Correction: c}
		dead := anyDown(t, shape, k-1)
		require.Empty(t, lab.broadcast(logp, o, dead).Unreached, describe(logp, o, dead))
	})
}
