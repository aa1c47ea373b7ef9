package membership

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// primary is what a rank has to know that must not go on in two partitions at once: by which members it
// counts. It is that of dynamic voting. A view goes on only if it keeps more than half of the
// members of the last view that was stable, and of each that this rank has installed since, as that
// may have become stable without its hearing of it.
//
// No two views without a common member go on for long:
//
//  1. All members of a stable view have installed it, so each of them counts by it, or by a later one.
//  2. Let two views that go on have no member in common, and let the last stable views that their members
//     know of be A and B. If A is B, each has more than half of it, so they do have one in common.
//  3. Else one is later, say B; the stable views from A to B each keep more than half of the one
//     before. The first of them shares a member with the view that counts by A. That member has
//     installed it, so the view has more than half of it, too; and so of the next one, up to B: case 2.
//
// Whoever counts otherwise than its view's other members, and aborts, is soon found to be gone; those
// that are left count again. A rank that has left and come back counts as another: it has forgotten
// what it had installed.
type primary struct {
	base  Changes   // the last view that is known to have been stable
	tried []Changes // those installed since
	// passed is the last view that was found to go on. It still does so when another is known to be stable: fewer count then.
	passed Changes
}

// passes reports whether a view goes on, and looks only once.
func (p *primary) passes(g *Group, view Changes) bool {
	if view != p.passed && p.goesOn(g, view) {
		p.passed = view
	}
	return view == p.passed
}

// goesOn reports whether a view keeps more than half of the members of all views that count.
func (p *primary) goesOn(g *Group, view Changes) bool {
	return keepsMost(g, p.base, view) && !slices.ContainsFunc(p.tried, func(c Changes) bool { return !keepsMost(g, c, view) })
}

// keepsMost reports whether more than half of the members of one view are members of another.
func keepsMost(g *Group, of, view Changes) bool {
	size, lost := View{g, of}.Size(), 0
	for rank, numbers := range both(of, view) {
		if numbers[0] != numbers[1] && g.has(rank, numbers[0]) {
			lost++
		}
	}
	return 2*(size-lost) > size
}

// declareStable tells all members that all of them have installed a view, if they need to know.
func (m *member) declareStable(view Changes) {
	if m.options.Abort {
		m.hearStable(view)
	}
}

// hearStable counts by a view that is known to be stable, and passes that on. A view that does not go
// on does not count, even if all its members have it.
func (m *member) hearStable(view Changes) {
	p := &m.primary
	if i := slices.Index(p.tried, view); i >= 0 {
		if before := (primary{base: p.base, tried: p.tried[:i]}); before.goesOn(&m.group, view) {
			p.base, p.tried = view, p.tried[i+1:]
		}
	}
	for _, child := range m.viewOf(view).Children(m.proc.Rank(), nil) {
		m.proc.Send(child, mailbox.Message{Kind: ViewStable, Epoch: view.Digest(), A: int64(view.Total()), Payload: string(view)})
	}
}
