package membership

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// entry is how a rank becomes a member: it asks those in the list, the root first, until one
// gives a receipt, and then waits for a view that it is part of.
type entry struct {
	kind     mailbox.Kind
	asked    int // the last one
	number   int64
	deadline clock.Time // of its receipt, then of the view
	answered bool       // somebody has given a receipt: there is a group
	granted  int        // as whom it has been admitted: the number of its changes; 0: not yet
	declined bool       // it stays away
}

// begin sets out to become a member at an instant.
func (e *entry) begin(kind mailbox.Kind, at clock.Time) {
	*e = entry{kind: kind, asked: -1, deadline: at}
}

// awaitEntry waits for the time to join, if there is one.
func (m *member) awaitEntry() {
	for _, j := range m.options.Joins {
		if j.Rank == m.proc.Rank() {
			m.entry.begin(NewNode, j.At)
		}
	}
}

// askForEntry asks the next one in the list of all ranks: this one does not know who has become
// a member or has failed while it was away.
func (m *member) askForEntry() {
	e := &m.entry
	if e.asked++; e.asked == m.proc.Rank() {
		e.asked++
	}
	switch last := e.asked >= m.group.Ranks; {
	case last && e.answered:
		e.asked, e.deadline, e.answered = -1, m.proc.Now(), false // once more
		return
	case last:
		m.found()
		return
	}
	m.proc.Step(StepJoin)
	e.number = m.number()
	m.proc.Send(e.asked, mailbox.Message{Kind: e.kind, Epoch: uint32(e.granted), A: e.number})
	e.deadline = m.proc.Now() + m.answer(m.known)
}

// found begins a group of one. There is no other: all ranks have been asked, and nobody has
// answered. Others who are looking for one will come to this one.
func (m *member) found() {
	m.proc.Step(StepFound)
	m.record.Founded++
	for rank := range m.group.Ranks {
		if m.viewOf(m.known).Has(rank) != (rank == m.proc.Rank()) {
			m.known = m.known.With(rank, m.known.Number(rank)+1)
		}
	}
	m.enter()
}

// received waits for the view, once somebody has taken the request.
func (e *entry) received(m *member, from int, msg mailbox.Message) {
	if e.deadline != clock.Never && from == e.asked && msg.A == e.number {
		e.answered, e.granted = true, int(msg.Epoch)
		m.primary = primary{base: Changes(msg.Payload)}
		e.deadline = m.proc.Now() + m.patience(2*m.group.Height(m.group.Ranks)+4, m.known)
	}
}

// admit takes a request of a rank to become a member. The receipt says as whom it comes, so
// that it does not take for its own what was meant for a former life. A request that arrives twice is no second one: numbers only grow.
func (m *member) admit(from int, msg mailbox.Message) {
	if !m.in {
		return // it will ask the next one
	}
	if msg.A <= m.admissions[from] {
		return
	}
	if m.admissions == nil {
		m.admissions = make(map[int]int64)
	}
	m.admissions[from] = msg.A
	number := m.admission(from, int(msg.Epoch), int(msg.A>>lifeShift))
	m.proc.Send(from, mailbox.Message{Kind: acknowledgement(msg.Kind), Epoch: uint32(number), A: msg.A, Payload: string(m.primary.base)})
	m.learn(m.known.With(from, number))
	if m.view.Number(from) == number {
		m.catchUp(from, msg)
	}
}

// catchUp tells a rank that asks once more the view that it has missed. Nobody else would: those who have
// it have no news, and whoever should have told the rank has failed.
func (m *member) catchUp(rank int, request mailbox.Message) {
	m.proc.Send(rank, mailbox.Message{Kind: JoinDetAck, Epoch: request.Epoch, A: request.A, Payload: string(m.view)})
}

// admission is as whom a rank becomes a member in one of its lives, if it has been granted a number
// before. One that is a member still, because nobody has noticed that it was away, leaves and comes in
// one. But one that asks once more, because whoever admitted it has failed, has never been away: it must
// not count as somebody who has left.
func (m *member) admission(rank, granted, life int) int {
	number := m.known.Number(rank)
	switch is := m.viewOf(m.known).Has(rank); {
	case is && number == granted:
	case is:
		number += 2
	default:
		number++
	}
	for number < max(granted, 2*life) {
		number += 2 // no two lives have the same, whoever admits them
	}
	return number
}

// admitted reports whether changes have this rank as the member that it has asked to be.
func (m *member) admitted(c Changes) bool {
	granted := m.entry.granted
	return granted > 0 && c.Number(m.proc.Rank()) >= granted && m.viewOf(c).Has(m.proc.Rank())
}

// welcomed lists the new members of a view change.
func (m *member) welcomed(before, after Changes) (ranks []int) {
	beyond, v := after.Beyond(before), m.viewOf(after)
	for i := range beyond.Len() {
		if rank, _ := beyond.At(i); rank != m.proc.Rank() && v.Has(rank) {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// welcome tells new members that the tree is stable.
func (m *member) welcome(ranks []int) {
	for _, rank := range ranks {
		if m.viewOf(m.known).Has(rank) {
			m.proc.Send(rank, mailbox.Message{Kind: JoinDetAck, Epoch: m.view.Digest(), A: int64(m.view.Total()), Payload: string(m.view)})
		}
	}
}

// hearWelcome makes the rank a member, unless the view change itself has done so before.
func (m *member) hearWelcome(msg mailbox.Message) {
	changes := Changes(msg.Payload)
	if m.in || !m.admitted(changes) {
		return
	}
	if m.learn(changes); m.admitted(m.known) {
		m.install(msg.Kind, changes)
	}
}

// hearOfExclusion is how a rank learns that others take it for failed, and ignore it. It gives in if
// these are half of its group, or more than its group: otherwise it is they who are mistaken, and
// hear about it.
func (m *member) hearOfExclusion(from int, msg mailbox.Message) {
	theirs, mine := m.viewOf(Changes(msg.Payload)), m.viewOf(m.known)
	if !m.in || theirs.Has(m.proc.Rank()) || theirs.Changes.Number(m.proc.Rank()) <= m.known.Number(m.proc.Rank()) {
		return
	}
	if mine.Has(from) && 2*theirs.Size() >= mine.Size() || precedes(theirs, mine) {
		m.known = theirs.Changes
		m.leave()
		return
	}
	m.warn(from, true)
}

// precedes decides between two groups that exclude each other.
func precedes(a, b View) bool {
	if a.Size() != b.Size() {
		return a.Size() > b.Size()
	}
	return a.Root() < b.Root()
}

// leave ends the membership of a rank that others have excluded. It may ask to come back.
func (m *member) leave() {
	m.proc.Step(StepExcluded)
	m.record.Excluded++
	m.in = false
	m.record.end(m.proc.Now())
	m.view = ""
	m.change = change{deadline: clock.Never}
	m.telling = silent
	m.question.deadline, m.question.next = clock.Never, clock.Never
	m.entry.begin(NodeAlive, m.proc.Now())
	m.entry.declined = m.options.Stay
}
