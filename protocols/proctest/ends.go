package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var endCases = []Case{
	{Name: "messages to a rank that has finished are lost without notice", on: logP(3), check: finishedRanksTakeMail},
	{Name: "messages nobody reads do no harm", on: logP(3), check: unreadMail},
	{Name: "ranks may finish at different times", on: slices.Concat(logP(3), simple(70)), check: differentEnds},
	{Name: "nothing is left over from an earlier run", on: logP(2), check: nothingLeftOver},
}

// Rank 1 returns at once; rank 0 sends to it, and then to rank 2, just as otherwise.
func finishedRanksTakeMail(c *checker) {
	const lost = 5
	wait := c.settled(3 * c.Delivery())
	got := gather(c, func(p protocols.Proc) []clock.Time {
		switch p.Rank() {
		case 0:
			p.WaitUntil(wait)
			var returned []clock.Time
			for i := range lost + 1 {
				p.Send(1+i/lost, mailbox.Message{Payload: "for nobody"})
				returned = append(returned, p.Now())
			}
			return returned
		case 2:
			return []clock.Time{receive(p, mailbox.Any).At}
		}
		return nil
	})
	c.each("a send returns", got[0], series(wait+c.Overhead, c.Overhead, lost+1))
	c.each("the last message is received", got[2], series(wait+lost*c.Overhead+c.Delivery(), 0, 1))
}

// Rank 1 reads one message of many. Those unread, and those that come after its end,
// take up nothing that others need.
func unreadMail(c *checker) {
	const messages = 200
	got := gather(c, func(p protocols.Proc) []int64 {
		switch p.Rank() {
		case 0:
			for i := range messages {
				p.Send(1, number(i))
				p.Send(2, number(i))
			}
		case 1:
			p.WaitUntil(c.settled(messages / 2 * c.Overhead))
			return values(receiveMany(p, 1))
		case 2:
			return values(receiveMany(p, messages))
		}
		return nil
	})
	same(c, "the one message read", got[1], []int64{0})
	same(c, "message of the other rank", got[2], count[int64](messages))
}

// Every rank finishes a little later than the one before, all of them on their own.
func differentEnds(c *checker) {
	got := gather(c, func(p protocols.Proc) clock.Time {
		p.WaitUntil(clock.Time(p.Rank()) * c.Delivery())
		return p.Now()
	})
	for rank, end := range got {
		c.waited("a rank finishes", end, clock.Time(rank)*c.Delivery())
	}
}

// The first run leaves messages unread and under way.
func nothingLeftOver(c *checker) {
	gather(c, func(p protocols.Proc) int {
		for range 5 {
			p.Send(1-p.Rank(), mailbox.Message{Payload: "left over"})
		}
		return len(receiveMany(p, 1))
	})
	got := gather(c, func(p protocols.Proc) []receipt {
		return receiveUntil(p, c.settled(10*c.Delivery()))
	})
	for rank, all := range got {
		if len(all) > 0 {
			c.errorf("rank %d receives %d messages that nobody sent in this run, the first at %v", rank, len(all), all[0])
		}
	}
}
