package tree_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

func TestAnyRankCanBeTheRoot(t *testing.T) {
	p := clock.LogP{Latency: 3, Overhead: 2}
	for _, s := range shapes() {
		for _, n := range tree.Numberings() {
			for _, ranks := range []int{1, 2, 7, 24} {
				built := s.of(t, ranks, n)
				for root := range ranks {
					turned, err := tree.WithRoot(built, root)
					require.NoError(t, err)
					require.Equal(t, root, turned.Root())
					requireTree(t, turned)
					require.Equal(t, tree.WalkLatency(turned, p), tree.Latency(turned, p))
					for rank := range ranks {
						plays := (rank - root + ranks) % ranks
						require.Equal(t, tree.Depth(built, plays), tree.Depth(turned, rank))
						require.Equal(t, tree.WalkSubtree(turned, rank), tree.Subtree(turned, rank))
					}
				}
			}
		}
	}
}

func TestRanksAreTurnedRoundTheRing(t *testing.T) {
	turned, err := tree.WithRoot(tree.Binomial{Ranks: 8}, 6)
	require.NoError(t, err)
	require.Equal(t, []int{7, 0, 2}, children(turned, 6))
	require.Equal(t, []int{1, 3}, children(turned, 7))
	require.Equal(t, "binomial", turned.String())
}

func TestTheRootInPlaceChangesNothing(t *testing.T) {
	b := tree.Binomial{Ranks: 8}
	same, err := tree.WithRoot(b, 0)
	require.NoError(t, err)
	require.Equal(t, tree.Tree(b), same)

	turned, err := tree.WithRoot(b, 6)
	require.NoError(t, err)
	back, err := tree.WithRoot(turned, 0)
	require.NoError(t, err)
	for rank := range 8 {
		require.Equal(t, children(b, rank), children(back, rank))
	}
}
