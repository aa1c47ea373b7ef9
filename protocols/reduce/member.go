package reduce

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// member is a rank that is not the root, at work. It lives on the heap: what a rank keeps
// on its stack while it waits decides how large the stack of a million ranks is.
type member struct {
	*Reduce
	p              protocols.Proc
	tree           tree.Tree // of its subtree
	group, subtree int

	// parts begins with the member's own value, and is kept in the order of the senders' ranks once there are others. What
	// it receives needs no more order than that: those it is in charge of come before its children, and
	// these in the order of what they stand for.
	parts []part
	mates int // how many values it is in charge of, its own excluded
	below int // how many children it has
}

// join makes a rank a member with nothing but its own value.
func (r *Reduce) join(p protocols.Proc, own Value) *member {
	m := &member{Reduce: r, p: p}
	m.group, m.subtree = r.place(p.Rank())
	m.tree = r.trees[r.size(m.subtree)-r.groups]
	low, high := r.charges(p.Rank())
	m.mates, m.below = high-low-1, children(m.tree, m.group)
	m.parts = make([]part, 1, 1+m.mates+m.below)
	m.parts[0] = part{p.Rank(), own}
	return m
}

// offer sends the member's value to its mates. Each begins with the one behind itself, so
// that all of them get one message at a time.
func (m *member) offer() {
	for i := 1; i < m.width; i++ {
		subtree := (m.subtree + i) % m.width
		m.send(m.p, m.inCharge(m.p.Rank(), subtree), Contribution, m.parts[0].value)
	}
}

// patience is the instant until which the member waits for its children.
func (m *member) patience() clock.Time {
	return m.Begin + m.wait.ofDepth(tree.Depth(m.tree, m.group))
}

// gather adds so many wanted messages of this operation to the parts, which have room for
// them. One that arrives twice counts once. It ends early at the deadline, or on hearing that a part is broken; whole is false
// then.
func (m *member) gather(missing int, want mailbox.Want, until clock.Time) (whole bool) {
	want = want.UpTo(m.Epoch)
	for missing > 0 {
		from, msg, ok := m.p.RecvUntil(want, until)
		if !ok {
			return false
		}
		if msg.Epoch != m.Epoch {
			continue // late
		}
		if msg.Kind == Broken {
			return false
		}
		if m.add(from, msg.A, msg.Payload) {
			missing--
		}
	}
	return true
}

// add adds a value to the parts, in its place, unless its sender has brought one before.
func (m *member) add(from int, a int64, payload string) (added bool) {
	i := len(m.parts)
	for i > 0 && m.parts[i-1].from > from {
		i--
	}
	if i > 0 && m.parts[i-1].from == from {
		return false
	}
	m.parts = slices.Insert(m.parts, i, part{from, Value{a, payload}})
	return true
}

// report sends up what the member has combined, or that it is broken.
func (m *member) report(whole bool) {
	if !whole {
		m.send(m.p, m.above(), Broken, Value{})
		return
	}
	m.send(m.p, m.above(), Partial, m.operation.fold(m.parts))
}

// above returns the rank that the member reports to.
func (m *member) above() int {
	parent, ok := m.tree.Parent(m.group)
	if !ok {
		return m.root
	}
	return m.at(parent, m.subtree)
}
