package membership

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// member is a rank at work. It does one thing at a time, as a single-threaded program does: it
// waits for the next message or deadline, and acts on what it then knows.
type member struct {
	*Service
	proc   protocols.Proc
	record *Record

	in    bool    // it is a member, and holds a view
	view  Changes // that view
	known Changes // all it has heard of; includes the view

	change   change
	telling  telling
	question question
	entry    entry
	primary  primary
	warned   map[peer]bool // ranks that were told that they are no members
	sent     int64         // messages that are numbered

	admissions map[int]int64 // the last request of each rank that was let in, by its number
}

// begin sets up the rank's state at its start.
func (m *member) begin() {
	m.change.deadline, m.telling = clock.Never, silent
	m.question.deadline, m.question.next, m.entry.deadline = clock.Never, clock.Never, clock.Never
	life := m.proc.Life()
	m.record.end(m.proc.Now())
	m.record.View = ""
	switch {
	case life > 0:
		m.entry.begin(NodeAlive, m.proc.Now())
	case m.proc.Rank() < m.group.Members:
		m.enter()
	default:
		m.awaitEntry()
	}
	m.planQuestions(life)
}

// enter makes the rank a member.
func (m *member) enter() {
	m.in = true
	m.record.begin(m.proc.Now())
	m.entry = entry{deadline: clock.Never}
	m.planInquiry()
}

// serve goes on until the end of the service, or until the rank leaves it. Deadlines count only
// when no message is left to be read: the one that was waited for may be among them.
func (m *member) serve() {
	for m.proc.Now() < m.options.Until && !m.done() {
		if m.in && !m.change.busy {
			m.record.goOn()
		}
		from, msg, ok := m.proc.RecvUntil(mailbox.Any, m.nextDeadline())
		if ok {
			m.handle(from, msg)
		} else {
			m.expire()
		}
		m.act()
	}
}

// done reports whether the rank has left the service before its end.
func (m *member) done() bool {
	if m.in && m.options.Abort && !m.change.busy && !m.primary.passes(&m.group, m.view) {
		m.abort()
	}
	return m.record.Aborted || m.entry.declined
}

// abort ends the service of a rank that must not go on. It is a member no more.
func (m *member) abort() {
	m.record.Aborted = true
	m.record.end(m.proc.Now())
}

// nextDeadline is when the rank has to act if no message comes.
func (m *member) nextDeadline() clock.Time {
	return min(m.options.Until, m.change.deadline, m.telling.deadline, m.telling.patience, m.question.deadline, m.question.next, m.entry.deadline)
}

// expire deals with whatever has been waited for too long.
func (m *member) expire() {
	now := m.proc.Now()
	if m.change.deadline <= now {
		m.giveUpOnChildren(now)
	}
	if m.telling.deadline <= now {
		m.giveUpOnRoot()
	}
	if m.telling.patience <= now {
		m.telling.doubtHearsay()
	}
	if m.question.deadline <= now {
		m.giveUpOnAnswer()
	}
	if m.question.next <= now {
		m.inquire(now)
	}
	if m.entry.deadline <= now {
		m.askForEntry()
	}
}

// act does what follows from what the rank knows: a root changes the view, others tell their
// root. Whoever is to become a member, and the root with that, has to announce it itself.
func (m *member) act() {
	if !m.in && m.admitted(m.known) && m.viewOf(m.known).Root() == m.proc.Rank() {
		m.enter()
	}
	if !m.in {
		return
	}
	m.completeIfAlone()
	known := m.viewOf(m.known)
	switch {
	case !known.Has(m.proc.Rank()):
		m.leave()
	case known.Root() == m.proc.Rank():
		m.lead()
	default:
		m.tell(known.Root())
	}
}

// viewOf is the group after these changes.
func (m *member) viewOf(c Changes) View { return View{&m.group, c} }

// learn adds to what is known. Who is known to have failed is not waited for any more.
func (m *member) learn(news Changes) {
	if m.known = m.known.Merge(news); news != "" {
		m.forgetTheFailed()
	}
}

// peer is somebody an answer is waited for. One that has failed and come back in the meantime
// is another, who was never asked.
type peer struct{ rank, number int }

// peer returns a rank as it is known now.
func (m *member) peer(rank int) peer { return peer{rank, m.known.Number(rank)} }

// gone reports whether a peer is not what it was.
func (m *member) gone(p peer) bool { return m.known.Number(p.rank) != p.number }

// suspect notes that somebody has failed, as far as can be told.
func (m *member) suspect(p peer) {
	if m.viewOf(m.known).Has(p.rank) && !m.gone(p) {
		m.proc.Step(StepSuspect)
		m.learn(m.known.With(p.rank, p.number+1))
	}
}

// forgetTheFailed ends all waiting for ranks that have failed, and may have come back.
func (m *member) forgetTheFailed() {
	m.change.drop(m.gone)
	if m.telling.deadline != clock.Never && m.gone(m.telling.to) {
		m.telling = silent
	}
	if m.question.deadline != clock.Never && m.gone(m.question.to) {
		m.question.deadline = clock.Never
		m.planNext()
	}
}

// number returns a number that no other message of this rank has, in none of its lives.
func (m *member) number() int64 {
	m.sent++
	return int64(m.proc.Life())<<lifeShift | m.sent
}

// lifeShift is where the life stands in a number.
const lifeShift = 32
