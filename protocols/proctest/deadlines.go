package proctest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var deadlineCases = []Case{
	{Name: "RecvUntil gives up at the deadline", on: logP(2), check: givesUpAtDeadline},
	{Name: "RecvUntil returns when the message is there, however late the deadline", on: logP(2), check: doesNotWaitForDeadline},
	{Name: "RecvUntil returns a message whose receive ends at the deadline", Exact: true, on: logP(2), check: receiveEndsAtDeadline},
	{Name: "RecvUntil leaves a message whose receive ends after the deadline", Exact: true, on: logP(2), check: receiveEndsAfterDeadline},
	{Name: "RecvUntil with a deadline in the past takes what is there", on: logP(2), check: pastDeadlineTakes},
	{Name: "RecvUntil with a deadline in the past does not wait", on: logP(2), check: pastDeadlineDoesNotWait},
	{Name: "Poll never waits", on: logP(2), check: pollNeverWaits},
	{Name: "a rank that decides at t sees what was received at t, and nothing later", Exact: true, on: logP(2), check: seesWhatWasReceived},
}

// attempt is how a RecvUntil or Poll went.
type attempt struct {
	ok  bool
	got receipt // its time is when the call returned, with or without a message
}

func tryUntil(p protocols.Proc, t clock.Time) attempt {
	from, msg, ok := p.RecvUntil(mailbox.Any, t)
	return attempt{ok, receipt{p.Now(), from, msg}}
}

func tryNow(p protocols.Proc) attempt {
	from, msg, ok := p.Poll(mailbox.Any)
	return attempt{ok, receipt{p.Now(), from, msg}}
}

// onArrival has rank 0 send a 7 to rank 1 at 0, and returns what main observes there. The
// receive ends at 2o+L.
func onArrival[T any](c *checker, main func(p protocols.Proc) T) T {
	got := gather(c, func(p protocols.Proc) (none T) {
		if p.Rank() == 1 {
			return main(p)
		}
		p.Send(1, number(7))
		return none
	})
	return got[1]
}

// took checks an attempt that must have succeeded.
func (c *checker) took(what string, a attempt) {
	report := c.errorf
	if !a.ok {
		report = c.tooLate
	}
	if !a.ok || a.got.from != 0 || a.got.msg != number(7) {
		report("%s: got %v from %d (%t), want %v from 0", what, a.got.msg, a.got.from, a.ok, number(7))
	}
}

// gaveUp checks an attempt that must have failed, without anything to show for it.
func (c *checker) gaveUp(what string, a attempt) {
	if a.ok || a.got.msg != (mailbox.Message{}) {
		c.errorf("%s: got %v from %d (%t), want no message", what, a.got.msg, a.got.from, a.ok)
	}
}

func givesUpAtDeadline(c *checker) {
	deadlines := []clock.Time{1, 2, c.Delivery(), 10*c.Delivery() + 1}
	got := gather(c, func(p protocols.Proc) []attempt {
		var all []attempt
		for _, t := range deadlines {
			all = append(all, tryUntil(p, t))
		}
		return all
	})
	for _, all := range got {
		var at []clock.Time
		for _, a := range all {
			c.gaveUp("RecvUntil without any message", a)
			at = append(at, a.got.at)
		}
		c.waits("RecvUntil gives up", at, deadlines)
	}
}

func doesNotWaitForDeadline(c *checker) {
	for _, deadline := range []clock.Time{c.settled(c.Delivery() + 1), c.settled(100 * c.Delivery()), clock.MaxCost, clock.Never} {
		a := onArrival(c, func(p protocols.Proc) attempt { return tryUntil(p, deadline) })
		what := fmt.Sprintf("RecvUntil(%d)", deadline)
		c.took(what, a)
		c.at(what+" returns", a.got.at, c.Delivery())
	}
}

func receiveEndsAtDeadline(c *checker) {
	a := onArrival(c, func(p protocols.Proc) attempt { return tryUntil(p, c.Delivery()) })
	c.took("RecvUntil with a deadline at the end of the receive", a)
	c.at("RecvUntil returns", a.got.at, c.Delivery())
}

// Giving up must not lose the message: the next receive gets it, right on time.
func receiveEndsAfterDeadline(c *checker) {
	a := onArrival(c, func(p protocols.Proc) [2]attempt {
		return [2]attempt{tryUntil(p, c.Delivery()-1), tryUntil(p, c.Delivery())}
	})
	c.gaveUp("RecvUntil with a deadline a tick before the end of the receive", a[0])
	c.at("RecvUntil gives up", a[0].got.at, c.Delivery()-1)
	c.took("RecvUntil with a deadline at the end of the receive", a[1])
	c.at("RecvUntil returns", a[1].got.at, c.Delivery())
}

func pastDeadlineTakes(c *checker) {
	there := c.settled(c.Delivery())
	for _, deadline := range []clock.Time{-1, 0, c.Delivery() - 1} {
		a := onArrival(c, func(p protocols.Proc) attempt {
			p.WaitUntil(there)
			return tryUntil(p, deadline)
		})
		what := fmt.Sprintf("RecvUntil(%d)", deadline)
		c.took(what, a)
		c.waited(what+" returns", a.got.at, there)
	}
}

func pastDeadlineDoesNotWait(c *checker) {
	const now = 10
	type span struct {
		attempt
		before clock.Time
	}
	for _, deadline := range []clock.Time{-1, 0, now - 1, now} {
		got := gather(c, func(p protocols.Proc) span {
			p.WaitUntil(now)
			before := p.Now()
			return span{tryUntil(p, deadline), before}
		})
		for _, s := range got {
			what := fmt.Sprintf("RecvUntil(%d)", deadline)
			c.gaveUp(what, s.attempt)
			c.waited(what+" gives up", s.got.at, s.before)
		}
	}
}

// Rank 1 polls before there can be a message, asks for one, and polls when it is there.
func pollNeverWaits(c *checker) {
	there := c.settled(2 * c.Delivery())
	type observation struct {
		early       [20]attempt
		before      clock.Time
		taken, then attempt
	}
	ranks := gather(c, func(p protocols.Proc) (o observation) {
		if p.Rank() == 0 {
			p.Recv(mailbox.Any)
			p.Send(1, number(7))
			return o
		}
		for i := range o.early {
			o.early[i] = tryNow(p)
		}
		p.Send(0, mailbox.Message{})
		p.WaitUntil(there)
		o.before = p.Now()
		o.taken, o.then = tryNow(p), tryNow(p)
		return o
	})
	o := ranks[1]
	for _, a := range o.early {
		c.gaveUp("Poll before the message is sent", a)
		c.at("Poll before the message is sent returns", a.got.at, 0)
	}
	c.took("Poll when the message is there", o.taken)
	c.waited("Poll when the message is there returns", o.taken.got.at, o.before)
	if o.taken.ok { // otherwise it may have come only now
		c.gaveUp("Poll when the message has been taken", o.then)
	}
	c.waited("Poll when the message has been taken returns", o.then.got.at, o.before)
}

// There are several ways for a rank to come to an instant.
func seesWhatWasReceived(c *checker) {
	ways := []struct {
		name  string
		reach func(p protocols.Proc, t clock.Time)
	}{
		{"WaitUntil", func(p protocols.Proc, t clock.Time) { p.WaitUntil(t) }},
		{"RecvUntil", func(p protocols.Proc, t clock.Time) { p.RecvUntil(mailbox.None, t) }},
		{"Send", func(p protocols.Proc, t clock.Time) {
			p.WaitUntil(t - c.Overhead)
			p.Send(0, mailbox.Message{})
		}},
	}
	for _, way := range ways {
		a := onArrival(c, func(p protocols.Proc) [2]attempt {
			way.reach(p, c.Delivery()-1)
			return [2]attempt{tryNow(p), tryUntil(p, c.Delivery())}
		})
		c.gaveUp("Poll a tick before the end of the receive, after "+way.name, a[0])
		c.at("Poll returns", a[0].got.at, c.Delivery()-1)
		c.took("RecvUntil at the end of the receive", a[1])
		now := onArrival(c, func(p protocols.Proc) attempt {
			way.reach(p, c.Delivery())
			return tryNow(p)
		})
		c.took("Poll at the end of the receive, after "+way.name, now)
		c.at("Poll returns", now.got.at, c.Delivery())
	}
}
