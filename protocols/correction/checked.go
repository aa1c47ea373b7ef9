package correction

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Checked correction sends further and further left and right until it has heard, on each
// side, from a rank it has already reached. Everybody in between has then been reached by
// one of the two, whatever the size of the gap, as long as nobody fails meanwhile
// (Corrected Trees, section 3.1).
type Checked struct{}

// String names the correction.
func (*Checked) String() string { return "checked" }

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

// Run does this rank's part: left first, then always the open side with fewer sends.
func (*Checked) Run(p protocols.Proc, msg mailbox.Message) {
	r := ring{p.Size()}
	if r.size == 1 {
		return // no neighbours
	}
	var left, right side
	for {
		listen(p, r, msg.Epoch, &left, &right)
		if left.sent+right.sent >= r.size {
			return // the two sides have met: one rank got a message from both
		}
		switch {
		case left.closed() && right.closed():
			return
		case !left.closed() && (right.closed() || left.sent <= right.sent):
			left.sent++
			msg.Kind = Leftward
			p.Send(r.left(p.Rank(), left.sent), msg)
		default:
			right.sent++
			msg.Kind = Rightward
			p.Send(r.right(p.Rank(), right.sent), msg)
		}
	}
}

// listen receives all correction messages that are there by now. Others are not touched;
// those of other epochs are late and dropped.
func listen(p protocols.Proc, r ring, epoch uint32, left, right *side) {
	for {
		from, m, ok := p.Poll(mailbox.OfKinds(Leftward, Rightward))
		switch {
		case !ok:
			return
		case m.Epoch != epoch:
		case m.Kind == Leftward:
			right.hear(r.distance(p.Rank(), from))
		case m.Kind == Rightward:
			left.hear(r.distance(from, p.Rank()))
		}
	}
}
