package tree_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// checkInterleaved returns nil if the tree is interleaved and otherwise an error that
// names a pair of ranks and a subtree that break the rule (Corrected Trees, definition 1):
// in the ring of the ranks of any subtree, two neighbours either descend from each other
// or have only the root of that subtree as a common ancestor. It visits every rank once
// for each of its ancestors.
func checkInterleaved(t tree.Tree) error {
	c := newChecker(t)
	for rank := range t.Size() {
		if err := c.join(rank); err != nil {
			return err
		}
	}
	for top := range c.rings {
		ring := c.rings[top]
		if err := c.neighbours(top, ring.last, ring.first); err != nil {
			return err
		}
	}
	return nil
}

// checker builds the rings of all subtrees at once, in order of rank.
type checker struct {
	parents []int // -1 for the root
	depths  []int
	rings   []ring // by the root of the subtree
}

// ring is the two open ends of the ring of a subtree.
type ring struct{ first, last member }

// member is a rank in a subtree, and the child of the subtree's root above it. For the
// root itself that is -1.
type member struct{ rank, branch int }

var nobody = member{-1, -1}

func newChecker(t tree.Tree) *checker {
	c := &checker{}
	for rank := range t.Size() {
		parent, ok := t.Parent(rank)
		if !ok {
			parent = -1
		}
		c.parents = append(c.parents, parent)
		c.depths = append(c.depths, tree.Depth(t, rank))
		c.rings = append(c.rings, ring{nobody, nobody})
	}
	return c
}

// join appends a rank to the rings of all subtrees that it is in.
func (c *checker) join(rank int) error {
	for top, branch := rank, -1; top >= 0; top, branch = c.parents[top], top {
		ring, m := &c.rings[top], member{rank, branch}
		if ring.first == nobody {
			ring.first = m
		} else if err := c.neighbours(top, ring.last, m); err != nil {
			return err
		}
		ring.last = m
	}
	return nil
}

// neighbours checks two ranks side by side in the ring of a subtree. In different branches
// they have only its root in common.
func (c *checker) neighbours(top int, a, b member) error {
	if a.branch != b.branch || c.related(a.rank, b.rank) {
		return nil
	}
	return fmt.Errorf("tree: ranks %d and %d are neighbours in the subtree of %d and both below %d, want an interleaved tree",
		a.rank, b.rank, top, a.branch)
}

// related says whether one of two ranks is, or descends from, the other.
func (c *checker) related(a, b int) bool {
	for c.depths[a] > c.depths[b] {
		a = c.parents[a]
	}
	for c.depths[b] > c.depths[a] {
		b = c.parents[b]
	}
	return a == b
}

// Corrected Trees, lemma 1, and the remark before section 3.2.1 that it holds for
// incomplete trees, too.
func TestInterleavedTreesAreInterleaved(t *testing.T) {
	for _, s := range shapes() {
		for ranks := 1; ranks <= 300 && !s.mixed; ranks++ {
			require.NoError(t, checkInterleaved(s.of(t, ranks, tree.Interleaved)), "%s, P=%d", s.name, ranks)
		}
	}
}

// Where o does not divide L, lemma 1 ends: ranks send at different instants, and a wave of
// one phase meets one of another. Here 13 was sent to by 4, a child of 1, at time 10, and
// 14 by 1 itself at time 11.
func TestOptimalTreesAreNotInterleavedWhereOverheadDoesNotDivideLatency(t *testing.T) {
	s := optimal(clock.LogP{Latency: 1, Overhead: 2})
	for ranks := 1; ranks <= 14; ranks++ {
		require.NoError(t, checkInterleaved(s.of(t, ranks, tree.Interleaved)))
	}
	require.EqualError(t, checkInterleaved(s.of(t, 15, tree.Interleaved)),
		"tree: ranks 13 and 14 are neighbours in the subtree of 0 and both below 1, want an interleaved tree")
	for l := clock.Time(1); l <= 5; l++ {
		for o := clock.Time(1); o <= 5; o++ {
			err := checkInterleaved(optimal(clock.LogP{Latency: l, Overhead: o}).of(t, 300, tree.Interleaved))
			require.Equal(t, l%o != 0, err != nil, "L=%d o=%d: %v", l, o, err)
		}
	}
}

func TestInterleavedTreesStayInterleavedWithAnyRoot(t *testing.T) {
	for _, s := range shapes() {
		for root := 0; root < 41 && !s.mixed; root++ {
			turned, err := tree.WithRoot(s.of(t, 41, tree.Interleaved), root)
			require.NoError(t, err)
			require.NoError(t, checkInterleaved(turned), "%s, root %d", s.name, root)
		}
	}
}

func TestInOrderTreesAreNotInterleaved(t *testing.T) {
	require.EqualError(t, checkInterleaved(kary(2).of(t, 7, tree.InOrder)),
		"tree: ranks 2 and 3 are neighbours in the subtree of 0 and both below 1, want an interleaved tree")
	require.ErrorContains(t, checkInterleaved(binomial().of(t, 8, tree.InOrder)), "ranks 5 and 6")
	require.Error(t, checkInterleaved(lame(3).of(t, 30, tree.InOrder)))
	require.NoError(t, checkInterleaved(kary(1).of(t, 30, tree.InOrder)), "a chain")
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
	require.EqualError(t, checkInterleaved(parents{2, -1, 1, 2}),
		"tree: ranks 3 and 0 are neighbours in the subtree of 1 and both below 2, want an interleaved tree")
}

// The checker against the definition, word by word.
func TestCheckerAgreesWithTheDefinition(t *testing.T) {
	for _, s := range shapes() {
		for _, n := range tree.Numberings() {
			for _, ranks := range []int{1, 2, 3, 9, 21, 34} {
				built := s.of(t, ranks, n)
				require.Equal(t, interleaved(built), checkInterleaved(built) == nil, "%s %v P=%d", s.name, n, ranks)
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
