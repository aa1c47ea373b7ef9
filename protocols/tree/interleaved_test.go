package tree_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Corrected Trees, lemma 1, and the remark before section 3.2.1 that it holds for
// incomplete trees, too.
func TestInterleavedTreesAreInterleaved(t *testing.T) {
	for _, s := range shapes() {
		for ranks := 1; ranks <= 300 && !s.mixed; ranks++ {
			require.NoError(t, tree.CheckInterleaved(s.of(t, ranks, tree.Interleaved)), "%s, P=%d", s.name, ranks)
		}
	}
}

// Where o does not divide L, lemma 1 ends: ranks send at different instants, and a wave of
// one phase meets one of another. Here 13 was sent to by 4, a child of 1, at time 10, and
// 14 by 1 itself at time 11.
func TestOptimalTreesAreNotInterleavedWhereOverheadDoesNotDivideLatency(t *testing.T) {
	s := optimal(clock.LogP{Latency: 1, Overhead: 2})
	for ranks := 1; ranks <= 14; ranks++ {
		require.NoError(t, tree.CheckInterleaved(s.of(t, ranks, tree.Interleaved)))
	}
	require.EqualError(t, tree.CheckInterleaved(s.of(t, 15, tree.Interleaved)),
		"tree: ranks 13 and 14 are neighbours in the subtree of 0 and both below 1, want an interleaved tree")
	for l := clock.Time(1); l <= 5; l++ {
		for o := clock.Time(1); o <= 5; o++ {
			err := tree.CheckInterleaved(optimal(clock.LogP{Latency: l, Overhead: o}).of(t, 300, tree.Interleaved))
			require.Equal(t, l%o != 0, err != nil, "L=%d o=%d: %v", l, o, err)
		}
	}
}

func TestInterleavedTreesStayInterleavedWithAnyRoot(t *testing.T) {
	for _, s := range shapes() {
		for root := 0; root < 41 && !s.mixed; root++ {
			turned, err := tree.WithRoot(s.of(t, 41, tree.Interleaved), root)
			require.NoError(t, err)
			require.NoError(t, tree.CheckInterleaved(turned), "%s, root %d", s.name, root)
		}
	}
}

func TestInOrderTreesAreNotInterleaved(t *testing.T) {
	require.EqualError(t, tree.CheckInterleaved(kary(2).of(t, 7, tree.InOrder)),
		"tree: ranks 2 and 3 are neighbours in the subtree of 0 and both below 1, want an interleaved tree")
	require.ErrorContains(t, tree.CheckInterleaved(binomial().of(t, 8, tree.InOrder)), "ranks 5 and 6")
	require.Error(t, tree.CheckInterleaved(lame(3).of(t, 30, tree.InOrder)))
	require.NoError(t, tree.CheckInterleaved(kary(1).of(t, 30, tree.InOrder)), "a chain")
}

// parents is a tree with the five methods of the interface and no more; -1 marks the root.
type parents []int

func (p parents) Size() int                   { return len(p) }
func (p parents) Root() int                   { return slices.Index(p, -1) }
func (p parents) Parent(rank int) (int, bool) { return p[rank], p[rank] >= 0 }
func (p parents) String() string              { return "parents" }

func (p parents) Child(rank, i int) (int, bool) {
	for child, parent := range p {
		if parent == rank {
			if i--; i < 0 {
				return child, true
			}
		}
	}
	return 0, false
}

func TestTheRingClosesBetweenTheLastRankAndTheFirst(t *testing.T) {
	require.EqualError(t, tree.CheckInterleaved(parents{2, -1, 1, 2}),
		"tree: ranks 3 and 0 are neighbours in the subtree of 1 and both below 2, want an interleaved tree")
}

// The checker against the definition, word by word.
func TestCheckerAgreesWithTheDefinition(t *testing.T) {
	for _, s := range shapes() {
		for _, n := range tree.Numberings() {
			for _, ranks := range []int{1, 2, 3, 9, 21, 34} {
				built := s.of(t, ranks, n)
				require.Equal(t, interleaved(built), tree.CheckInterleaved(built) == nil, "%s %v P=%d", s.name, n, ranks)
			}
		}
	}
}

// interleaved is definition 1 of Corrected Trees.
func interleaved(t tree.Tree) bool {
	for top := range t.Size() {
		var ring []int
		for rank := range t.Size() {
			if slices.Contains(ancestors(t, rank), top) {
				ring = append(ring, rank)
			}
		}
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			ofA, ofB := ancestors(t, a), ancestors(t, b)
			common := slices.DeleteFunc(slices.Clone(ofA), func(r int) bool {
				return !slices.Contains(ofB, r) || !slices.Contains(ancestors(t, r), top)
			})
			if !slices.Contains(ofA, b) && !slices.Contains(ofB, a) && !slices.Equal(common, []int{top}) {
				return false
			}
		}
	}
	return true
}

// ancestors lists a rank and those above it.
func ancestors(t tree.Tree, rank int) []int {
	all := []int{rank}
	for {
		parent, ok := t.Parent(rank)
		if !ok {
			return all
		}
		all = append(all, parent)
		rank = parent
	}
}
