package tree_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

func children(t tree.Tree, rank int) []int {
	var all []int
	for i := 0; ; i++ {
		child, ok := t.Child(rank, i)
		if !ok {
			return all
		}
		all = append(all, child)
	}
}

// Corrected Trees, figure 4 (right).
func TestBinomialTreeOfEight(t *testing.T) {
	b := tree.Binomial{Ranks: 8}
	require.Equal(t, []int{1, 2, 4}, children(b, 0))
	require.Equal(t, []int{3, 5}, children(b, 1))
	require.Equal(t, []int{6}, children(b, 2))
	require.Equal(t, []int{7}, children(b, 3))
	for leaf := 4; leaf < 8; leaf++ {
		require.Empty(t, children(b, leaf))
	}
}

func TestBinomialTreeReachesEveryRankOnce(t *testing.T) {
	for ranks := 1; ranks <= 300; ranks++ {
		b := tree.Binomial{Ranks: ranks}
		reached := map[int]bool{0: true}
		for rank := range ranks {
			for _, child := range children(b, rank) {
				require.False(t, reached[child], "P=%d: %d has two parents", ranks, child)
				reached[child] = true
				parent, ok := b.Parent(child)
				require.True(t, ok)
				require.Equal(t, rank, parent)
			}
		}
		require.Len(t, reached, ranks)
		_, ok := b.Parent(0)
		require.False(t, ok)
	}
}

func TestBinomialLatencyNeedsNoWalk(t *testing.T) {
	for ranks := 1; ranks <= 300; ranks++ {
		for _, p := range []clock.LogP{
			{Latency: 2, Overhead: 1}, {Latency: 1, Overhead: 3}, {Latency: 7, Overhead: 2},
			{Latency: 2, Overhead: 1, Gap: 3}, {Latency: 2, Overhead: 1, Gap: 50},
		} {
			p.Ranks = ranks
			b := tree.Binomial{Ranks: ranks}
			require.Equal(t, tree.WalkLatency(b, p), tree.Latency(b, p), "%+v", p)
		}
	}
}
