package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var deadlineCases = []Case{
	{Name: "RecvUntil gives up at the deadline", on: logP(2), check: func(c *checker) {
		c.looks(nobodySends, look{until: 1}, look{until: 2}, look{until: c.Delivery()}, look{until: 10*c.Delivery() + 1})
	}},
	{Name: "RecvUntil returns when the message is there, however late the deadline", on: logP(2), check: func(c *checker) {
		for _, deadline := range []clock.Time{c.settled(c.Delivery() + 1), c.settled(100 * c.Delivery()), clock.MaxCost, clock.Never} {
			c.looks(sends, look{until: deadline, finds: true})
		}
	}},
	{Name: "RecvUntil returns a message whose receive ends at the deadline", Exact: true, on: logP(2), check: func(c *checker) {
		c.looks(sends, look{until: c.Delivery(), finds: true})
	}},
	// Giving up must not lose the message: the next receive gets it, right on time.
	{Name: "RecvUntil leaves a message whose receive ends after the deadline", Exact: true, on: logP(2), check: func(c *checker) {
		c.looks(sends, look{until: c.Delivery() - 1}, look{until: c.Delivery(), finds: true})
	}},
	{Name: "RecvUntil with a deadline in the past takes what is there", on: logP(2), check: func(c *checker) {
		for _, deadline := range []clock.Time{-1, 0, c.Delivery() - 1} {
			c.looks(sends, look{from: c.settled(c.Delivery()), until: deadline, finds: true})
		}
	}},
	{Name: "RecvUntil with a deadline in the past does not wait", on: logP(2), check: func(c *checker) {
		c.looks(nobodySends, look{from: 10, until: -1}, look{from: 10, until: 0}, look{from: 10, until: 9}, look{from: 10, until: 10})
	}},
	{Name: "Poll never waits", on: logP(2), check: pollNeverWaits},
	{Name: "a rank that decides at t sees what was received at t, and nothing later", Exact: true, on: logP(2), check: seesWhatWasReceived},
}

// Rank 1 polls before there can be a message, asks for one, and polls when it is there.
func pollNeverWaits(c *checker) {
	early := slices.Repeat([]look{{poll: true}}, 20)
	there := look{asks: true, from: c.settled(2 * c.Delivery()), poll: true, finds: true}
	c.looks(answers, append(early, there, look{poll: true})...)
}

// There are several ways for a rank to come to an instant.
func seesWhatWasReceived(c *checker) {
	for _, reach := range []func(p protocols.Proc, t clock.Time){
		protocols.Proc.WaitUntil,
		func(p protocols.Proc, t clock.Time) { p.RecvUntil(mailbox.None, t) },
		func(p protocols.Proc, t clock.Time) {
			p.WaitUntil(t - c.Overhead)
			p.Send(0, mailbox.Message{})
		},
	} {
		c.looks(sends, look{from: c.Delivery() - 1, reach: reach, poll: true}, look{until: c.Delivery(), finds: true})
		c.looks(sends, look{from: c.Delivery(), reach: reach, poll: true, finds: true})
	}
}
