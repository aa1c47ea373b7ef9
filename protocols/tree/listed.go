package tree

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// listed is a tree that is not computed but listed, which takes twelve bytes a rank.
//
// Invariants:
//  1. rank 0 is the root, and every parent has a lower number than its children;
//  2. the children of a rank stand side by side, in the order in which they are sent to.
type listed struct {
	name     string
	parents  []int32 // by rank; 0 for the root
	first    []int32 // by rank: where its children begin; they end where those of the next begin
	children []int32
}

// newListed lists the children of all ranks, nearest first or farthest first.
func newListed(name string, parents []int32, farthestFirst bool) *listed {
	others := parents[1:] // of all but the root
	t := &listed{name, parents, make([]int32, len(parents)+1), make([]int32, len(others))}
	for _, parent := range others {
		t.first[parent+1]++
	}
	for rank := range parents {
		t.first[rank+1] += t.first[rank]
	}
	free := slices.Clone(t.first)
	for i, parent := range others {
		t.children[free[parent]] = int32(i + 1)
		free[parent]++
	}
	for rank := range parents {
		if farthestFirst {
			slices.Reverse(t.below(rank))
		}
	}
	return t
}

// below are the children of a rank.
func (t *listed) below(rank int) []int32 { return t.children[t.first[rank]:t.first[rank+1]] }

func (t *listed) Size() int                   { return len(t.parents) }
func (t *listed) Root() int                   { return 0 }
func (t *listed) String() string              { return t.name }
func (t *listed) Parent(rank int) (int, bool) { return int(t.parents[rank]), rank != 0 }

func (t *listed) Child(rank, i int) (int, bool) {
	all := t.below(rank)
	if i >= len(all) {
		return 0, false
	}
	return int(all[i]), true
}

// Latency goes through all ranks once.
func (t *listed) Latency(p clock.LogP) clock.Time {
	spacing, delivery := p.Costs().Spacing, p.Delivery()
	reached := make([]clock.Time, len(t.parents))
	for rank := range t.parents {
		for i, child := range t.below(rank) {
			reached[child] = reached[rank] + clock.Time(i)*spacing + delivery
		}
	}
	return slices.Max(reached)
}
