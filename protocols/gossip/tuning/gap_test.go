package tuning_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// exists is the chance that one of n independent events happens, each of which has chance p.
func exists(p float64, n int) float64 { return -math.Expm1(float64(n) * math.Log1p(-p)) }

// equation2 is the sum of the paper's p_i for i > gap, term by term.
func equation2(ranks int, q float64, gap int) float64 {
	alpha := func(i int) float64 { return exists(q*q*math.Pow(1-q, float64(i)), ranks) }
	sum, noLonger := 0.0, 1.0
	for i := ranks - 1; i > gap; i-- {
		sum += alpha(i) * noLonger
		noLonger *= 1 - alpha(i)
	}
	return sum
}

func TestGapTailIsEquation2AndTheRingWithoutNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(2, 200).Draw(t, "N")
		q := rapid.Float64Range(1/float64(ranks), 1).Draw(t, "q")
		ring := tuning.NewRing(ranks, q*float64(ranks))
		nobody := math.Pow(1-q, float64(ranks))
		for gap := range ranks - 1 {
			want := 1 - (1-equation2(ranks, q, gap))*(1-nobody)
			require.InDelta(t, want, ring.GapTail(gap), 1e-12, "gap %d", gap)
		}
	})
}

func TestGapTailIsPreciseWhereItIsTiny(t *testing.T) {
	for _, nodes := range []float64{500, 900, 1000, 1023.999} {
		ring := tuning.NewRing(1024, nodes)
		for gap := 1; ring.GapTail(gap) > 1e-200 && gap < 60; gap += 7 {
			want := equation2(1024, nodes/1024, gap)
			require.InEpsilon(t, want, ring.GapTail(gap), 1e-9, "%v g-nodes, gap %d", nodes, gap)
		}
	}
}

func TestGapTailKnowsItsEnds(t *testing.T) {
	ring := tuning.NewRing(8, 3)
	require.Equal(t, 1.0, ring.GapTail(-1))
	require.Equal(t, 0.0, ring.GapTail(7), "the root's two sides meet")
	require.Equal(t, 0.0, tuning.NewRing(8, 8).GapTail(0), "everybody is a g-node")
	require.Equal(t, 7, tuning.NewRing(8, 1).GapBound(1e-3), "a lone root")
}

func TestGapBoundIsTheSmallestThatWillDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(2, clock.MaxRanks).Draw(t, "N")
		nodes := rapid.Float64Range(1, float64(ranks)).Draw(t, "g-nodes")
		delta := math.Exp(-rapid.Float64Range(0.01, 28).Draw(t, "-log delta"))
		ring := tuning.NewRing(ranks, nodes)
		bound := ring.GapBound(delta)
		require.Less(t, ring.GapTail(bound), delta)
		require.GreaterOrEqual(t, ring.GapTail(bound-1), delta)
	})
}

func TestGapBoundFallsWithT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines().Draw(t, "machine")
		failures := rapid.IntRange(0, m.Ranks-1).Draw(t, "failures")
		delta := math.Exp(-rapid.Float64Range(1, 28).Draw(t, "-log delta"))
		c := newCurve(t, m, failures, 700)
		last := m.Ranks
		for end := clock.Time(0); end < 600; end++ {
			bound := c.After(end).GapBound(delta)
			require.LessOrEqual(t, bound, last, "T=%d", end)
			last = bound
		}
	})
}
