package tree

import (
	"iter"

	"github.com/mangrove-emu/mangrove/clock"
)

// Tree is a dissemination tree over ranks 0 to Size()-1. It never changes and is safe for
// concurrent use.
//
// Invariants:
//  1. every rank but the root is the child of exactly one rank, its Parent;
//  2. following Parent leads from every rank to the root.
type Tree interface {
	// Size is the number of ranks.
	Size() int
	// Root is the rank that everything starts from.
	Root() int
	// Child returns the i-th rank, from 0, that rank sends to; ok is false if there are
	// not that many.
	Child(rank, i int) (child int, ok bool)
	// Parent returns the rank that sends to rank; ok is false for the root.
	Parent(rank int) (parent int, ok bool)
	// String names the tree as in a run line.
	String() string
}

// Children are the ranks that rank sends to, in order.
func Children(t Tree, rank int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; ; i++ {
			if child, ok := t.Child(rank, i); !ok || !yield(child) {
				return
			}
		}
	}
}

// Latency is how long the tree takes to reach everybody when nobody fails: the end of the
// last receive. Each rank sends from the end of its receive on, without pause. A tree that
// has a method Latency knows without being walked. It is clock.Forever at most.
func Latency(t Tree, p clock.LogP) clock.Time {
	if tooLong(t, p) {
		return clock.Forever
	}
	return min(clock.Forever, latency(t, p))
}

// tooLong reports whether the latency is so far beyond what instants can express that computing it would overflow. All
// costs divided by 2^20, rounded down, take 2^20 times less long or a little less, which can be computed for any tree.
func tooLong(t Tree, p clock.LogP) bool {
	const shift = 20
	if max(p.Latency, p.Overhead, p.Gap).Times(4*p.Ranks) < clock.Forever {
		return false
	}
	p.Latency, p.Overhead, p.Gap = p.Latency>>shift, p.Overhead>>shift, p.Gap>>shift
	return latency(t, p) >= clock.Forever>>shift
}

func latency(t Tree, p clock.LogP) clock.Time {
	if known, ok := t.(interface{ Latency(clock.LogP) clock.Time }); ok {
		return known.Latency(p)
	}
	return walkLatency(t, p)
}

// Depth is the number of messages on the way from the root to rank.
func Depth(t Tree, rank int) int {
	for depth := 0; ; depth++ {
		parent, ok := t.Parent(rank)
		if !ok {
			return depth
		}
		rank = parent
	}
}

// Subtree is the number of ranks that hear of the message through rank, itself included. A
// tree that has a method Subtree knows without being walked.
func Subtree(t Tree, rank int) int {
	if known, ok := t.(interface{ Subtree(int) int }); ok {
		return known.Subtree(rank)
	}
	return walkSubtree(t, rank)
}
