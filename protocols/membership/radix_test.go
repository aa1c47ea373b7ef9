package membership_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// grown is a tree that was built rank by rank, breadth first, with nothing calculated.
type grown struct {
	parent, level []int
	children      [][]int
}

// grow gives the next rank to the first one that has room for a child.
func grow(ranks, width int) grown {
	g := grown{parent: []int{-1}, level: []int{0}, children: make([][]int, ranks)}
	for rank, above := 1, 0; rank < ranks; rank++ {
		if len(g.children[above]) == width {
			above++
		}
		g.parent = append(g.parent, above)
		g.level = append(g.level, g.level[above]+1)
		g.children[above] = append(g.children[above], rank)
	}
	return g
}

// radices are the trees with 2, 4 and 8 children.
func radices(t *testing.T, check func(t *testing.T, r membership.Radix, g grown)) {
	for bits := 1; bits <= 3; bits++ {
		t.Run(fmt.Sprintf("%d children", 1<<bits), func(t *testing.T) {
			r := membership.Radix{Bits: bits}
			require.Equal(t, 1<<bits, r.Children())
			check(t, r, grow(1000, 1<<bits))
		})
	}
}

func TestRadixTreeIsFilledLevelByLevel(t *testing.T) {
	radices(t, func(t *testing.T, r membership.Radix, g grown) {
		for rank := range g.parent {
			require.Equal(t, g.level[rank], r.Level(rank), "level of %d", rank)
			require.Equal(t, g.level[rank]+1, r.Height(rank+1), "height with %d as the last", rank)
			for i, child := range g.children[rank] {
				require.Equal(t, child, r.Child(rank, i), "child %d of %d", i, rank)
				require.Equal(t, rank, r.Parent(child), "parent of %d", child)
			}
		}
		require.Zero(t, r.Height(0), "nobody is there")
	})
}

// The thesis counts from 1: its nodes 4, 5 and 11 are ranks 3, 4 and 10 (sections 3.1.3 and
// 3.1.4).
func TestNodesOfTheThesisAreWhereItsFiguresHaveThem(t *testing.T) {
	r := membership.Radix{Bits: 2}
	for _, tt := range []struct{ rank, parent, level int }{{3, 0, 1}, {4, 0, 1}, {10, 2, 2}} {
		require.Equal(t, tt.parent, r.Parent(tt.rank), "parent of %d", tt.rank)
		require.Equal(t, tt.level, r.Level(tt.rank), "level of %d", tt.rank)
	}
	require.Equal(t, 10, r.Child(r.Child(0, 1), 1), "second child of the root's second child")
	require.Equal(t, 2, r.Height(5), "full with five")
	require.Equal(t, 3, r.Height(6))
	require.Equal(t, 3, r.Height(21), "full with 21")
	require.Equal(t, 4, r.Height(22))
}

// The largest machines, and the widest trees, are no different.
func TestRadixArithmeticHoldsOnTheLargestMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := membership.Radix{Bits: rapid.IntRange(1, 16).Draw(t, "bits")}
		rank := rapid.IntRange(1, clock.MaxRanks-1).Draw(t, "rank")
		parent, level := r.Parent(rank), r.Level(rank)
		require.Equal(t, level-1, r.Level(parent))
		require.Equal(t, rank, r.Child(parent, rank-r.Child(parent, 0)))
	})
}
