package tree

import "github.com/mangrove-emu/mangrove/clock"

// Tree is a dissemination tree over ranks 0 to Size()-1.
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

// Latency is how long the tree takes to reach everybody when nobody fails: the end of the
// last receive. Each rank sends from the end of its receive on, without pause. A tree that
// has a method Latency knows without being walked.
func Latency(t Tree, p clock.LogP) clock.Time {
	if known, ok := t.(interface{ Latency(clock.LogP) clock.Time }); ok {
		return known.Latency(p)
	}
	return WalkLatency(t, p)
}

// WalkLatency is Latency by visiting every rank.
func WalkLatency(t Tree, p clock.LogP) clock.Time { return latencyBelow(t, p, t.Root(), 0) }

func latencyBelow(t Tree, p clock.LogP, rank int, reached clock.Time) clock.Time {
	last := reached
	sendPort := clock.SendPort{}
	costs := p.Costs()
	for i := 0; ; i++ {
		child, ok := t.Child(rank, i)
		if !ok {
			return last
		}
		start := sendPort.Start(reached)
		sendPort.Send(start, 1, &costs)
		last = max(last, latencyBelow(t, p, child, start+p.Delivery()))
	}
}
