package gossip

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// spreadForTime sends to others until T, and waits until their last messages have come in. A
// message carries when it was sent, in ticks since the root began, so that a rank can tell from
// its first one when that was by its own clock.
func (g *Gossip) spreadForTime(p protocols.Proc, from int, msg mailbox.Message) {
	began := p.Now()
	if from != p.Rank() {
		began -= clock.Time(msg.A) + g.underWay(msg)
	}
	end := began + g.Until
	next := p.Now()
	for n := 0; next < end && p.Size() > 1; n++ {
		p.WaitUntil(next)
		g.hear(p)
		msg.A = int64(next - began)
		if to := g.Partners(p, n); to != Nobody {
			p.Send(to, msg)
		}
		next = max(p.Now(), next+g.costs.Spacing+g.costs.Stretch(msg.Bytes()))
	}
	p.WaitUntil(end + g.machine.Latency + g.machine.Overhead)
	g.hear(p)
}

// underWay is how long a message takes from the start of its send until its receiver has it.
func (g *Gossip) underWay(msg mailbox.Message) clock.Time {
	return g.machine.Delivery() + g.costs.Stretch(msg.Bytes())
}

// spreadForRounds sends to others until the last round. A message carries its round.
func (g *Gossip) spreadForRounds(p protocols.Proc, msg mailbox.Message) {
	for p.Size() > 1 {
		msg.A = max(msg.A, g.hear(p))
		if msg.A >= int64(g.Rounds) {
			return
		}
		msg.A++
		if to := g.Partners(p, int(msg.A)-1); to != Nobody {
			p.Send(to, msg)
		}
	}
}

// hear takes the gossip that has come in, so that it does not fill the mailbox, and returns the
// highest A among it. The message itself is known already.
func (g *Gossip) hear(p protocols.Proc) (highest int64) {
	for {
		_, msg, ok := p.Poll(mailbox.OfKind(Spread).UpTo(g.Epoch))
		switch {
		case !ok:
			return highest
		case msg.Epoch == g.Epoch:
			highest = max(highest, msg.A)
		}
	}
}
