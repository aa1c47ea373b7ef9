package correction

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Checked correction sends further and further left and right until it has heard, on each
// side, from a rank it has already reached. Everybody in between has then been reached by
// one of the two, whatever the size of the gap, as long as nobody fails meanwhile
// (Corrected Trees, section 3.1).
type Checked struct {
	// RightFirst begins on the right, as Corrected Gossip does; Corrected Trees begin on the
	// left.
	RightFirst bool
}

// String names the correction.
func (Checked) String() string { return "checked" }

// On goes with any ring.
func (c Checked) On(ring Ring) (Runner, error) { return &checkedOn{c, ring}, nil }

// checkedOn is checked correction on a ring.
type checkedOn struct {
	Checked
	ring Ring
}

// Longest is once round, and the time that messages may have to wait to be received.
func (c *checkedOn) Longest(machine clock.LogP) clock.Time {
	return machine.Costs().Spacing.Times(3*c.ring.Size) + machine.Delivery()
}

// side is one direction of checked correction, in ranks.
type side struct {
	sent    int // messages sent: the farthest rank reached
	nearest int // distance of the nearest rank heard from; 0 if none
}

// closed reports whether everybody up to the nearest rank heard from has been reached.
func (s *side) closed() bool { return s.nearest != 0 && s.sent >= s.nearest }

// hear notes a message from that far away.
func (s *side) hear(distance int) {
	if s.nearest == 0 || distance < s.nearest {
		s.nearest = distance
	}
}

// sides is what a rank knows of both its sides.
type sides struct{ left, right side }

// hear notes a correction message. Its kind says which side it comes from.
func (s *sides) hear(ring *Ring, rank, from int, kind mailbox.Kind) {
	switch kind {
	case Leftward:
		s.right.hear(ring.distance(rank, from))
	case Rightward:
		s.left.hear(ring.distance(from, rank))
	}
}

// listen notes all correction messages that are there by now.
func (s *sides) listen(p protocols.Proc, ring *Ring, epoch uint32) {
	for {
		from, m, ok := hear(p, epoch)
		if !ok {
			return
		}
		s.hear(ring, p.Rank(), from, m.Kind)
	}
}

// leftIsNext reports whether the left side is to go on, if both are open: the one with fewer
// sends.
func (c *checkedOn) leftIsNext(s *sides) bool {
	return s.left.sent < s.right.sent || s.left.sent == s.right.sent && !c.RightFirst
}

// Run does this rank's part.
func (c *checkedOn) Run(p protocols.Proc, from int, msg mailbox.Message) {
	if c.ring.Size == 1 {
		return // no neighbours
	}
	var s sides
	s.hear(&c.ring, p.Rank(), from, msg.Kind)
	roomLeft, roomRight := c.ring.room(p.Rank())
	for {
		s.listen(p, &c.ring, msg.Epoch)
		if s.left.sent+s.right.sent >= c.ring.Size {
			return // the two sides have met: one rank got a message from both
		}
		// On a ring the sides meet before room runs out; on a chain it ends a side.
		leftOpen := !s.left.closed() && (s.left.sent < roomLeft || !c.ring.Chain)
		rightOpen := !s.right.closed() && (s.right.sent < roomRight || !c.ring.Chain)
		switch {
		case !leftOpen && !rightOpen:
			return
		case leftOpen && (!rightOpen || c.leftIsNext(&s)):
			s.left.sent++
			msg.Kind = Leftward
			p.Send(c.ring.left(p.Rank(), s.left.sent), msg)
		default:
			s.right.sent++
			msg.Kind = Rightward
			p.Send(c.ring.right(p.Rank(), s.right.sent), msg)
		}
	}
}
