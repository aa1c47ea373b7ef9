package gossip

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// end is T by the clock of a rank that has just got the message. A message carries when it was
// sent, in ticks since the root began; with clocks that agree, that is not needed.
func (g *Gossip) end(p protocols.Proc, msg mailbox.Message) clock.Time {
	switch {
	case g.Sharp:
		return g.Begin + g.Until
	case p.Rank() == g.Root:
		return p.Now() + g.Until
	}
	underWay := g.machine.Delivery() + g.costs.Stretch(msg.Bytes())
	return p.Now() - underWay - clock.Time(msg.A) + g.Until
}

// spreadForTime sends to others until the end, and waits until their last messages have come
// in, unless correction is sharp. It keeps few variables: a rank waits here, on its small stack.
func (g *Gossip) spreadForTime(p protocols.Proc, end clock.Time, msg mailbox.Message) {
	for n := 0; p.Now() < end && p.Size() > 1; n++ {
		g.hear(p)
		msg.A = int64(p.Now() - end + g.Until)
		if to := g.Partners(p, n); to != Nobody {
			p.Send(to, msg)
		}
		next := end - g.Until + clock.Time(msg.A) + g.costs.Spacing + g.costs.Stretch(msg.Bytes())
		p.WaitUntil(min(next, end))
	}
	if !g.Sharp {
		p.WaitUntil(end + g.machine.Latency + g.machine.Overhead)
	}
	g.hear(p)
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
