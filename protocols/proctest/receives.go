package proctest

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var receiveCases = []Case{
	{Name: "receives of one rank are serialized by its port", on: logP(6), check: receivesAreSerialized},
	{Name: "a gap larger than the overhead spaces receives", on: gapped(6), check: receivesAreSerialized},
	{Name: "a long message takes the receive port no longer than a short one", on: logGP(6), check: receivesAreSerialized},
	{Name: "a message that arrives when the port gets free is received at once", on: slices.Concat(logP(4), gapped(4)), check: portGetsFree},
	{Name: "send and receive port work at the same time", on: slices.Concat(logP(2), gapped(2)), check: portsWorkAtOnce},
	{Name: "messages come in while the program waits", on: logP(2), check: messagesComeInMeanwhile},
	{Name: "receiving takes the program no time", on: logP(2), check: receivingTakesNoTime},
}

// Everybody sends rank 0 a message of the same length at 0.
func receivesAreSerialized(c *checker) {
	const length = 20
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() == 0 {
			return receiveMany(p, c.Ranks-1)
		}
		p.Send(0, mailbox.Message{Payload: strings.Repeat("x", length)})
		return nil
	})
	first := c.Delivery() + (length-1)*c.PerByte
	c.each("a message is received", times(got[0]), series(first, c.spacing(), c.Ranks-1))
}

// Two messages keep the receive port busy for twice the spacing; a third one arrives
// exactly then.
func portGetsFree(c *checker) {
	got := gather(c, func(p protocols.Proc) []receipt {
		switch p.Rank() {
		case 0:
			return receiveMany(p, 3)
		case 3:
			p.WaitUntil(2 * c.spacing())
		}
		p.Send(0, mailbox.Message{})
		return nil
	})
	c.each("a message is received", times(got[0]), series(c.Delivery(), c.spacing(), 3))
}

// Two ranks send each other more messages than fit into the time one is under way, so
// that both ports of both ranks are busy.
func portsWorkAtOnce(c *checker) {
	const messages = 12
	type observation struct{ returned, received []clock.Time }
	ranks := gather(c, func(p protocols.Proc) (o observation) {
		for range messages {
			p.Send(1-p.Rank(), mailbox.Message{})
			o.returned = append(o.returned, p.Now())
		}
		o.received = times(receiveMany(p, messages))
		return o
	})
	sent := series(c.Overhead, c.spacing(), messages)
	received := series(c.Delivery(), c.spacing(), messages)
	for i := range received {
		received[i] = max(received[i], sent[messages-1])
	}
	for _, o := range ranks {
		c.each("a send returns", o.returned, sent)
		c.each("a message is received", o.received, received)
	}
}

// A rank that waits until everything is there finds it all at once.
func messagesComeInMeanwhile(c *checker) {
	const messages = 10
	all := c.settled(c.Delivery() + (messages-1)*c.Overhead)
	type found struct {
		got  []receipt
		more bool
	}
	ranks := gather(c, func(p protocols.Proc) (f found) {
		if p.Rank() == 0 {
			for i := range messages {
				p.Send(1, number(i))
			}
			return f
		}
		p.WaitUntil(all)
		for range messages {
			if from, msg, ok := p.Poll(mailbox.Any); ok {
				f.got = append(f.got, receipt{p.Now(), from, msg})
			}
		}
		_, _, f.more = p.Poll(mailbox.Any)
		return f
	})
	same(c, "message found", values(ranks[1].got), count[int64](messages))
	if ranks[1].more && len(ranks[1].got) == messages {
		c.errorf("there are more than %d messages", messages)
	}
	for _, r := range ranks[1].got {
		c.waited("the message is found", r.at, all)
	}
}

// A rank that sends right after each receive does so at the instant of the receive.
func receivingTakesNoTime(c *checker) {
	const rounds = 5
	got := gather(c, func(p protocols.Proc) []receipt {
		var all []receipt
		for i := range rounds {
			if i > 0 || p.Rank() == 1 {
				all = append(all, receive(p, mailbox.Any))
			}
			p.Send(1-p.Rank(), number(i))
		}
		if p.Rank() == 0 {
			all = append(all, receive(p, mailbox.Any))
		}
		return all
	})
	c.each("rank 1 receives", times(got[1]), series(c.Delivery(), 2*c.Delivery(), rounds))
	c.each("rank 0 receives", times(got[0]), series(2*c.Delivery(), 2*c.Delivery(), rounds))
}
