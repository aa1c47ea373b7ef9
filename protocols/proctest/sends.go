package proctest

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var sendCases = []Case{
	{Name: "a send returns after the overhead", on: slices.Concat(logP(2), gapped(2), logGP(2)), check: sendTakesOverhead},
	{Name: "a message is in the mailbox 2o+L after its send starts", on: logP(2), check: messageTakesDelivery},
	{Name: "sends of one rank are serialized by its port", on: logP(6), check: sendsAreSerialized},
	{Name: "a gap larger than the overhead spaces sends", on: gapped(6), check: sendsAreSerialized},
	{Name: "the gap passes while the program does something else", on: gapped(2), check: gapPassesMeanwhile},
	{Name: "a long message takes G for each byte after the first", on: logGP(2), check: bytesTakeTime},
	{Name: "a rank may send to itself", on: logP(3), check: rankSendsToItself},
}

func sendTakesOverhead(c *checker) {
	returned := gather(c, func(p protocols.Proc) clock.Time {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Payload: "long"})
		} else {
			p.Recv(mailbox.Any)
		}
		return p.Now()
	})
	c.at("a send from 0 on returns", returned[0], c.Overhead)
}

// The pauses between the sends are long enough for all ports to be idle.
func messageTakesDelivery(c *checker) {
	starts := series(0, 5*c.Delivery()+1, 4)
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() == 1 {
			return receiveMany(p, len(starts))
		}
		for i, start := range starts {
			p.WaitUntil(start)
			p.Send(1, number(i))
		}
		return nil
	})
	c.each("the message is received", times(got[1]), series(c.Delivery(), 5*c.Delivery()+1, len(starts)))
	same(c, "message", values(got[1]), count[int64](len(starts)))
}

// Rank 0 sends to each other rank as fast as it can.
func sendsAreSerialized(c *checker) {
	observed := gather(c, func(p protocols.Proc) []clock.Time {
		if p.Rank() > 0 {
			return []clock.Time{receive(p, mailbox.Any).at}
		}
		var returned []clock.Time
		for to := 1; to < p.Size(); to++ {
			p.Send(to, mailbox.Message{})
			returned = append(returned, p.Now())
		}
		return returned
	})
	sends := c.Ranks - 1
	c.each("a send returns", observed[0], series(c.Overhead, c.spacing(), sends))
	c.each("a message is received", slices.Concat(observed[1:]...), series(c.Delivery(), c.spacing(), sends))
}

// A program that waits as long as the gap need not wait for it again.
func gapPassesMeanwhile(c *checker) {
	returned := gather(c, func(p protocols.Proc) []clock.Time {
		if p.Rank() == 1 {
			receiveMany(p, 3)
			return nil
		}
		var returned []clock.Time
		for i := range 3 {
			p.WaitUntil(clock.Time(i) * c.spacing())
			p.Send(1, mailbox.Message{})
			returned = append(returned, p.Now())
		}
		return returned
	})
	c.each("a send returns", returned[0], series(c.Overhead, c.spacing(), 3))
}

// Rank 0 sends messages of several lengths as fast as it can. Each is received as soon as
// it arrives, because it arrives later than the one before by at least the spacing.
func bytesTakeTime(c *checker) {
	lengths := []int{0, 1, 2, 17, 0, 100, 1}
	observed := gather(c, func(p protocols.Proc) []clock.Time {
		if p.Rank() == 1 {
			return times(receiveMany(p, len(lengths)))
		}
		var returned []clock.Time
		for _, n := range lengths {
			p.Send(1, mailbox.Message{Payload: strings.Repeat("x", n)})
			returned = append(returned, p.Now())
		}
		return returned
	})
	var returns, deliveries []clock.Time
	start := clock.Time(0)
	for _, n := range lengths {
		stretch := clock.Time(max(n, 1)-1) * c.PerByte
		returns = append(returns, start+c.Overhead)
		deliveries = append(deliveries, start+stretch+c.Delivery())
		start += c.spacing() + stretch
	}
	c.each("a send returns", observed[0], returns)
	c.each("a message is received", observed[1], deliveries)
}

func rankSendsToItself(c *checker) {
	got := gather(c, func(p protocols.Proc) receipt {
		p.Send(p.Rank(), number(p.Rank()))
		return receive(p, mailbox.Any)
	})
	same(c, "sender", senders(got), count[int](c.Ranks))
	same(c, "message", values(got), count[int64](c.Ranks))
	c.each("the message is received", times(got), series(c.Delivery(), 0, c.Ranks))
}
