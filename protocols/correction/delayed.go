package correction

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Delayed correction saves messages when nobody has failed: a rank sends one message to the
// left and gives its right neighbour time to do the same. Only if that stays silent does it
// send to the right, further and further, until it finds somebody who answers (Corrected
// Trees, section 3.3).
type Delayed struct {
	// Delay is how long a rank waits for its right neighbour, from the end of its own
	// message to the left. Too short a delay costs messages, nothing else.
	Delay clock.Time
	// Patience is how long a rank then stays to answer a rank on its left that looks for
	// it. One that has gone cannot be found; the other goes on to the next.
	Patience clock.Time
}

// NewDelayed returns a delayed correction for the machine. Ranks stay long enough to be
// found across the whole ring.
func NewDelayed(machine clock.LogP, delay clock.Time) *Delayed {
	return &Delayed{delay, machine.Costs().Spacing.Times(machine.Ranks) + 2*machine.Delivery()}
}

// UsualDelay is the shortest delay in which a neighbour that starts at the same time, and
// has not failed, can be heard.
func UsualDelay(machine clock.LogP) clock.Time { return machine.Latency + machine.Overhead }

// String names the correction.
func (*Delayed) String() string { return "delayed" }

// On goes with any ring.
func (d *Delayed) On(ring Ring) (Runner, error) {
	if d.Delay < 0 || d.Patience < 0 {
		return nil, problems.New("correction", "delay = %d and patience = %d ticks, want 0 or more", d.Delay, d.Patience)
	}
	return &delayedOn{*d, ring}, nil
}

// Longest is the wait, the search and the time to stay.
func (d *delayedOn) Longest(machine clock.LogP) clock.Time {
	return d.Delay + d.Patience + machine.Costs().Spacing.Times(3*d.ring.Size) + machine.Delivery()
}

// delayedOn is delayed correction on a ring.
type delayedOn struct {
	Delayed
	ring Ring
}

// Run does this rank's part.
func (d *delayedOn) Run(p protocols.Proc, from int, msg mailbox.Message) {
	roomLeft, roomRight := d.ring.room(p.Rank())
	s := search{p: p, msg: msg, found: msg.Kind == Leftward}
	if roomLeft > 0 {
		s.send(d.ring.left(p.Rank(), 1), Leftward)
	}
	if msg.Kind == Rightward {
		s.answer(from)
	}
	s.listen(p.Now() + d.Delay)
	for distance := 1; !s.found && distance <= roomRight; distance++ {
		s.send(d.ring.right(p.Rank(), distance), Rightward)
		s.listen(p.Now())
	}
	s.stay(p.Now() + d.Patience)
}

// search is a rank's part in a delayed correction.
type search struct {
	p        protocols.Proc
	msg      mailbox.Message
	found    bool // somebody on the right lives
	answered bool // somebody on the left has found this rank, and knows
}

func (s *search) send(to int, kind mailbox.Kind) {
	s.msg.Kind = kind
	s.p.Send(to, s.msg)
}

// answer tells a rank on the left that it may stop.
func (s *search) answer(from int) {
	s.send(from, Leftward)
	s.answered = true
}

// listen waits until the instant, or until the right side is known to be alive.
func (s *search) listen(until clock.Time) {
	for !s.found && s.heed(until) {
	}
}

// stay waits for a rank on the left that looks for this one.
func (s *search) stay(until clock.Time) {
	for !s.answered && s.heed(until) {
	}
}

// heed takes the next message, if one comes in time.
func (s *search) heed(until clock.Time) (came bool) {
	from, m, ok := s.p.RecvUntil(mailbox.OfKinds(FirstKind, LastKind).UpTo(s.msg.Epoch), until)
	switch {
	case !ok || m.Epoch != s.msg.Epoch: // late ones are dropped
	case m.Kind == Leftward:
		s.found = true
	case m.Kind == Rightward:
		s.answer(from)
	}
	return ok
}
