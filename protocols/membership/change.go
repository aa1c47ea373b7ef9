package membership

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// change is a rank's part in a view change: it hands the change on to its children in the new
// tree, waits until they have acknowledged it, and then acknowledges it to its parent. The
// changes themselves say which one it is: there is no other with the same.
type change struct {
	busy     bool // it waits for children
	kind     mailbox.Kind
	changes  Changes
	parent   int // noParent for the root
	waiting  []awaited
	deadline clock.Time // the first of theirs
	began    clock.Time // the root: when it learnt of what has changed
	news     []int      // the root: new members, to be welcomed
}

const noParent = -1

// awaited is a child that has not acknowledged yet.
type awaited struct {
	peer     peer
	turn     int // how many were sent to before
	deadline clock.Time
}

// drop ends the waiting for some children.
func (c *change) drop(which func(peer) bool) {
	if len(c.waiting) > 0 {
		c.waiting = slices.DeleteFunc(c.waiting, func(a awaited) bool { return which(a.peer) })
		c.findDeadline()
	}
}

func (c *change) findDeadline() {
	c.deadline = clock.Never
	for _, a := range c.waiting {
		c.deadline = min(c.deadline, a.deadline)
	}
}

// lead begins a view change if there is news and the root's last one is over. One that another
// root has begun, which must have failed, does not go on.
func (m *member) lead() {
	if m.change.busy && m.change.parent == noParent || m.known == m.view {
		return
	}
	m.breakOff()
	m.regroup(newsOf(m.viewOf(m.view), m.known).change(), noParent, m.known)
}

// hearChange takes part in a view change. One that has nothing new is acknowledged at once: it
// was overtaken by another, and who waits for it is not to think that nobody is there. So is
// one that this rank was busy with when a newer one comes. One that it is busy with arrives for the second time, and
// is acknowledged when those below have it.
func (m *member) hearChange(from int, msg mailbox.Message) {
	changes := Changes(msg.Payload)
	switch {
	case !m.viewOf(changes).Has(m.proc.Rank()):
		return
	case m.change.busy && m.change.parent == from && m.change.changes == changes:
		return
	case m.in && m.view.Includes(changes):
		m.acknowledge(from, msg.Kind, changes)
		return
	}
	m.learn(changes)
	m.telling.note(m.viewOf(changes).Root(), changes)
	if !m.viewOf(m.known).Has(m.proc.Rank()) {
		return // somebody has said meanwhile that this rank has left
	}
	m.breakOff()
	m.regroup(msg.Kind, from, changes)
}

// breakOff ends the view change that the rank is busy with, because there is another.
func (m *member) breakOff() {
	if m.change.busy {
		m.change.waiting = nil
		m.complete()
	}
}

// regroup recalculates the view and hands the change on. Changes that leave out some of what
// this rank's view has already are handed on as well, but do not become its view: the root will
// learn from the acknowledgement what is missing, and begin another one.
func (m *member) regroup(kind mailbox.Kind, from int, changes Changes) {
	before := m.view
	m.change = change{busy: true, kind: kind, changes: changes, parent: from, began: m.proc.Now(), deadline: clock.Never}
	m.record.Last = Passage{Changes: changes, Parent: from, Learnt: m.proc.Now(), Slowest: -1, Turn: -1}
	m.proc.Step(StepRegroup)
	m.proc.WaitUntil(m.proc.Now() + m.options.Compute)
	m.record.Last.Computed = m.proc.Now()
	m.install(kind, changes)
	if from == noParent {
		m.change.news = m.welcomed(before, changes)
	}
	m.handOn()
}

// install makes the changes the rank's view, unless it has another that they do not include, or
// is no member, and so without a view: they may have been meant for a former life.
func (m *member) install(kind mailbox.Kind, changes Changes) {
	if !changes.Includes(m.view) || !m.in && !m.admitted(changes) {
		return
	}
	m.view = changes
	m.record.View = changes
	if !m.in {
		m.enter()
	}
	m.primary.tried = append(m.primary.tried, changes)
	m.proc.Step(StepInstall)
	m.record.Installed = append(m.record.Installed, Installed{At: m.proc.Now(), Term: m.record.Terms - 1, View: m.view, Kind: kind, Message: changes})
}

// handOn sends the change to the rank's children in the new tree, and waits for each as long as
// it may take if somebody fails below it.
func (m *member) handOn() {
	tree := m.viewOf(m.change.changes)
	children := tree.Children(m.proc.Rank(), nil)
	msg := mailbox.Message{
		Kind: m.change.kind, Epoch: m.change.changes.Digest(), A: int64(m.change.changes.Total()), Payload: string(m.change.changes),
	}
	for _, child := range children {
		m.proc.Send(child, msg)
		m.attend()
	}
	height := m.group.Height(m.group.Ranks)
	for turn, child := range children {
		patience := m.patience(height-m.group.Level(child), m.known)
		m.change.waiting = append(m.change.waiting, awaited{peer{child, tree.Changes.Number(child)}, turn, m.proc.Now() + patience})
	}
	m.change.findDeadline()
	m.forgetTheFailed()
	m.completeIfAlone()
}

// attend answers inquiries and reports that have come meanwhile: after many failures a family can
// be so large that a rank would be taken for failed before it has told all of it.
func (m *member) attend() {
	for {
		from, msg, ok := m.proc.Poll(mailbox.OfKinds(HowAreYou, RootFailure))
		if !ok {
			return
		}
		m.handle(from, msg)
	}
}

// completeIfAlone completes a change when there is nobody left to wait for.
func (m *member) completeIfAlone() {
	if m.change.busy && len(m.change.waiting) == 0 {
		m.complete()
	}
}

// complete ends this rank's part in a view change.
func (m *member) complete() {
	c := &m.change
	c.busy, c.deadline = false, clock.Never
	m.record.Last.Acknowledged = m.proc.Now()
	if c.parent != noParent {
		m.acknowledge(c.parent, c.kind, c.changes)
		return
	}
	stable := m.known == c.changes
	m.record.Led = append(m.record.Led, Led{c.began, m.proc.Now(), c.changes, stable})
	if stable {
		m.proc.Step(StepStable)
		m.declareStable(c.changes)
	}
	m.welcome(c.news)
}

// acknowledge tells a parent that all below have changed their view, and what else is known. That
// may be that the parent has been excluded meanwhile. A rank that is no member has not changed its own: the
// changes speak of a former life, or of a request that it takes for lost, and that one has left.
func (m *member) acknowledge(parent int, kind mailbox.Kind, changes Changes) {
	extra := m.known.Beyond(changes)
	if rank := m.proc.Rank(); !m.in {
		extra = extra.With(rank, changes.Number(rank)+1)
	}
	m.telling.told = m.telling.told.Merge(extra)
	m.proc.Send(parent, mailbox.Message{Kind: acknowledgement(kind), Epoch: changes.Digest(), Payload: string(extra)})
}

// hearAcknowledgement counts a child's acknowledgement, if it is that of the present change.
func (m *member) hearAcknowledgement(from int, msg mailbox.Message) {
	c := &m.change
	i := slices.IndexFunc(c.waiting, func(a awaited) bool { return a.peer.rank == from })
	if mine := c.busy && msg.Epoch == c.changes.Digest() && i >= 0; mine {
		m.noteSlowest(c.waiting[i])
		c.waiting = slices.Delete(c.waiting, i, i+1)
		c.findDeadline()
	}
	m.learn(Changes(msg.Payload))
	m.completeIfAlone()
}

// noteSlowest remembers the child that was heard last.
func (m *member) noteSlowest(a awaited) {
	m.record.Last.Slowest, m.record.Last.Turn, m.record.Last.Heard = a.peer.rank, a.turn, m.proc.Now()
}

// giveUpOnChildren suspects children that have not acknowledged in time. The root hears of them
// at once, the parent with the acknowledgement.
func (m *member) giveUpOnChildren(now clock.Time) {
	for _, a := range slices.Clone(m.change.waiting) {
		if a.deadline <= now {
			m.noteSlowest(a)
			m.suspect(a.peer)
		}
	}
	if root := m.viewOf(m.known).Root(); root != m.proc.Rank() {
		m.tell(root)
	}
	m.completeIfAlone()
}
