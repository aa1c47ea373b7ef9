package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var startCases = []Case{
	{Name: "every rank knows its number and how many there are",
		on: slices.Concat(simple(1), simple(2), simple(65), simple(130)), check: ranksKnowWhoTheyAre},
	{Name: "the clock of every rank starts at 0", on: logP(4), check: clocksStartAtZero},
	{Name: "without initiators every rank acts at once", on: logP(5), check: traffic(everybodyToTheNext)},
	{Name: "a rank that is no initiator waits from 0 on for its first message",
		on: logP(4), check: othersWaitFromZero},
	{Name: "a token goes round the ring in P(2o+L)", on: logP(70), check: tokenGoesRound},
}

func ranksKnowWhoTheyAre(c *checker) {
	// That the ranks are 0 to P-1, each once, is checked in every run.
	sizes := gather(c, func(p protocols.Proc) int { return p.Size() })
	for rank, size := range sizes {
		if size != c.Ranks {
			c.errorf("rank %d sees %d ranks, want %d", rank, size, c.Ranks)
		}
	}
}

func clocksStartAtZero(c *checker) {
	starts := gather(c, func(p protocols.Proc) clock.Time { return p.Now() })
	c.each("a program starts", starts, make([]clock.Time, c.Ranks))
}

// Every rank sends to the next one before it receives.
func everybodyToTheNext(c *checker) (all []errand) {
	for rank := range c.Ranks {
		all = append(all, errand{from: rank, to: (rank + 1) % c.Ranks})
	}
	return all
}

// Rank 1 sends to the others one after the other; they look at the clock before they
// receive, whenever the machine may have started them.
func othersWaitFromZero(c *checker) {
	type waiter struct {
		Before clock.Time
		Got    receipt
	}
	ranks := gatherWith(c, setup{initiators: []int{1}}, func(p protocols.Proc) waiter {
		if p.Rank() != 1 {
			return waiter{p.Now(), receive(p, mailbox.Any)}
		}
		for _, to := range []int{0, 2, 3} {
			p.Send(to, number(to))
		}
		return waiter{}
	})
	for i, rank := range []int{0, 2, 3} {
		c.at("a rank that is no initiator starts", ranks[rank].Before, 0)
		c.at("its first message is received", ranks[rank].Got.At, clock.Time(i)*c.Overhead+c.Delivery())
		same(c, "its first message", values([]receipt{ranks[rank].Got}), []int64{int64(rank)})
	}
}

func tokenGoesRound(c *checker) {
	got := gatherWith(c, setup{initiators: []int{0}}, func(p protocols.Proc) receipt {
		next := (p.Rank() + 1) % p.Size()
		if p.Rank() == 0 {
			p.Send(next, number(1))
			return receive(p, mailbox.Any)
		}
		token := receive(p, mailbox.Any)
		p.Send(next, number(int(token.Msg.A)+1))
		return token
	})
	path := append(got[1:], got[0])
	c.each("the token is received", times(path), series(c.Delivery(), c.Delivery(), c.Ranks))
	same(c, "sender of the token", senders(path), count[int](c.Ranks))
	for i, token := range path {
		if token.Msg != number(i+1) {
			c.errorf("after %d hops the token is %s", i+1, outline(token.Msg))
		}
	}
}
