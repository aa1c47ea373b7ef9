package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// agreement is one agreement as one member sees it.
//
// A round is known by its root; there is one with root r only if all members before r have
// failed. In round r the votes of all others go up the binomial tree whose root is r, and the
// decision comes down.
//
//  1. A member takes part in one round at a time, and then only in later ones: it takes no
//     decision of an earlier round any more.
//  2. The root of a round other than 0 asks: the question goes down the tree, and every member
//     answers with its vote, or with the decision if it has one. Such a decision stays.
//  3. So if a round decides anew, no live member has a decision of an earlier round, nor will
//     one ever take it.
//  4. Who waits has told so to a live member, whose failure it would notice, or waits for votes
//     in a round whose root lives; who is told so and has no decision of that round waits, too.
//     So everybody who waits is known, over others, to the root of the last round.
type agreement struct {
	c      *Comm
	number uint32

	entered bool   // the program has called it here
	own     ballot // what it votes for, if entered

	decided bool   // the program may go on
	verdict ballot // if decided or found
	found   bool   // there is a decision: all that counts in later rounds

	round   int       // the root
	settled bool      // the decision of this round is here
	shape   tree.Tree // of the round; its rank 0 is the root
	above   int       // who gets the vote of this member and of those below; for the root itself
	sent    bool      // it was sent there
	awaited []int     // whose votes are still to come
	heard   []int     // whose votes have come
	sum     ballot    // of these
	lost    []int     // who will not vote

	waiting []int // who has voted in any round, and was not told the decision
}

// enter takes part with a vote and returns the decision.
func (c *Comm) enter(own ballot) ballot {
	c.r.catchUp()
	a := c.agreement(c.called)
	c.called++
	own.revoked = c.revoked
	own.next = c.r.next
	own.failed = slices.Sorted(slices.Values(c.knownFailed()))
	own.acked = slices.Sorted(slices.Values(c.GetAcked()))
	a.entered, a.own = true, own
	a.advance()
	c.r.watch(c.r.Rank()) // a detector that is wrong may take this rank for failed
	for !a.decided {
		if c.r.excluded { // nobody votes for it any more
			own.failed = []int{c.me}
			return own
		}
		c.r.wait(doing{purposeNames[own.purpose], c, None})
	}
	// All others have entered this one, so nobody asks about earlier ones any more.
	c.agreements = slices.DeleteFunc(c.agreements, func(old *agreement) bool { return old.number < a.number })
	for _, member := range a.verdict.failed {
		c.r.noticed(c.group.machineRank(member))
	}
	return a.verdict
}

// agreement finds the agreement of a number, or begins it: members do not enter it all at once.
// It is nil if all have its decision.
func (c *Comm) agreement(number uint32) *agreement {
	for _, a := range c.agreements {
		if a.number == number {
			return a
		}
	}
	if number < c.called {
		return nil
	}
	a := &agreement{c: c, number: number}
	c.agreements = append(c.agreements, a)
	a.joinBelow(0)
	return a
}

// handleAgreement takes a message of an agreement.
func (c *Comm) handleAgreement(e envelope) {
	from, _ := c.group.member(e.from)
	a, round := c.agreement(uint32(e.m.A>>32)), int(uint32(e.m.A))
	switch {
	case a == nil:
	case e.m.Kind == vote:
		a.takeVote(from, round, decode(e.m.Payload))
	case e.m.Kind == question:
		a.takeQuestion(from, round)
	case e.m.Kind == decision:
		a.takeDecision(round, decode(e.m.Payload))
	}
}

// takeVote takes the vote of a member and those below it.
func (a *agreement) takeVote(from, round int, b ballot) {
	if a.settled && round <= a.round {
		a.say(from, decision, a.verdict)
		return
	}
	a.waiting = append(a.waiting, from) // for the decision of that round, or of a later one
	if round > a.round && round <= a.c.me {
		a.joinBelow(round)
	}
	if round == a.round {
		a.count(from, b)
	}
	a.advance()
}

// count counts a vote of the present round.
func (a *agreement) count(from int, b ballot) {
	a.awaited = without(a.awaited, from)
	switch {
	case a.found:
	case b.found:
		a.found, a.verdict = true, b
	case len(a.heard) == 0:
		a.sum = b
	default:
		a.sum = a.sum.with(b)
	}
	a.heard = append(a.heard, from)
}

// takeQuestion answers whoever gathers votes, now or when there is an answer.
func (a *agreement) takeQuestion(from, round int) {
	switch {
	case a.settled && round <= a.round:
		a.say(from, decision, a.verdict)
		return
	case round < a.round || round >= a.c.me || from == a.above && round == a.round:
		return
	case !a.c.alive(from): // it asked before it failed
		if round == a.round {
			return
		}
		a.joinBelow(round)
	case round > a.round:
		a.join(round)
		a.begin(from)
	default:
		a.attach(from)
	}
	a.advance()
}

// takeDecision takes a decision, unless a later round has begun.
func (a *agreement) takeDecision(round int, verdict ballot) {
	if round > a.round || round == a.round && !a.settled {
		a.decide(round, verdict)
	}
}

// failed is called when the rank learns that a member has failed.
func (a *agreement) failed(member int) {
	if a.settled {
		return
	}
	if slices.Contains(a.awaited, member) {
		a.awaited = without(a.awaited, member)
		a.missing(member)
	}
	if member == a.above || member == a.round {
		if above := a.nextAbove(); above != a.c.me {
			a.attach(above)
		} else {
			a.joinBelow(a.c.me)
		}
	}
	a.advance()
}
