package broadcast

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// MultiTree is a broadcast over several trees at once, each over all ranks, in which every
// rank but the root has children in one tree at most. A rank that gets the message, in
// whatever tree, passes it on in the tree where it has children (Corrected Trees, section
// 5, about multi-tree approaches).
//
// Invariants, with d = Trees:
//  1. The ranks but the root, counted from the root, are dealt out to the trees in turn:
//     only those of tree j have children in tree j.
//  2. Within a tree, ranks stand in the order of a heap, those with children first. So the
//     failure of a rank breaks one tree, and d-1 failures leave one tree whole.
type MultiTree struct {
	ranks, trees, arity, root int
	Epoch                     uint32
}

// NewMultiTree returns a broadcast on ranks ranks. Every rank has up to arity children, at
// least as many as there are trees: else a tree's own ranks do not suffice to reach the
// others.
func NewMultiTree(ranks, trees, arity, root int) (*MultiTree, error) {
	switch {
	case ranks < 1 || ranks > clock.MaxRanks:
		return nil, problems.New("broadcast", "multi-tree of %d ranks, want 1 to %d", ranks, clock.MaxRanks)
	case trees < 1 || trees > max(1, ranks-1):
		return nil, problems.New("broadcast", "%d trees over %d ranks, want 1 to %d", trees, ranks, max(1, ranks-1))
	case arity < trees || arity > clock.MaxRanks:
		return nil, problems.New("broadcast", "arity %d of %d trees, want %d to %d", arity, trees, trees, clock.MaxRanks)
	case root < 0 || root >= ranks:
		return nil, problems.New("broadcast", "root %d, want 0 to %d", root, ranks-1)
	}
	return &MultiTree{ranks: ranks, trees: trees, arity: arity, root: root}, nil
}

// Tolerates is how many ranks besides the root may fail, at any time, without harm.
func (m *MultiTree) Tolerates() int { return m.trees - 1 }

// Program returns the broadcast of a message as a program of its own.
func (m *MultiTree) Program(msg mailbox.Message) protocols.Program {
	return protocols.Program{
		Main:       func(p protocols.Proc) { m.Run(p, msg) },
		Initiators: []int{m.root},
		KindName:   KindName,
	}
}

// Run does this rank's part and returns the root's message.
func (m *MultiTree) Run(p protocols.Proc, msg mailbox.Message) mailbox.Message {
	if p.Rank() == m.root {
		msg.Kind, msg.Epoch = Down, m.Epoch
		p.Step(StepColoured)
		m.feed(p, msg)
		return msg
	}
	_, msg = protocols.RecvEpoch(p, mailbox.OfKind(Down), m.Epoch)
	p.Step(StepColoured)
	member := (p.Rank() - m.root - 1 + m.ranks) % m.ranks
	m.sendTo(p, msg, member%m.trees, m.arity*(member/m.trees)+1, m.arity)
	return msg
}

// feed is the root's part: the first rank of each tree, and those at the end of the heap
// that the tree's own ranks do not reach.
func (m *MultiTree) feed(p protocols.Proc, msg mailbox.Message) {
	for tree := range m.trees {
		m.sendTo(p, msg, tree, 0, 1)
	}
	for tree := range m.trees {
		m.sendTo(p, msg, tree, max(1, m.arity*m.inner(tree)+1), m.ranks)
	}
}

// sendTo sends to a number of places in the heap of a tree.
func (m *MultiTree) sendTo(p protocols.Proc, msg mailbox.Message, tree, first, count int) {
	for place := first; place < min(first+count, m.ranks-1); place++ {
		p.Send((m.member(tree, place)+m.root+1)%m.ranks, msg)
	}
}

// inner is how many ranks may have children in a tree.
func (m *MultiTree) inner(tree int) int { return (m.ranks - 1 - tree + m.trees - 1) / m.trees }

// member returns who stands at a place in the heap of a tree, counted from the root.
func (m *MultiTree) member(tree, place int) int {
	if place < m.inner(tree) {
		return tree + place*m.trees
	}
	others := m.trees - 1 // of all that are dealt out in one turn
	place -= m.inner(tree)
	member := place/others*m.trees + place%others
	if place%others >= tree {
		member++
	}
	return member
}
