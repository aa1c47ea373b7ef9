package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

var orderCases = []Case{
	{Name: "messages that arrive together are received in order of sender rank", Exact: true, on: logP(130), check: traffic(allToTheMiddle)},
	{Name: "messages that arrive earlier are received earlier, whatever their senders", Exact: true, on: logP(130), check: traffic(highRanksFirst)},
	{Name: "a short message overtakes a long one of another rank", Exact: true, on: logGP(3), check: traffic(shortAfterLong)},
	{Name: "messages of one sender stay in order", on: simple(3), check: exactlyOnce(rounds(300))},
	{Name: "many to one: every message is received exactly once, those of a sender in order", on: logP(9), check: exactlyOnce(rounds(7))},
	{Name: "many to one: messages are received round by round, each in order of rank", Exact: true, on: logP(9), check: traffic(rounds(7))},
	{Name: "all to all: every message is received exactly once", on: slices.Concat(simple(2), simple(16), simple(70)), check: exactlyOnce(allToAll)},
}

// All ranks send to one in the middle at 0, that one to itself as well.
func allToTheMiddle(c *checker) (all []errand) {
	for rank := range c.Ranks {
		all = append(all, errand{from: rank, to: c.Ranks / 2})
	}
	return all
}

// The higher its rank, the earlier a rank sends, one tick apart: too fast for a receive
// port with an overhead of more.
func highRanksFirst(c *checker) (all []errand) {
	for rank := range c.Ranks {
		all = append(all, errand{from: rank, at: clock.Time(c.Ranks - 1 - rank)})
	}
	return all
}

func shortAfterLong(c *checker) []errand {
	return []errand{{from: 1, bytes: 100}, {from: 2, at: c.Overhead}}
}

// rounds is many to one so many times.
func rounds(n int) func(c *checker) []errand {
	return func(c *checker) []errand { return slices.Repeat(manyToOne(c), n) }
}

// Every rank sends to all others, beginning with the next one.
func allToAll(c *checker) (all []errand) {
	for distance := 1; distance < c.Ranks; distance++ {
		for rank := range c.Ranks {
			all = append(all, errand{from: rank, to: (rank + distance) % c.Ranks})
		}
	}
	return all
}
