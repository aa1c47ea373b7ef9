package broadcast

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// BinomialGraph is a broadcast over redundant paths, without acknowledgements or a failure
// detector: whoever gets the message for the first time passes it on to all its neighbours,
// in whatever state they are (Corrected Gossip, section IV-B, "Binomial Graphs").
//
// Invariants, with n = ceil(log2 P) dimensions:
//  1. The neighbours of rank p are p + 2^x mod P, for every x < n. So every live rank sends
//     n messages.
//  2. A rank reached over dimension x sends over x+1, x+2 and so on cyclically, over x last;
//     the root begins with 0. The messages that come first then go down a binomial tree. In a
//     fixed order every rank would begin with the same dimension, and most messages of a
//     round would reach whom another one has reached: on 4096 ranks with L=2, o=1 the last
//     rank is reached at 114 rather than 48.
//  3. n-1 failures of other ranks than the root, at any time, leave every live rank
//     reachable, for any P and not only for powers of two.
//
// Why 3: a rank that lives passes on to all neighbours, so it is enough that no n-1 ranks
// separate others from the root. Among the smallest sets that separate anybody in a Cayley
// graph is the neighbourhood of a subgroup (Hamidoune's theorem on atoms). The subgroup of one
// rank has n neighbours. That of the multiples of d < P, with m = P/d members, borders on at
// least c = ceil(log2 d) of its cosets, that is on m c ranks. With m >= 2 and c >= 1 that is no
// less than n: m c >= c + (m-1) >= ceil(log2 d) + ceil(log2 m) >= n.
type BinomialGraph struct {
	ranks, root int
	dimensions  int // n
	Epoch       uint32
}

// NewBinomialGraph returns a broadcast on ranks ranks.
func NewBinomialGraph(ranks, root int) (*BinomialGraph, error) {
	switch {
	case ranks < 1 || ranks > clock.MaxRanks:
		return nil, problems.New("broadcast", "binomial graph of %d ranks, want 1 to %d", ranks, clock.MaxRanks)
	case root < 0 || root >= ranks:
		return nil, problems.New("broadcast", "root %d, want 0 to %d", root, ranks-1)
	}
	return &BinomialGraph{ranks: ranks, root: root, dimensions: bits.Len(uint(ranks - 1))}, nil
}

// Tolerates is how many ranks besides the root may fail, at any time, without harm. One more
// can do harm, if they are all neighbours of the root and there are others.
func (g *BinomialGraph) Tolerates() int { return max(0, g.dimensions-1) }

// Program returns the broadcast of a message as a program of its own.
func (g *BinomialGraph) Program(msg mailbox.Message) protocols.Program {
	return protocols.Program{
		Main:       func(p protocols.Proc) { g.Run(p, msg) },
		Initiators: []int{g.root},
		KindName:   KindName,
	}
}

// Run does this rank's part and returns the root's message.
func (g *BinomialGraph) Run(p protocols.Proc, msg mailbox.Message) mailbox.Message {
	first := 0
	if p.Rank() == g.root {
		msg.Kind, msg.Epoch = Down, g.Epoch
	} else {
		var from int
		from, msg = protocols.RecvEpoch(p, mailbox.OfKind(Down), g.Epoch)
		first = g.dimension(from, p.Rank()) + 1
	}
	p.Step(StepColoured)
	for i := range g.dimensions {
		p.Send((p.Rank()+1<<((first+i)%g.dimensions))%g.ranks, msg)
	}
	return msg
}

// dimension returns x if the second rank is the neighbour of the first over x.
func (g *BinomialGraph) dimension(from, to int) int {
	return bits.TrailingZeros(uint((to - from + g.ranks) % g.ranks))
}
