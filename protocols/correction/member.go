package correction

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// member is a rank's part in a failure-proof correction.
type member struct {
	p           protocols.Proc
	ring        Ring
	msg         mailbox.Message // as disseminated
	left, right flank
	leftNext    bool // whose turn it is
	alarm       bool // time for SOS
}

// flank is one side of a member: who is known there, and what was sent there.
type flank struct {
	known
	needed   int    // how many must be known on the other side before the final round
	sent     int    // in this round
	final    bool   // the final round has begun
	envelope string // what the next message to the other side carries
}

// stopped reports whether everything has been sent on this side. Who has gone round may stop if
// it knows of enough others, itself among them: it has told everybody of them. If none may fail,
// it is enough by itself.
func (s *flank) stopped(size int) bool {
	enough := len(s.distances) == s.limit || s.needed == 0
	return s.final && (s.passed(s.sent) || s.sent == size-1 && enough)
}

// open reports whether there is somebody to send to. A round is at most once round the ring.
func (s *flank) open(size int) bool { return !s.stopped(size) && s.sent < size-1 }

// join makes a member of a rank that got msg from another one.
func (f *failureProofOn) join(p protocols.Proc, from int, msg mailbox.Message) *member {
	side := flank{known: known{limit: f.Failures + 1}, needed: f.Failures}
	m := &member{p: p, ring: f.ring, msg: msg, left: side, right: side, leftNext: !f.RightFirst}
	if IsCorrection(msg.Kind) {
		m.msg = f.Open(msg)
		m.hear(from, msg)
	}
	m.address()
	return m
}

// address renews what messages carry: the ranks known on the side they come from.
func (m *member) address() {
	m.left.envelope = withRanks(m.ranks(&m.left), m.msg.Payload)
	m.right.envelope = withRanks(m.ranks(&m.right), m.msg.Payload)
	for _, sides := range [][2]*flank{{&m.left, &m.right}, {&m.right, &m.left}} {
		this, other := sides[0], sides[1]
		if !this.final && len(other.distances) >= this.needed {
			this.final, this.sent = true, 0
		}
	}
}

// ranks returns the ranks known on one side.
func (m *member) ranks(side *flank) []int {
	all := make([]int, 0, len(side.distances))
	for _, distance := range side.distances {
		if side == &m.left {
			all = append(all, m.ring.left(m.p.Rank(), int(distance)))
		} else {
			all = append(all, m.ring.right(m.p.Rank(), int(distance)))
		}
	}
	return all
}

// hear learns from a correction message who else has got the message.
func (m *member) hear(from int, msg mailbox.Message) {
	if msg.Kind == SOS {
		m.alarm = true
		return
	}
	listed, _ := splitRanks(msg)
	for _, rank := range append(listed, from) {
		if msg.Kind == Rightward {
			m.left.add(m.around(m.ring.distance(rank, m.p.Rank())))
		} else {
			m.right.add(m.around(m.ring.distance(m.p.Rank(), rank)))
		}
	}
}

// around is a distance at which a rank that hears of itself stands a whole ring away.
func (m *member) around(distance int) int {
	if distance == 0 {
		return m.ring.Size
	}
	return distance
}

// listen hears all messages that are there by now.
func (m *member) listen() {
	news := false
	for {
		from, msg, ok := hear(m.p, m.msg.Epoch)
		if !ok {
			break
		}
		m.hear(from, msg)
		news = true
	}
	if news {
		m.address()
	}
}

// await hears the next message; if none comes in time it is time for SOS.
func (m *member) await(until clock.Time) {
	from, msg, ok := m.p.RecvUntil(mailbox.OfKinds(FirstKind, LastKind).UpTo(m.msg.Epoch), until)
	switch {
	case !ok:
		m.alarm = true
	case msg.Epoch == m.msg.Epoch:
		m.hear(from, msg)
		m.address()
	}
}

// knows is how many ranks are known to have been reached by the dissemination.
func (m *member) knows() int {
	all := append(m.ranks(&m.left), m.ranks(&m.right)...)
	slices.Sort(all)
	return len(slices.Compact(all))
}

func (m *member) sendLeft() {
	m.left.sent++
	m.leftNext = false
	m.send(m.ring.left(m.p.Rank(), m.left.sent), Leftward, m.right.envelope)
}

func (m *member) sendRight() {
	m.right.sent++
	m.leftNext = true
	m.send(m.ring.right(m.p.Rank(), m.right.sent), Rightward, m.left.envelope)
}

func (m *member) send(to int, kind mailbox.Kind, payload string) {
	msg := m.msg
	msg.Kind, msg.Payload = kind, payload
	m.p.Send(to, msg)
}

// callAll sends SOS to everybody.
func (m *member) callAll() {
	payload := withRanks(nil, m.msg.Payload)
	for distance := 1; distance < m.ring.Size; distance++ {
		m.send(m.ring.right(m.p.Rank(), distance), SOS, payload)
	}
}
