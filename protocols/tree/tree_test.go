package tree_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// shape is a tree whose size is still open.
type shape struct {
	name  string
	build func(ranks int, n tree.Numbering) (tree.Tree, error)
	mixed bool // ranks do not all send at the same instants
}

func (s shape) of(t testing.TB, ranks int, n tree.Numbering) tree.Tree {
	t.Helper()
	built, err := s.build(ranks, n)
	require.NoError(t, err)
	return built
}

// shapes lists the trees of the papers, and optimal ones for machines of all kinds.
func shapes() []shape {
	all := []shape{binomial()}
	for k := 1; k <= 8; k++ {
		all = append(all, kary(k), lame(k))
	}
	for l := clock.Time(1); l <= 5; l++ {
		for o := clock.Time(1); o <= 5; o++ {
			all = append(all, optimal(clock.LogP{Latency: l, Overhead: o}))
		}
	}
	for _, gap := range []clock.Time{3, 4, 7, 50, 1 << 20} {
		all = append(all, optimal(clock.LogP{Latency: 2, Overhead: 1, Gap: gap}))
	}
	return append(all, kary(1000), lame(1000), optimal(clock.LogP{Latency: 1000, Overhead: 7}))
}

func binomial() shape { return shape{name: "binomial", build: tree.NewBinomial} }

func kary(k int) shape {
	return shape{name: fmt.Sprintf("kary %d", k), build: func(ranks int, n tree.Numbering) (tree.Tree, error) {
		return tree.NewKary(ranks, k, n)
	}}
}

func lame(k int) shape {
	return shape{name: fmt.Sprintf("lame %d", k), build: func(ranks int, n tree.Numbering) (tree.Tree, error) {
		return tree.NewLame(ranks, k, n)
	}}
}

func optimal(p clock.LogP) shape {
	name := fmt.Sprintf("optimal L=%d o=%d g=%d", p.Latency, p.Overhead, p.Gap)
	build := func(ranks int, n tree.Numbering) (tree.Tree, error) {
		p.Ranks = ranks
		return tree.NewOptimal(p, n)
	}
	return shape{name, build, p.Delivery()%p.Costs().Spacing != 0}
}

// forAll runs a check on all shapes in all numberings, for sizes up to 70 and some larger.
func forAll(t *testing.T, check func(t *testing.T, built tree.Tree)) {
	for _, s := range shapes() {
		for _, n := range tree.Numberings() {
			t.Run(fmt.Sprintf("%s %v", s.name, n), func(t *testing.T) {
				for ranks := 1; ranks <= 300; ranks++ {
					if ranks <= 70 || ranks%37 == 0 {
						check(t, s.of(t, ranks, n))
					}
				}
			})
		}
	}
}

// children lists the ranks that a rank sends to, in order.
func children(t tree.Tree, rank int) []int { return slices.Collect(tree.Children(t, rank)) }

// requireTree checks the invariants of tree.Tree.
func requireTree(t *testing.T, built tree.Tree) {
	t.Helper()
	parents := make([]int, built.Size())
	for rank := range parents {
		parents[rank] = -1
	}
	for rank := range parents {
		for child := range tree.Children(built, rank) {
			if child < 0 || child >= len(parents) || parents[child] >= 0 || child == built.Root() {
				require.FailNow(t, "child of two or out of range", "P=%d: %d to %d", len(parents), rank, child)
			}
			parents[child] = rank
		}
	}
	for rank, want := range parents {
		parent, ok := built.Parent(rank)
		if ok != (rank != built.Root()) || ok && parent != want {
			require.FailNow(t, "parent", "P=%d: %d has parent %d, %v, but is a child of %d", len(parents), rank, parent, ok, want)
		}
	}
	require.Equal(t, built.Size(), tree.WalkSubtree(built, built.Root()), "ranks off the tree")
}

func TestEveryRankIsTheChildOfItsParentOnly(t *testing.T) {
	forAll(t, requireTree)
}

func TestThereAreNoChildrenAfterTheLast(t *testing.T) {
	forAll(t, func(t *testing.T, built tree.Tree) {
		for rank := range built.Size() {
			last := len(children(built, rank))
			for _, i := range []int{last + 1, last + 7, 1 << 20, 1 << 40} {
				if child, ok := built.Child(rank, i); ok {
					require.FailNow(t, "child after the last", "P=%d: %d to %d", built.Size(), rank, child)
				}
			}
		}
	})
}

func TestSubtreesAreThoseOfAWalk(t *testing.T) {
	forAll(t, func(t *testing.T, built tree.Tree) {
		for rank := range built.Size() {
			if want, got := tree.WalkSubtree(built, rank), tree.Subtree(built, rank); want != got {
				require.Equal(t, want, got, "subtree of %d, P=%d", rank, built.Size())
			}
		}
	})
}

func TestLatencyNeedsNoWalk(t *testing.T) {
	machines := []clock.LogP{
		{Latency: 2, Overhead: 1}, {Latency: 1, Overhead: 3}, {Latency: 7, Overhead: 2}, {Latency: 300, Overhead: 1},
		{Latency: 2, Overhead: 1, Gap: 3}, {Latency: 2, Overhead: 1, Gap: 4}, {Latency: 2, Overhead: 1, Gap: 50},
	}
	forAll(t, func(t *testing.T, built tree.Tree) {
		for _, p := range machines {
			if want, got := tree.WalkLatency(built, p), tree.Latency(built, p); want != got {
				require.Equal(t, want, got, "P=%d %+v", built.Size(), p)
			}
		}
	})
}

// On level 2, the last child would be k^3 = 2^63 ranks away.
func TestWideTreesDoNotOverflow(t *testing.T) {
	const k = 1 << 21
	wide, err := tree.NewKary(clock.MaxRanks, k, tree.Interleaved)
	require.NoError(t, err)
	require.Equal(t, 2, tree.Depth(wide, clock.MaxRanks-1))
	_, ok := wide.Child(clock.MaxRanks-1, k-1)
	require.False(t, ok)
}

// A chain of 2^31-1 ranks at the highest costs takes longer than instants can express.
func TestLatencyStopsAtForever(t *testing.T) {
	p := clock.LogP{Ranks: clock.MaxRanks, Latency: clock.MaxCost, Overhead: clock.MaxCost}
	chain, err := tree.NewKary(p.Ranks, 1, tree.Interleaved)
	require.NoError(t, err)
	require.Equal(t, clock.Forever, tree.Latency(chain, p))
	require.Equal(t, 30*p.Delivery()+p.Overhead, tree.Latency(tree.Binomial{Ranks: p.Ranks}, p))
}

// What is cut off of costs to see whether a latency can be computed may be what makes it too long.
func TestLatencyIsNeverLongerThanForever(t *testing.T) {
	const coarse = 1 << 20 // costs are cut off to multiples of it
	p := clock.LogP{Ranks: 1<<20 + 1, Latency: clock.MaxCost - 1, Overhead: coarse - 1}
	chain, err := tree.NewKary(p.Ranks, 1, tree.Interleaved)
	require.NoError(t, err)
	require.Equal(t, clock.Forever, tree.Latency(chain, p))
	p.Latency, p.Overhead = p.Latency+1-coarse, 1
	require.Equal(t, p.Delivery().Times(p.Ranks-1), tree.Latency(chain, p), "a little less is computed")
}

// A chain is as deep as it has ranks, and yet nobody counts levels to find the next one.
func TestLongChainsAreWalked(t *testing.T) {
	const ranks = 1 << 20
	chain, err := tree.NewKary(ranks, 1, tree.Interleaved)
	require.NoError(t, err)
	next, ok := 0, true
	for rank := 0; ok; rank++ {
		if rank != next {
			require.Equal(t, rank, next)
		}
		next, ok = chain.Child(rank, 0)
	}
	require.Equal(t, ranks-1, tree.Depth(chain, ranks-1))
}

func TestTreesWithoutClosedFormsAreWalked(t *testing.T) {
	bare := parents{-1, 0, 0, 1, 1, 4}
	require.Equal(t, 3, tree.Depth(bare, 5))
	require.Equal(t, 4, tree.Subtree(bare, 1))
	require.EqualValues(t, 4+(1+4)+4, tree.Latency(bare, clock.LogP{Latency: 2, Overhead: 1}))
	requireTree(t, bare)
}

func TestTreesHaveTheNamesOfRunLines(t *testing.T) {
	for _, n := range tree.Numberings() {
		require.Equal(t, "binomial", binomial().of(t, 8, n).String())
		require.Equal(t, "kary", kary(3).of(t, 8, n).String())
		require.Equal(t, "lame", lame(3).of(t, 8, n).String())
		require.Equal(t, "optimal", optimal(clock.LogP{Latency: 2, Overhead: 1}).of(t, 8, n).String())
	}
	require.Equal(t, "interleaved in-order Numbering(7)",
		fmt.Sprint(tree.Interleaved, tree.InOrder, tree.Numbering(7)))
}

func TestErrorsNameTheValueAndItsRange(t *testing.T) {
	_, err := tree.NewBinomial(0, tree.InOrder)
	require.EqualError(t, err, "tree: ranks 0, want 1 to 2147483647")
	_, err = tree.NewBinomial(8, 7)
	require.EqualError(t, err, "tree: numbering 7, want 0 (interleaved) or 1 (in-order)")
	_, err = tree.NewKary(-1, 0, tree.Interleaved)
	require.EqualError(t, err, "tree: ranks -1, want 1 to 2147483647; arity 0, want 1 to 2147483647")
	_, err = tree.NewLame(clock.MaxRanks+1, 0, -1)
	require.EqualError(t, err, "tree: ranks 2147483648, want 1 to 2147483647; "+
		"Lamé order 0, want 1 to 1099511627776; numbering -1, want 0 (interleaved) or 1 (in-order)")
	_, err = tree.NewOptimal(clock.LogP{Ranks: 8, Latency: 2}, tree.Interleaved)
	require.EqualError(t, err, "clock: overhead o = 0 ticks, want 1 to 1099511627776")
	_, err = tree.NewOptimal(clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}, 2)
	require.ErrorContains(t, err, "tree: numbering 2")
	for _, root := range []int{-1, 8} {
		_, err = tree.WithRoot(tree.Binomial{Ranks: 8}, root)
		require.EqualError(t, err, fmt.Sprintf("tree: root %d, want 0 to 7", root))
	}
}
