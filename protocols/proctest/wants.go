package proctest

import (
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var wantCases = []Case{
	{Name: "a receive by sender leaves other messages in the mailbox in order", on: simple(3), check: receiveBySender},
	{Name: "a receive by kind leaves other messages in the mailbox in order", on: simple(2), check: receiveByKind},
	{Name: "a receive by sender and kind wants both", on: simple(3), check: receiveBySenderAndKind},
	{Name: "a receive up to an epoch leaves later ones in the mailbox", on: simple(2), check: receiveUpToEpoch},
	{Name: "a receive does not end before a wanted message comes", on: logP(2), check: waitsForTheWanted},
	{Name: "RecvUntil and Poll do not take what they do not want", on: logP(2), check: unwantedIsNotTaken},
	{Name: "None accepts no message", on: logP(2), check: noneAcceptsNothing},
}

// picks runs a receiver, the highest rank, against senders that send messages of these
// kinds, numbered in order, and returns what the receiver gets for its wants.
func picks(c *checker, kinds []mailbox.Kind, wants ...mailbox.Want) []receipt {
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() < c.Ranks-1 {
			for i, kind := range kinds {
				p.Send(c.Ranks-1, mailbox.Message{Kind: kind, A: int64(i)})
			}
			return nil
		}
		var all []receipt
		for _, want := range wants {
			all = append(all, receive(p, want))
		}
		return all
	})
	return got[c.Ranks-1]
}

// Rank 0 and kind 0 are the ones a machine might mistake for "any".
func receiveBySender(c *checker) {
	got := picks(c, make([]mailbox.Kind, 3),
		mailbox.From(1), mailbox.From(0), mailbox.From(0), mailbox.From(0), mailbox.Any, mailbox.From(1))
	same(c, "sender", senders(got), []int{1, 0, 0, 0, 1, 1})
	same(c, "message", values(got), []int64{0, 0, 1, 2, 1, 2})
}

func receiveByKind(c *checker) {
	got := picks(c, []mailbox.Kind{3, 0, 254, 0, 3, 254},
		mailbox.OfKind(254), mailbox.OfKind(0), mailbox.OfKind(254), mailbox.Any, mailbox.Any, mailbox.Any)
	same(c, "message", values(got), []int64{2, 1, 5, 0, 3, 4})
}

func receiveBySenderAndKind(c *checker) {
	got := picks(c, []mailbox.Kind{0, 1, 0, 1},
		mailbox.From(1).OfKind(1), mailbox.From(0).OfKind(0), mailbox.From(0).OfKind(0),
		mailbox.From(0), mailbox.From(1).OfKind(1), mailbox.OfKind(1), mailbox.Any, mailbox.From(1))
	same(c, "sender", senders(got), []int{1, 0, 0, 0, 1, 0, 1, 1})
	same(c, "message", values(got), []int64{1, 0, 2, 1, 3, 3, 0, 2})
}

func receiveUpToEpoch(c *checker) {
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() == 0 {
			for _, epoch := range []uint32{3, 0, 1, 2, math.MaxUint32} {
				p.Send(1, mailbox.Message{Epoch: epoch, A: int64(epoch)})
			}
			return nil
		}
		var all []receipt
		for _, want := range []mailbox.Want{
			mailbox.Any.UpTo(0), mailbox.OfKind(0).UpTo(2), mailbox.From(0).UpTo(2), mailbox.Any, mailbox.Any,
		} {
			all = append(all, receive(p, want))
		}
		return all
	})
	same(c, "epoch", values(got[1]), []int64{0, 1, 2, 3, math.MaxUint32})
}

func waitsForTheWanted(c *checker) {
	late := 7 * c.Delivery()
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: 1})
			p.WaitUntil(late)
			p.Send(1, mailbox.Message{Kind: 2})
			return nil
		}
		return []receipt{receive(p, mailbox.OfKind(2)), receive(p, mailbox.OfKind(1))}
	})
	c.each("a message is received", times(got[1]), series(late+c.Delivery(), 0, 2))
}

func unwantedIsNotTaken(c *checker) { leavesMail(c, mailbox.OfKind(2)) }
func noneAcceptsNothing(c *checker) { leavesMail(c, mailbox.None) }

// leavesMail checks that a receiver with a message of kind 1 in its mailbox gets nothing
// for what it wants, and still has the message afterwards.
func leavesMail(c *checker, want mailbox.Want) {
	there := c.settled(c.Delivery())
	deadline := there + 3*c.Delivery()
	type observation struct {
		polled, received bool
		gaveUp           clock.Time
		left             attempt
	}
	ranks := gather(c, func(p protocols.Proc) (o observation) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: 1, A: 7})
			return o
		}
		p.WaitUntil(there)
		_, _, o.polled = p.Poll(want)
		_, _, o.received = p.RecvUntil(want, deadline)
		o.gaveUp = p.Now()
		o.left = tryNow(p)
		return o
	})
	o := ranks[1]
	if o.polled || o.received {
		c.errorf("with only a message of kind 1 there, Poll takes one: %t, RecvUntil takes one: %t, want %v", o.polled, o.received, want)
	}
	c.waited("RecvUntil gives up", o.gaveUp, deadline)
	switch {
	case !o.left.ok:
		c.tooLate("after that the message is gone")
	case o.left.got.msg != (mailbox.Message{Kind: 1, A: 7}):
		c.errorf("after that the message is %s", outline(o.left.got.msg))
	}
}
