package tuning_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// choose is the number of ways to choose k of n.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways
}

// appendixB is the sum of the paper's q_i for i > span, term by term, where a ring with
// fewer g-nodes counts as the longest span.
func appendixB(ranks, nodes int, q float64, span int) float64 {
	power := func(a, b int) float64 { return math.Pow(q, float64(a)) * math.Pow(1-q, float64(b)) }
	tooFew := 0.0
	for i := range nodes {
		tooFew += choose(ranks, i) * power(i, ranks-i)
	}
	sum, noLonger := 0.0, 1.0
	for i := ranks; i > span; i-- {
		beta := exists(power(nodes, i-nodes)*choose(i-2, nodes-2), ranks)
		sum += beta * noLonger
		noLonger *= 1 - beta
	}
	return 1 - (1-sum)*(1-tooFew)
}

func TestSpanTailIsAppendixBUpToAPartOfOneInN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(8, 150).Draw(t, "N")
		nodes := rapid.IntRange(2, 7).Draw(t, "V")
		q := rapid.Float64Range(1/float64(ranks), 1).Draw(t, "q")
		ring := tuning.NewRing(ranks, q*float64(ranks))
		for span := nodes; span < ranks; span++ {
			want := appendixB(ranks, nodes, q, span)
			if want > 0.5 {
				continue // where q(G,V) is no longer small
			}
			got := ring.SpanTail(nodes, span)
			require.LessOrEqual(t, got, want+1e-12, "span %d", span)
			require.GreaterOrEqual(t, got, want*(1-want/float64(ranks))-1e-12, "span %d", span)
		}
	})
}

func TestSpanOfTwoIsAGapAndItsEnds(t *testing.T) {
	for _, nodes := range []float64{30, 300, 900, 1010} {
		ring := tuning.NewRing(1024, nodes)
		require.Equal(t, ring.GapBound(1e-9)+2, ring.SpanBound(2, 1e-9), "%v g-nodes", nodes)
	}
}

func TestSpanBoundIsTheSmallestThatWillDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(210, clock.MaxRanks).Draw(t, "N")
		nodes := rapid.IntRange(2, 203).Draw(t, "V")
		reached := rapid.Float64Range(1, float64(ranks)).Draw(t, "g-nodes")
		delta := math.Exp(-rapid.Float64Range(0.01, 28).Draw(t, "-log delta"))
		ring := tuning.NewRing(ranks, reached)
		bound := ring.SpanBound(nodes, delta)
		require.Less(t, ring.SpanTail(nodes, bound), delta)
		require.GreaterOrEqual(t, ring.SpanTail(nodes, bound-1), delta)
	})
}

func TestSpanTailKnowsItsEnds(t *testing.T) {
	require.Equal(t, 1.0, tuning.NewRing(8, 3).SpanTail(5, 4))
	require.Equal(t, 0.0, tuning.NewRing(8, 3).SpanTail(5, 8))
	require.Equal(t, 5, tuning.NewRing(8, 8).SpanBound(5, 1e-9), "everybody is a g-node")
	require.Equal(t, 8, tuning.NewRing(8, 1).SpanBound(5, 1e-9), "too few g-nodes")
}
