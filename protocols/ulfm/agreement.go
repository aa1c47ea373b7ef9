package ulfm

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
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
	c.r.watch(c.r.Rank())
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

// join enters a round.
func (a *agreement) join(round int) {
	shape, err := tree.NewBinomial(a.c.Size()-round, tree.InOrder)
	if err != nil {
		panic("ulfm: " + err.Error())
	}
	a.round, a.shape, a.settled = round, shape, false
}

// joinBelow enters a round as one of those below its root. If all before this member have failed,
// it is the root of another one.
func (a *agreement) joinBelow(round int) {
	a.join(round)
	above := a.nextAbove()
	if above == a.c.me {
		a.join(a.c.me)
	}
	a.begin(above)
}

// begin takes part in the round, below somebody. Those below are awaited, unless there is a
// decision already.
func (a *agreement) begin(above int) {
	a.awaited, a.heard, a.lost = nil, nil, nil
	if above == a.c.me { // the root: nobody else speaks for those before it
		for member := range a.round {
			a.lost = append(a.lost, member)
		}
	}
	if !a.found {
		for child := range a.children(a.c.me) {
			a.await(child, a.round > 0)
		}
	}
	a.attach(above)
	a.c.r.watch(a.c.group.machineRank(a.round))
}

// attach says to whom the vote goes.
func (a *agreement) attach(above int) {
	a.above, a.sent = above, false
	a.c.r.watch(a.c.group.machineRank(above))
}

// await waits for the vote of a member, or of those below it if it has failed.
func (a *agreement) await(member int, ask bool) {
	switch {
	case slices.Contains(a.heard, member):
	case !a.c.alive(member):
		a.missing(member)
	default:
		a.awaited = append(a.awaited, member)
		a.c.r.watch(a.c.group.machineRank(member))
		if ask {
			a.ask(member)
		}
	}
}

// missing takes note that a member will not vote. Those below it are asked: they may have voted,
// and their votes are lost with it.
func (a *agreement) missing(member int) {
	a.lost = append(a.lost, member)
	for child := range a.children(member) {
		a.await(child, true)
	}
}

// advance sends the vote up, or decides, when there is nothing to wait for any more.
//
// If the root has failed nothing comes of the round, and votes may never come. The vote is sent
// all the same: it says that this member waits.
func (a *agreement) advance() {
	switch {
	case a.settled || a.sent:
		return
	case a.found: // nothing else matters
	case !a.entered, len(a.awaited) > 0 && a.c.alive(a.round):
		return
	}
	if a.above == a.c.me {
		a.decide(a.round, a.total())
		return
	}
	a.sent = true
	a.say(a.above, vote, a.total())
}

// total is the vote of this member and all below it.
func (a *agreement) total() ballot {
	if a.found {
		sum := a.verdict
		sum.found = true
		return sum
	}
	sum := a.own
	if len(a.heard) > 0 {
		sum = sum.with(a.sum)
	}
	slices.Sort(a.lost)
	sum.failed = union(sum.failed, a.lost)
	return sum
}

// decide takes a decision and hands it on.
func (a *agreement) decide(round int, verdict ballot) {
	verdict.found = false
	a.join(round)
	a.settled, a.decided, a.found, a.verdict = true, true, true, verdict
	told := map[int]bool{a.c.me: true}
	tell := func(member int) {
		if !told[member] {
			told[member] = true
			a.say(member, decision, verdict)
		}
	}
	for child := range a.children(a.c.me) {
		a.eachAlive(child, tell)
	}
	for _, member := range a.waiting {
		tell(member)
	}
	a.waiting, a.awaited, a.heard, a.lost = nil, nil, nil, nil
}

// eachAlive calls f with a member, or with those below it if it has failed.
func (a *agreement) eachAlive(member int, f func(int)) {
	if a.c.alive(member) {
		f(member)
		return
	}
	for child := range a.children(member) {
		a.eachAlive(child, f)
	}
}

// children are those right below a member in the tree of the round.
func (a *agreement) children(member int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; member >= a.round; i++ {
			child, ok := a.shape.Child(member-a.round, i)
			if !ok || !yield(child+a.round) {
				return
			}
		}
	}
}

// nextAbove is the nearest live member on the way to the root. If there is none, the root
// included, it is the first live member: that is the next root.
func (a *agreement) nextAbove() int {
	for member := a.c.me; member > a.round; {
		parent, _ := a.shape.Parent(member - a.round)
		if member = parent + a.round; a.c.alive(member) {
			return member
		}
	}
	for member := a.round; ; member++ {
		if a.c.alive(member) {
			return member
		}
	}
}

func (a *agreement) ask(member int) {
	a.c.post(member, mailbox.Message{Kind: question, A: a.stamp(a.round)})
}

// say sends a ballot about the present round.
func (a *agreement) say(to int, kind mailbox.Kind, b ballot) { a.sayIn(a.round, to, kind, b) }

func (a *agreement) sayIn(round, to int, kind mailbox.Kind, b ballot) {
	a.c.post(to, mailbox.Message{Kind: kind, A: a.stamp(round), Payload: b.encode()})
}

// stamp is how messages say what they belong to.
func (a *agreement) stamp(round int) int64 { return int64(a.number)<<32 | int64(round) }

// waitsFor says for what, in words.
func (a *agreement) waitsFor() string {
	machineRanks := make([]int, len(a.awaited))
	for i, member := range a.awaited {
		machineRanks[i] = a.c.group.machineRank(member)
	}
	slices.Sort(machineRanks)
	switch len(machineRanks) {
	case 0:
		return fmt.Sprintf("waiting for the decision from rank %d", a.c.group.machineRank(a.above))
	case 1:
		return fmt.Sprintf("waiting for the vote of rank %d", machineRanks[0])
	}
	return fmt.Sprintf("waiting for the votes of ranks %v", machineRanks)
}

// without returns the list without one element.
func without(list []int, x int) []int {
	return slices.DeleteFunc(list, func(y int) bool { return y == x })
}
