package proctest

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
)

var orderCases = []Case{
	{Name: "messages that arrive together are received in order of sender rank", Exact: true, on: logP(130), check: tiesGoByRank},
	{Name: "messages that arrive earlier are received earlier, whatever their senders", Exact: true, on: logP(130), check: arrivalsComeFirst},
	{Name: "a short message overtakes a long one of another rank", Exact: true, on: logGP(3), check: shortOvertakesLong},
	{Name: "messages of one sender stay in order", on: simple(3), check: sendersStayInOrder},
	{Name: "many to one: every message is received exactly once, those of a sender in order", on: logP(9), check: manyToOne},
	{Name: "many to one: messages are received round by round, each in order of rank", Exact: true, on: logP(9), check: roundByRound},
	{Name: "all to all: every message is received exactly once", on: slices.Concat(simple(2), simple(16), simple(70)), check: allToAll},
}

// All ranks send to one in the middle at 0, that one to itself as well.
func tiesGoByRank(c *checker) {
	middle := c.Ranks / 2
	got := gather(c, func(p protocols.Proc) []receipt {
		p.Send(middle, number(p.Rank()))
		if p.Rank() == middle {
			return receiveMany(p, c.Ranks)
		}
		return nil
	})
	same(c, "sender", senders(got[middle]), count[int](c.Ranks))
	same(c, "message", values(got[middle]), count[int64](c.Ranks))
}

// The higher its rank, the earlier a rank sends, one tick apart: too fast for a receive
// port with an overhead of more.
func arrivalsComeFirst(c *checker) {
	got := gather(c, func(p protocols.Proc) []receipt {
		p.WaitUntil(clock.Time(c.Ranks - 1 - p.Rank()))
		p.Send(0, number(p.Rank()))
		if p.Rank() == 0 {
			return receiveMany(p, c.Ranks)
		}
		return nil
	})
	want := count[int](c.Ranks)
	slices.Reverse(want)
	same(c, "sender", senders(got[0]), want)
}

func shortOvertakesLong(c *checker) {
	const length = 100
	got := gather(c, func(p protocols.Proc) []receipt {
		switch p.Rank() {
		case 0:
			return receiveMany(p, 2)
		case 1:
			msg := number(1)
			msg.Payload = string(make([]byte, length))
			p.Send(0, msg)
		case 2:
			p.WaitUntil(c.Overhead)
			p.Send(0, number(2))
		}
		return nil
	})
	long := c.Delivery() + (length-1)*c.PerByte
	same(c, "sender", senders(got[0]), []int{2, 1})
	c.each("a message is received", times(got[0]), []clock.Time{c.Overhead + c.Delivery(), long})
}

// flood has every rank but 0 send that many numbered messages to rank 0, and returns what
// rank 0 receives: exactly those, and nothing more for a while.
func flood(c *checker, messages int) []receipt {
	all := (c.Ranks - 1) * messages
	last := c.settled(c.Delivery() + clock.Time(all)*c.Overhead)
	got := gather(c, func(p protocols.Proc) []receipt {
		if p.Rank() == 0 {
			expected := receiveMany(p, all)
			return append(expected, receiveUntil(p, last)...)
		}
		for i := range messages {
			p.Send(0, number(i))
		}
		return nil
	})
	return got[0]
}

func sendersStayInOrder(c *checker) { checkSenders(c, flood(c, 300), 300) }
func manyToOne(c *checker)          { checkSenders(c, flood(c, 7), 7) }

// checkSenders checks that every rank but 0 has sent 0, 1, ... messages-1 in this order.
func checkSenders(c *checker, got []receipt, messages int) {
	bySender := make(map[int][]receipt)
	for _, r := range got {
		bySender[r.from] = append(bySender[r.from], r)
	}
	if len(bySender) != c.Ranks-1 {
		c.errorf("%d senders, want %d", len(bySender), c.Ranks-1)
	}
	for rank := 1; rank < c.Ranks; rank++ {
		same(c, fmt.Sprintf("message of rank %d", rank), values(bySender[rank]), count[int64](messages))
	}
}

func roundByRound(c *checker) {
	const messages = 7
	got := flood(c, messages)
	want := []receipt{}
	for round := range messages {
		for rank := 1; rank < c.Ranks; rank++ {
			at := c.Delivery() + clock.Time(len(want))*c.Overhead
			want = append(want, receipt{at, rank, number(round)})
		}
	}
	same(c, "message", got, want)
}

// Every rank sends to all others, beginning with the next one.
func allToAll(c *checker) {
	last := c.settled(2 * c.Delivery() * clock.Time(c.Ranks))
	got := gather(c, func(p protocols.Proc) []receipt {
		for i := 1; i < c.Ranks; i++ {
			to := (p.Rank() + i) % c.Ranks
			p.Send(to, number(p.Rank()*c.Ranks+to))
		}
		expected := receiveMany(p, c.Ranks-1)
		return append(expected, receiveUntil(p, last)...)
	})
	for rank, all := range got {
		slices.SortFunc(all, func(a, b receipt) int { return a.from - b.from })
		others := slices.Delete(count[int](c.Ranks), rank, rank+1)
		same(c, fmt.Sprintf("sender to rank %d", rank), senders(all), others)
		for _, r := range all {
			if r.msg != number(r.from*c.Ranks+rank) {
				c.errorf("rank %d receives %v, want A:%d", rank, r, r.from*c.Ranks+rank)
			}
		}
	}
}
