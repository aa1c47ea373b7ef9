package membership

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// question is how a rank finds out that another has failed: it asks, one rank at a time, and
// waits for the answer.
type question struct {
	to       peer
	number   int64
	deadline clock.Time // of the answer
	next     clock.Time // when to ask the next one
	regular  clock.Time // when the next regular inquiry is due
	planned  []Question // this rank's own, in order
	probed   int        // who of those that have left was asked last
}

// planQuestions picks out what this rank is asked to inquire. A further life has missed some.
func (m *member) planQuestions(life int) {
	q := &m.question
	for _, question := range m.options.Questions {
		if question.From == m.proc.Rank() && (life == 0 || question.At > m.proc.Now()) {
			q.planned = append(q.planned, question)
		}
	}
	slices.SortStableFunc(q.planned, func(a, b Question) int { return cmp.Compare(a.At, b.At) })
	m.planNext()
}

// planInquiry begins regular inquiries.
func (m *member) planInquiry() {
	m.question.regular = clock.Never
	m.planRegular()
	m.planNext()
}

// planRegular decides when the next regular inquiry is due. Successors are asked one after the
// other: if all were asked at once, many failures would be reported at once, and the root would
// not get round to answering.
func (m *member) planRegular() {
	now := m.proc.Now()
	switch m.options.Inquiry {
	case Successor:
		m.question.regular = m.nextTurn(m.proc.Rank(), now)
	case Random:
		m.question.regular = now + 1 + clock.Time(m.proc.Rand().Int64N(int64(2*m.options.Every-1)))
	}
}

// nextTurn is when a rank next asks its successor, after an instant.
func (s *Service) nextTurn(rank int, now clock.Time) clock.Time {
	r, ranks, every := clock.Time(rank), clock.Time(s.group.Ranks), s.options.Every
	turn := every/ranks*r + every%ranks*r/ranks
	return now - (now-turn+every)%every + every
}

// planNext decides when to ask next. There is nothing to decide before the answer is there.
func (m *member) planNext() {
	q := &m.question
	q.next = clock.Never
	if !m.in || q.deadline != clock.Never {
		return
	}
	q.next = q.regular
	if len(q.planned) > 0 {
		q.next = min(q.next, q.planned[0].At)
	}
}

// inquire asks whoever is next.
func (m *member) inquire(now clock.Time) {
	q := &m.question
	var target int
	if len(q.planned) > 0 && q.planned[0].At <= now {
		target = q.planned[0].To
		q.planned = q.planned[1:]
	} else {
		target = m.anyone()
		m.planRegular()
		m.probe()
	}
	if known := m.viewOf(m.known); target != m.proc.Rank() && known.Has(target) {
		m.ask(target)
	}
	m.planNext()
}

// anyone chooses whom to ask, or this rank itself if there is no other.
func (m *member) anyone() int {
	known := m.viewOf(m.known)
	if m.options.Inquiry == Successor {
		return known.After(m.proc.Rank())
	}
	others := known.Size() - 1
	if others < 1 {
		return m.proc.Rank()
	}
	place := m.proc.Rand().IntN(others)
	if place >= known.Place(m.proc.Rank()) {
		place++
	}
	return known.Member(place)
}

// probe has a root ask one of those that are not members any more, a different one each time. Most
// of them have failed. But one that was only slow may have gone on with others in a group of its
// own: they will say so, and one of the groups gives in.
func (m *member) probe() {
	known := m.viewOf(m.known)
	if known.Root() != m.proc.Rank() {
		return
	}
	for range known.Changes.Len() {
		m.question.probed = (m.question.probed + 1) % known.Changes.Len()
		if rank, _ := known.Changes.At(m.question.probed); !known.Has(rank) {
			m.proc.Send(rank, mailbox.Message{Kind: HowAreYou, A: m.number(), Payload: string(m.known)})
			return
		}
	}
}

// ask sends an inquiry.
func (m *member) ask(target int) {
	q := &m.question
	q.to, q.number = m.peer(target), m.number()
	m.proc.Send(target, mailbox.Message{Kind: HowAreYou, A: q.number, Payload: string(m.known)})
	q.deadline = m.proc.Now() + m.answer(m.known)
}

// hearAnswer ends the waiting for an answer. No two questions of a rank have the same number.
func (m *member) hearAnswer(number int64) {
	if q := &m.question; q.deadline != clock.Never && number == q.number {
		q.deadline = clock.Never
		m.planNext()
	}
}

// giveUpOnAnswer suspects a rank that has not answered.
func (m *member) giveUpOnAnswer() {
	m.question.deadline = clock.Never
	m.suspect(m.question.to)
	m.planNext()
}
