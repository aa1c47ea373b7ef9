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
	"github.com/mangrove-emu/mangrove/report"
)

// Corrected Trees, 3.3: nobody sends more correction messages than opportunistic correction
// has, and with the optimization never more in all. If nobody has failed, everybody is
// reached; otherwise at least those whom the tree reaches, at most those whom the plain
// correction does.
func TestOptimizationOnlySavesMessages(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		plain := anyOpportunistic(t, false)
		o := anyArrangement(t, shape, plain)
		dead := anyDown(t, shape, logp.Ranks)
		before := lab.broadcast(logp, o, dead)
		optimized := *plain
		optimized.Optimized = true
		o.Correction = &optimized
		after := lab.broadcast(logp, o, dead)
		for _, rep := range []*report.Report{before, after} {
			require.LessOrEqual(t, slices.Max(corrections(rep)), plain.Messages, describe(logp, o, dead))
			for _, rank := range disseminated(lab, logp, shape, dead) {
				require.NotContains(t, rep.Unreached, rank, describe(logp, o, dead))
			}
		}
		if !o.EarlyRest { // with it, fewer early ranks mean more that correct: see below
			require.LessOrEqual(t, after.Messages, before.Messages, describe(logp, o, dead))
			require.Subset(t, after.Unreached, before.Unreached, describe(logp, o, dead))
		}
	})
}

// Where early ranks rest, the optimization can cost messages: whom it does not send to is not
// early, and corrects later.
func TestOptimizationCanCostMessagesIfEarlyRanksRest(t *testing.T) {
	logp := clock.LogP{Ranks: 11, Latency: 1, Overhead: 1}
	c := correction.Opportunistic{Messages: 8, Direction: correction.LeftOnly}
	o := broadcast.Options{Tree: must(tree.NewKary(11, 1, tree.Interleaved)), Correction: &c, Overlapped: true, EarlyRest: true}
	plain := newLab(t).broadcast(logp, o, nil).Messages
	c.Optimized = true
	require.EqualValues(t, 42, plain)
	require.EqualValues(t, 46, newLab(t).broadcast(logp, o, nil).Messages)
}

// Corrected Trees, 3.3, says that the optimization preserves nonfaulty liveness, and 4.2 that
// d >= k messages each way tolerate k-1 failures on a k-ary tree. In the paper's own setting,
// overlapped on interleaved trees, two failures are enough to break both. Neighbours on one
// level begin at about the same time; their messages cross, and each leaves what it has not
// yet sent to the other. In the second case ranks 14 and 15 leave 18 to each other, and so do
// ranks 0 and 1. All gaps here are smaller than 2d, so that the plain correction closes them.
func TestErratumOverlappedOptimizedCorrectionCanLeaveRanksOut(t *testing.T) {
	lab := newLab(t)
	fast, papers := clock.LogP{Latency: 1, Overhead: 1}, clock.LogP{Latency: 2, Overhead: 1}
	kary := func(k int) func(clock.LogP) tree.Tree {
		return func(logp clock.LogP) tree.Tree { return must(tree.NewKary(logp.Ranks, k, tree.Interleaved)) }
	}
	optimal := func(logp clock.LogP) tree.Tree { return must(tree.NewOptimal(logp, tree.Interleaved)) }
	for _, c := range []struct {
		logp      clock.LogP
		ranks     int
		tree      func(clock.LogP) tree.Tree
		d         int
		dead      []int
		unreached int
	}{
		{fast, 13, kary(6), 5, []int{4, 5}, 11},          // the smallest found with two failures
		{papers, 21, optimal, 4, []int{2, 3, 4, 19}, 18}, // with all parameters of the paper's evaluation
		{fast, 14, kary(6), 6, []int{4, 5}, 11},          // d >= k, fewer than k failures
		{papers, 12, kary(5), 5, []int{2, 3, 6, 9}, 8},
		{papers, 21, kary(6), 6, []int{3, 4, 5}, 17},
	} {
		c.logp.Ranks = c.ranks
		opportunistic := correction.Opportunistic{Messages: 2 * c.d}
		o := broadcast.Options{Tree: c.tree(c.logp), Correction: &opportunistic, Overlapped: true}
		require.Empty(t, lab.broadcast(c.logp, o, down(c.dead...)).Unreached)
		opportunistic.Optimized = true
		require.Equal(t, []int{c.unreached}, lab.broadcast(c.logp, o, down(c.dead...)).Unreached)
		opportunistic.Cautious = true
		require.Empty(t, lab.broadcast(c.logp, o, down(c.dead...)).Unreached)
	}
}

// The mended optimization: whoever heeds only those before it, counted from the root, leaves out
// nothing. Exactly those are reached whom the plain correction reaches, with at most as many
// messages, however tree and correction go together.
func TestCautiousCorrectionReachesWhomThePlainOneReaches(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		plain := anyOpportunistic(t, false)
		o := anyArrangement(t, shape, plain)
		if o.EarlyRest { // see TestEarlyRestOpensGapsForOpportunisticCorrection
			return
		}
		dead := anyDown(t, shape, logp.Ranks)
		before := lab.broadcast(logp, o, dead)
		o.Correction = cautious(*plain)
		after := lab.broadcast(logp, o, dead)
		require.Equal(t, before.Unreached, after.Unreached, describe(logp, o, dead))
		require.LessOrEqual(t, after.Messages, before.Messages, describe(logp, o, dead))
	})
}

func cautious(plain correction.Opportunistic) *correction.Opportunistic {
	plain.Optimized, plain.Cautious = true, true
	return &plain
}

// Corrected Trees, 4.1: "Optimized opportunistic correction sends at most as many messages as
// checked correction." That is so with the parameters of the evaluation: L=2, o=1, d=4,
// overlapped optimized against synchronized checked, interleaved trees, nobody fails.
func TestOptimizedCorrectionSendsAtMostAsManyMessagesAsChecked(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := clock.LogP{Ranks: draw.Number(t, "P", 1, 150), Latency: 2, Overhead: 1}
		shape := anyRoot(t, anyShape(t, logp, tree.Interleaved))
		optimized, checked := optimizedAndChecked(lab, logp, shape, 4)
		require.LessOrEqual(t, optimized, checked, "%+v %v", logp, shape)
	})
}

func optimizedAndChecked(lab *lab, logp clock.LogP, shape tree.Tree, d int) (optimized, checked int64) {
	o := broadcast.Options{Tree: shape, Correction: &correction.Opportunistic{Messages: 2 * d, Optimized: true}, Overlapped: true}
	return lab.broadcast(logp, o, nil).Messages, lab.broadcast(logp, checkedOn(shape), nil).Messages
}

// With other parameters it is not always so: on small rings, because the two sides of
// opportunistic correction do not notice that they have met; on larger ones by a message or
// two.
func TestErratumOptimizedCorrectionCanSendMoreThanChecked(t *testing.T) {
	lab := newLab(t)
	small := clock.LogP{Ranks: 3, Latency: 1, Overhead: 1}
	optimized, checked := optimizedAndChecked(lab, small, tree.Binomial{Ranks: 3}, 2)
	require.Equal(t, []int64{12, 11}, []int64{optimized, checked})

	farther := clock.LogP{Ranks: 10, Latency: 1, Overhead: 1}
	optimized, checked = optimizedAndChecked(lab, farther, tree.Binomial{Ranks: 10}, 5)
	require.Equal(t, []int64{50, 49}, []int64{optimized, checked})

	large := clock.LogP{Ranks: 35, Latency: 2, Overhead: 3}
	optimized, checked = optimizedAndChecked(lab, large, must(tree.NewOptimal(large, tree.Interleaved)), 4)
	require.Equal(t, []int64{175, 174}, []int64{optimized, checked})
}
