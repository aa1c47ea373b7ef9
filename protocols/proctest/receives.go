package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var receiveCases = []Case{
	{Name: "receives of one rank are serialized by its port", on: logP(6), check: traffic(manyToOne)},
	{Name: "a gap larger than the overhead spaces receives", on: gapped(6), check: traffic(manyToOne)},
	{Name: "a long message takes the receive port no longer than a short one", on: logGP(6), check: traffic(manyToOne)},
	{Name: "a message that arrives when the port gets free is received at once", on: slices.Concat(logP(4), gapped(4)), check: traffic(portGetsFree)},
	{Name: "send and receive port work at the same time", on: slices.Concat(logP(2), gapped(2)), check: traffic(bothSendAtOnce)},
	{Name: "messages come in while the program waits", on: logP(2), check: messagesComeInMeanwhile},
	{Name: "receiving takes the program no time", on: logP(2), check: receivingTakesNoTime},
}

// Everybody sends rank 0 a message of the same length at 0.
func manyToOne(c *checker) (all []errand) {
	for from := 1; from < c.Ranks; from++ {
		all = append(all, errand{from: from, bytes: 20})
	}
	return all
}

// Two messages keep the receive port busy for twice the spacing; a third one arrives
// exactly then.
func portGetsFree(c *checker) []errand {
	return []errand{{from: 1}, {from: 2}, {from: 3, at: 2 * c.spacing()}}
}

// Two ranks send each other more messages than fit into the time one is under way, so
// that both ports of both ranks are busy.
func bothSendAtOnce(*checker) (all []errand) {
	for range 12 {
		all = append(all, errand{from: 0, to: 1}, errand{from: 1, to: 0})
	}
	return all
}

// A rank that waits until everything is there finds it all at once.
func messagesComeInMeanwhile(c *checker) {
	const messages = 10
	all := c.settled(c.Delivery() + (messages-1)*c.Overhead)
	type found struct {
		Got  []receipt
		More bool
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
				f.Got = append(f.Got, receipt{p.Now(), from, msg})
			}
		}
		_, _, f.More = p.Poll(mailbox.Any)
		return f
	})
	same(c, "message found", values(ranks[1].Got), count[int64](messages))
	if ranks[1].More && len(ranks[1].Got) == messages {
		c.errorf("there are more than %d messages", messages)
	}
	for _, r := range ranks[1].Got {
		c.waited("the message is found", r.At, all)
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
