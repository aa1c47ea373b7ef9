package tree_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// requireChildren compares with the edges of a figure; ranks not listed are leaves.
func requireChildren(t *testing.T, built tree.Tree, edges map[int][]int) {
	t.Helper()
	for rank := range built.Size() {
		require.Equal(t, edges[rank], children(built, rank), "children of %d", rank)
	}
}

// Corrected Trees, figure 3.
func TestBinaryTreeOfSeven(t *testing.T) {
	requireChildren(t, kary(2).of(t, 7, tree.InOrder), map[int][]int{0: {1, 4}, 1: {2, 3}, 4: {5, 6}})
	requireChildren(t, kary(2).of(t, 7, tree.Interleaved), map[int][]int{0: {1, 2}, 1: {3, 5}, 2: {4, 6}})
}

// Corrected Trees, figure 4.
func TestBinomialTreeOfEight(t *testing.T) {
	requireChildren(t, binomial().of(t, 8, tree.InOrder), map[int][]int{0: {4, 2, 1}, 4: {6, 5}, 6: {7}, 2: {3}})
	requireChildren(t, binomial().of(t, 8, tree.Interleaved), map[int][]int{0: {1, 2, 4}, 1: {3, 5}, 2: {6}, 3: {7}})
}

// Corrected Trees, figure 5: order 3 is optimal for L = o = 1.
func TestLameTreeOfNine(t *testing.T) {
	edges := map[int][]int{0: {1, 2, 3, 4, 6}, 1: {5, 7}, 2: {8}}
	requireChildren(t, lame(3).of(t, 9, tree.Interleaved), edges)
	requireChildren(t, optimal(clock.LogP{Latency: 1, Overhead: 1}).of(t, 9, tree.Interleaved), edges)
}

// readyToSend is R(t) of Corrected Trees, section 3.2.3; with o = 1 and k = 2o+L it is
// equation (1).
func readyToSend(t, o, delivery int) int {
	ready := make([]int, max(t, 0)+1)
	for i := range ready {
		ready[i] = 1
		if i >= delivery {
			ready[i] = ready[i-o] + ready[i-delivery]
		}
	}
	return ready[max(t, 0)]
}

// equation2 is the set of children of rank by the formula of the paper.
func equation2(rank, k, ranks int) []int {
	var all []int
	for i := 0; ; i++ {
		if readyToSend(i, 1, k) <= rank {
			continue
		}
		child := rank + readyToSend(i+k-1, 1, k)
		if child >= ranks {
			return all
		}
		all = append(all, child)
	}
}

func TestLameTreesFollowEquation2(t *testing.T) {
	for k := 1; k <= 8; k++ {
		built := lame(k).of(t, 200, tree.Interleaved)
		for rank := range 200 {
			require.Equal(t, equation2(rank, k, 200), children(built, rank), "k=%d rank %d", k, rank)
		}
	}
}

// Corrected Trees, section 3.2.3: with o = 1, R(i+o+L) is R(i+k-1) of a Lamé tree.
func TestOptimalTreesFollowThePaperWithUnitOverhead(t *testing.T) {
	for latency := 1; latency <= 8; latency++ {
		built := optimal(clock.LogP{Latency: clock.Time(latency), Overhead: 1}).of(t, 200, tree.Interleaved)
		for rank := range 200 {
			require.Equal(t, equation2(rank, latency+2, 200), children(built, rank), "L=%d rank %d", latency, rank)
		}
	}
}

func TestLameOrderOneIsBinomial(t *testing.T) {
	for _, n := range tree.Numberings() {
		for ranks := 1; ranks <= 130; ranks++ {
			want, got := binomial().of(t, ranks, n), lame(1).of(t, ranks, n)
			for rank := range ranks {
				require.Equal(t, children(want, rank), children(got, rank), "%v P=%d rank %d", n, ranks, rank)
			}
		}
	}
}
