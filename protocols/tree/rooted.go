package tree

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// WithRoot returns the tree with its ranks turned round the ring so that root is the root.
// Neighbours stay neighbours, so an interleaved tree stays interleaved.
func WithRoot(t Tree, root int) (Tree, error) {
	if root < 0 || root >= t.Size() {
		return nil, problems.New("tree", "root %d, want 0 to %d", root, t.Size()-1)
	}
	if root == t.Root() {
		return t, nil
	}
	shift := root - t.Root()
	if shift < 0 {
		shift += t.Size()
	}
	return rooted{t, shift}, nil
}

// rooted is a tree in which rank r plays the rank shift before it.
type rooted struct {
	tree  Tree
	shift int
}

func (t rooted) Size() int      { return t.tree.Size() }
func (t rooted) Root() int      { return t.played(t.tree.Root()) }
func (t rooted) String() string { return t.tree.String() }

func (t rooted) Child(rank, i int) (int, bool) {
	child, ok := t.tree.Child(t.plays(rank), i)
	return t.played(child), ok
}

func (t rooted) Parent(rank int) (int, bool) {
	parent, ok := t.tree.Parent(t.plays(rank))
	return t.played(parent), ok
}

func (t rooted) Latency(p clock.LogP) clock.Time { return Latency(t.tree, p) }

// plays is the rank of the inner tree that rank plays.
func (t rooted) plays(rank int) int {
	if rank < t.shift {
		return rank - t.shift + t.tree.Size()
	}
	return rank - t.shift
}

// played is the rank that plays a rank of the inner tree.
func (t rooted) played(rank int) int {
	if rank += t.shift; rank >= t.tree.Size() {
		return rank - t.tree.Size()
	}
	return rank
}
