package tree

import "github.com/mangrove-emu/mangrove/clock"

// newGrown returns a tree of the common pattern of Lamé and optimal trees (Corrected Trees, sections
// 3.2.2 and 3.2.3): a rank, from the instant it is reached, sends a message every step ticks, and
// every message takes delay ticks. In the paper's notation, T_t = T_(t-step) • T_(t-delay).
//
// Interleaved, ranks are numbered as they are reached. In order, the tree is T_t for the least t that
// gives enough ranks: a rank keeps the numbers after its own for later children and sends first to the
// one behind these, who has the largest subtree. Children that would stand beyond the last rank do not
// exist and cost no time.
func newGrown(name string, ranks int, step, delay clock.Time, n Numbering) Tree {
	if n == InOrder {
		whole := depthFirst(grow(ranks, step, delay, true), true)
		return newListed(name, whole[:ranks], true)
	}
	return newListed(name, grow(ranks, step, delay, false), false)
}

// grow returns the parents of all ranks that are reached until there are enough, or until the instant
// at which there are enough is over: whenever a message is delivered, the next rank is the receiver,
// senders with lower ranks first.
//
// A rank that is reached at t sends its first message, which is delivered at t + delay; and whoever has
// reached it sends another, which is delivered a step after the last one. Both kinds of messages are
// delivered in the order of the ranks that they follow from, so that it takes a look at two of them to
// find the next. If both are delivered at once, the one that is not a first message has the sender with
// the lower rank: it has sent before.
func grow(ranks int, step, delay clock.Time, wholeInstants bool) (parents []int32) {
	parents = make([]int32, 1, ranks)
	reached := make([]clock.Time, 1, ranks)
	fresh, again := 0, 1 // the ranks that the next messages of both kinds follow from
	for {
		sender, at := int32(fresh), reached[fresh]+delay
		isAgain := again < len(parents) && reached[again]+step <= at
		if isAgain {
			sender, at = parents[again], reached[again]+step
		}
		if len(parents) >= ranks && (!wholeInstants || at > reached[len(reached)-1]) {
			return parents
		}
		parents, reached = append(parents, sender), append(reached, at)
		if isAgain {
			again++
		} else {
			fresh++
		}
	}
}
