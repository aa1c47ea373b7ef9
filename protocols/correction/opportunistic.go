package correction

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Opportunistic correction sends to a fixed number of neighbours and asks for nothing in
// return. It closes gaps of up to Messages ranks (Corrected Trees, section 3.1).
type Opportunistic struct {
	// Messages is how many each rank sends at most: half of them to the left, rounded
	// down, the rest to the right, or all of them one way.
	Messages  int
	Direction Direction
	// Optimized leaves out what a neighbour is known to send. On a message from the left,
	// nothing more goes left, and to the right only what lies beyond the sender's own
	// reach; and mirrored (section 3.3). Ranks that start at about the same time may leave the
	// same rank to each other, so it reaches fewer ranks than the plain correction where gaps
	// are large (docs/papers.md has cases); Cautious mends that.
	Optimized bool
	// Cautious, with Optimized, heeds only those who come before a rank, counted from the
	// root. No two ranks leave a third to each other then, nor do more of them in a circle:
	// everybody is reached whom the plain correction reaches. On interleaved trees those who
	// come before start earlier, so most of what is saved stays saved.
	Cautious bool
}

// Direction says which neighbours are sent to.
type Direction uint8

// Directions of opportunistic correction.
const (
	BothWays Direction = iota
	LeftOnly
	RightOnly
)

// String names the correction.
func (o *Opportunistic) String() string {
	switch {
	case o.Optimized && o.Cautious:
		return "cautious"
	case o.Optimized:
		return "optimized"
	}
	return "opportunistic"
}

// On goes with any ring.
func (o *Opportunistic) On(ring Ring) (Runner, error) {
	if o.Messages < 0 || o.Direction > RightOnly {
		return nil, problems.New("correction", "%d messages in direction %d, want 0 or more in direction 0 to %d", o.Messages, o.Direction, RightOnly)
	}
	return &opportunisticOn{*o, ring}, nil
}

// Longest is one message after the other, and the time that they may have to wait to be
// received.
func (o *opportunisticOn) Longest(machine clock.LogP) clock.Time {
	return machine.Costs().Spacing.Times(2*min(o.Messages, 2*o.ring.Size)) + machine.Delivery()
}

// opportunisticOn is opportunistic correction on a ring.
type opportunisticOn struct {
	Opportunistic
	ring Ring
}

// stretch is what is left to send on one side: places next to last.
type stretch struct{ next, last int }

func (s *stretch) empty() bool { return s.next > s.last }

// plan returns what a rank that has heard nothing has to send.
func (o *opportunisticOn) plan(rank int) (left, right stretch) {
	roomLeft, roomRight := o.ring.room(rank)
	toLeft, toRight := o.reach()
	return stretch{1, min(toLeft, roomLeft)}, stretch{1, min(toRight, roomRight)}
}

// reach is how far messages go to the left and to the right.
func (o *Opportunistic) reach() (left, right int) {
	switch o.Direction {
	case LeftOnly:
		return o.Messages, 0
	case RightOnly:
		return 0, o.Messages
	}
	return o.Messages / 2, o.Messages - o.Messages/2
}

// Run does this rank's part: right first, then alternating.
func (o *opportunisticOn) Run(p protocols.Proc, from int, msg mailbox.Message) {
	left, right := o.plan(p.Rank())
	o.heed(p.Rank(), from, msg.Kind, &left, &right)
	for turnRight := true; ; turnRight = !turnRight {
		o.listen(p, msg.Epoch, &left, &right)
		switch {
		case left.empty() && right.empty():
			return
		case !right.empty() && (turnRight || left.empty()):
			msg.Kind = Rightward
			p.Send(o.ring.right(p.Rank(), right.next), msg)
			right.next++
		default:
			msg.Kind = Leftward
			p.Send(o.ring.left(p.Rank(), left.next), msg)
			left.next++
		}
	}
}

// listen notes all correction messages that are there by now, if they matter.
func (o *opportunisticOn) listen(p protocols.Proc, epoch uint32, left, right *stretch) {
	if !o.Optimized {
		return
	}
	for {
		from, m, ok := hear(p, epoch)
		if !ok {
			return
		}
		o.heed(p.Rank(), from, m.Kind, left, right)
	}
}

// heed strikes out what the sender of a message sends itself.
func (o *opportunisticOn) heed(rank, from int, kind mailbox.Kind, left, right *stretch) {
	if !o.Optimized || o.Cautious && !o.ring.before(from, rank) {
		return
	}
	reachLeft, reachRight := o.reach()
	switch kind {
	case Leftward:
		right.last = 0
		left.next = max(left.next, reachLeft-o.ring.distance(rank, from)+1)
	case Rightward:
		left.last = 0
		right.next = max(right.next, reachRight-o.ring.distance(from, rank)+1)
	}
}
