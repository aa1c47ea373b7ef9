package tree_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// largestTrees are trees of all ranks that there can be, and how deep the last rank lies.
func largestTrees(t require.TestingT) map[string]tree.Tree {
	all := make(map[string]tree.Tree)
	add := func(name string, made tree.Tree, err error) {
		require.NoError(t, err, name)
		all[name] = made
		turned, err := tree.WithRoot(made, clock.MaxRanks-3)
		require.NoError(t, err, name)
		all[name+", turned"] = turned
	}
	for _, n := range tree.Numberings() {
		made, err := tree.NewBinomial(clock.MaxRanks, n)
		add("binomial "+n.String(), made, err)
	}
	for name, arity := range map[string]int{"2-ary": 2, "3-ary": 3, "1000-ary": 1000, "k for two levels": 46341, "wide": 1 << 30, "star": clock.MaxRanks} {
		made, err := tree.NewKary(clock.MaxRanks, arity, tree.Interleaved)
		add(name, made, err)
	}
	return all
}

// Whoever has a parent is among its children, and all children have their parent.
func TestTreesOfTheLargestMachineAreConsistent(t *testing.T) {
	trees := largestTrees(t)
	rapid.Check(t, func(t *rapid.T) {
		rank := rapid.OneOf(rapid.IntRange(0, clock.MaxRanks-1), rapid.IntRange(clock.MaxRanks-100, clock.MaxRanks-1), rapid.IntRange(0, 100)).Draw(t, "rank")
		for name, made := range trees {
			parent, ok := made.Parent(rank)
			require.Equal(t, rank != made.Root(), ok, name)
			require.LessOrEqual(t, tree.Depth(made, rank), 31, name)
			if ok {
				require.Equal(t, rank, childOf(made, parent, rank), "%s: rank %d below %d", name, rank, parent)
			}
			for i := range 70 {
				child, ok := made.Child(rank, i)
				if !ok {
					break
				}
				require.True(t, child >= 0 && child < clock.MaxRanks && child != rank, "%s: %d below %d", name, child, rank)
				above, _ := made.Parent(child)
				require.Equal(t, rank, above, "%s: above %d", name, child)
			}
		}
	})
}

// childOf finds a rank among the children of another one, which have ascending or descending places from the root: -1 if it is not there.
func childOf(t tree.Tree, parent, rank int) int {
	from := func(r int) int { return (r - t.Root() + t.Size()) % t.Size() }
	low, high := 0, t.Size() // the first that there is not
	for low < high {
		middle := (low + high) / 2
		if _, ok := t.Child(parent, middle); ok {
			low = middle + 1
		} else {
			high = middle
		}
	}
	count := low
	first, _ := t.Child(parent, 0)
	last, _ := t.Child(parent, count-1)
	ascending := from(first) <= from(last)
	for low, high = 0, count; low < high; {
		middle := (low + high) / 2
		switch child, _ := t.Child(parent, middle); {
		case child == rank:
			return child
		case from(child) < from(rank) == ascending:
			low = middle + 1
		default:
			high = middle
		}
	}
	return -1
}

func TestListedTreesHaveNoMoreRanksThanCanBeListed(t *testing.T) {
	const want = "tree: ranks 16777217, want 1 to 16777216: every process lists all ranks of such a tree"
	_, err := tree.NewLame(1<<24+1, 3, tree.Interleaved)
	require.EqualError(t, err, want)
	_, err = tree.NewKary(1<<24+1, 3, tree.InOrder)
	require.EqualError(t, err, want)
	_, err = tree.NewOptimal(clock.LogP{Ranks: 1<<24 + 1, Latency: 2, Overhead: 1}, tree.InOrder)
	require.EqualError(t, err, want)
	_, err = tree.NewKary(clock.MaxRanks, 1, tree.InOrder)
	require.NoError(t, err, "a chain")
}

// Shape is what walking the tree finds.
func TestShapeOfInOrderBinomialTrees(t *testing.T) {
	for size := 1; size < 300; size++ {
		made := tree.InOrderBinomial{Binomial: tree.Binomial{Ranks: size}}
		deepest, widest := 0, 0
		for rank := range size {
			deepest = max(deepest, tree.Depth(made, rank))
			children := 0
			for range tree.Children(made, rank) {
				children++
			}
			widest = max(widest, children)
		}
		height, degree := made.Shape()
		require.Equal(t, [2]int{deepest, widest}, [2]int{height, degree}, size)
	}
}
