package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// rounds is the algorithm Rounds at work.
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
type rounds struct {
	agreement

	verdict *ballot // once there is one; all that counts in later rounds
	payload string  // the same as a message

	round   int  // the root
	above   int  // who gets the vote of this member and of those below; for the root itself
	sent    bool // it was sent there
	settled bool // the decision of this round is here

	// What is needed until then only; nil afterwards. Decisions are kept for those who may still ask, so it has a piece of
	// memory of its own, which goes from one agreement of the rank to the next.
	*counting
}

// counting is what a member has of an agreement that is not decided.
type counting struct {
	own     ballot  // the vote, once the program has called the agreement
	awaited []int   // whose votes are still to come
	heard   []heard // whose votes have come
	lost    []int   // who will not vote
	odd     []heard // votes of those awaited that are for something else

	waiting []int // who has voted in any round, and was not told the decision
}

// clear makes it ready for another round; those who wait for a decision still do.
func (c *counting) clear() {
	clear(c.heard)
	clear(c.odd)
	c.awaited, c.heard, c.lost, c.odd = c.awaited[:0], c.heard[:0], c.lost[:0], c.odd[:0]
}

// heard is a vote that has come.
type heard struct {
	from int
	vote *ballot
}

// newRounds begins an agreement.
func newRounds(c *Comm, number uint32) *agreement {
	a := &rounds{agreement: agreement{c: c, number: number}}
	a.how = a
	a.joinBelow(0)
	return &a.agreement
}

// open makes sure that there is something to count with.
func (a *rounds) open() {
	if r := a.c.r; a.counting == nil {
		a.counting, r.spare = r.spare, nil
	}
	if a.counting == nil {
		a.counting = new(counting)
	}
}

// close leaves it to the next agreement.
func (a *rounds) close() {
	used := a.counting
	a.counting = nil
	used.clear()
	used.own, used.waiting = ballot{}, used.waiting[:0]
	a.c.r.spare = used
}

// take takes a message.
func (a *rounds) take(from int, kind mailbox.Kind, what uint32, payload string) {
	round := int(what)
	switch kind {
	case vote:
		a.takeVote(from, round, decode(payload))
	case question:
		a.takeQuestion(from, round)
	case decision:
		a.takeDecision(round, payload)
	}
}

// takeVote takes the vote of a member and those below it.
func (a *rounds) takeVote(from, round int, b *ballot) {
	if a.settled && round <= a.round {
		a.inform(from)
		return
	}
	a.open()
	a.waiting = append(a.waiting, from) // for the decision of that round, or of a later one
	if round > a.round && round <= a.c.me {
		a.joinBelow(round)
	}
	if round == a.round {
		a.count(heard{from, b})
	}
	a.advance()
}

// count counts a vote of the present round.
func (a *rounds) count(h heard) {
	if a.fits(h.vote) {
		a.awaited = without(a.awaited, h.from)
		a.heard = append(a.heard, h)
	} else {
		a.odd = append(a.odd, h)
	}
	if a.verdict == nil && h.vote.found {
		verdict := *h.vote
		verdict.found = false
		a.payload = verdict.encode()
		a.verdict = decode(a.payload)
	}
}

// fits reports whether a vote is for the same as this member's. One that is not does not count: it
// is of a rank that has heard of a decision before this one that nobody else has, acted on it and
// will be known to have failed; or members call different things, and wait for ever.
func (a *rounds) fits(b *ballot) bool {
	return !a.underWay() || b.found || b.purpose == a.own.purpose
}

// entered counts this member's own vote.
func (a *rounds) entered(own ballot) {
	if a.settled {
		return
	}
	a.own = own
	earlier := a.heard
	a.heard = a.heard[:0] // what is counted again does not overtake what is still to be
	for _, h := range earlier {
		a.count(h)
		if a.fits(h.vote) {
			continue
		}
		a.await(h.from, false)
	}
	a.advance()
}

// takeQuestion answers whoever gathers votes, now or when there is an answer.
func (a *rounds) takeQuestion(from, round int) {
	switch {
	case a.settled && round <= a.round:
		a.inform(from)
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
func (a *rounds) takeDecision(round int, payload string) {
	if round > a.round || round == a.round && !a.settled {
		a.decide(round, decode(payload), payload)
	}
}

// failed is called when the rank learns that a member has failed.
func (a *rounds) failed(member int) {
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
func (a *rounds) join(round int) {
	a.round, a.settled = round, false
}

// shape is the tree of the round. Its rank 0 is the root.
func (a *rounds) shape() tree.InOrderBinomial { return binomial(a.c.Size() - a.round) }

// joinBelow enters a round as one of those below its root. If all before this member have failed,
// it is the root of another one.
func (a *rounds) joinBelow(round int) {
	a.join(round)
	above := a.nextAbove()
	if above == a.c.me {
		a.join(a.c.me)
	}
	a.begin(above)
}

// begin takes part in the round, below somebody. Those below are awaited, unless there is a
// decision already.
func (a *rounds) begin(above int) {
	a.open()
	a.counting.clear()
	if above == a.c.me { // the root: nobody else speaks for those before it
		for member := range a.round {
			a.lost = append(a.lost, member)
		}
	}
	if a.verdict == nil {
		for child := range a.children(a.c.me) {
			a.await(child, a.round > 0)
		}
	}
	a.attach(above)
	a.c.r.watch(a.c.group.machineRank(a.round))
}

// attach says to whom the vote goes.
func (a *rounds) attach(above int) {
	a.above, a.sent = above, false
	a.c.r.watch(a.c.group.machineRank(above))
}

// await waits for the vote of a member, or of those below it if it has failed.
func (a *rounds) await(member int, ask bool) {
	switch {
	case slices.ContainsFunc(a.heard, func(h heard) bool { return h.from == member }):
	case !a.c.alive(member):
		a.missing(member)
	default:
		a.awaited = append(a.awaited, member)
		a.c.r.watch(a.c.group.machineRank(member))
		if ask {
			a.say(member, question, uint32(a.round), "")
		}
	}
}

// missing takes note that a member will not vote. Those below it are asked: they may have voted,
// and their votes are lost with it.
func (a *rounds) missing(member int) {
	a.lost = append(a.lost, member)
	for child := range a.children(member) {
		a.await(child, true)
	}
}

// advance sends the vote up, or decides, when there is nothing to wait for any more.
//
// If the root has failed nothing comes of the round, and votes may never come. The vote is sent
// all the same: it says that this member waits.
func (a *rounds) advance() {
	switch {
	case a.settled || a.sent:
		return
	case a.verdict != nil: // nothing else matters
	case !a.underWay(), len(a.awaited) > 0 && a.c.alive(a.round):
		return
	}
	if a.above != a.c.me {
		a.sent = true
		a.sendVote()
		return
	}
	if a.verdict == nil {
		a.settleVotes()
	}
	a.decide(a.round, a.verdict, a.payload)
}

// sendVote sends the vote of this member and all below it up the tree.
//
//go:noinline
func (a *rounds) sendVote() {
	total := a.total()
	a.say(a.above, vote, uint32(a.round), total.encode())
}

// settleVotes makes the verdict of all votes.
//
//go:noinline
func (a *rounds) settleVotes() {
	verdict := a.total()
	if verdict.purpose != forAgree {
		verdict.made = a.c.r.newIdentity()
	}
	a.payload = verdict.encode()
	a.verdict = decode(a.payload)
}

// total is the vote of this member and all below it.
func (a *rounds) total() (sum ballot) {
	if a.verdict != nil {
		sum = *a.verdict
		sum.found = true
		return sum
	}
	sum = a.own
	if len(a.lost) > 0 {
		sum.failed = sum.failed.union(ascending(slices.Clone(a.lost)))
	}
	for _, h := range a.heard {
		sum.add(h.vote)
	}
	return sum
}

// decide takes a decision and hands it on.
func (a *rounds) decide(round int, verdict *ballot, payload string) {
	a.join(round)
	a.open() // it may be closed, if this is the decision of a later round
	a.settled, a.verdict, a.payload = true, verdict, payload
	a.decided(verdict)
	for child := range a.children(a.c.me) {
		a.informBelow(child)
	}
	for i, member := range a.waiting {
		if member != a.c.me && !a.informed(member) && !slices.Contains(a.waiting[:i], member) {
			a.inform(member)
		}
	}
	a.close()
}

// informBelow tells the decision to a member, or to those below it if it has failed.
func (a *rounds) informBelow(member int) {
	if a.c.alive(member) {
		a.inform(member)
		return
	}
	for child := range a.children(member) {
		a.informBelow(child)
	}
}

// informed reports whether a member was told as one of those below.
func (a *rounds) informed(member int) bool {
	above, ok := a.liveAbove(member)
	return ok && above == a.c.me && a.c.alive(member)
}

// inform tells a member the decision.
func (a *rounds) inform(member int) {
	a.say(member, decision, uint32(a.round), a.payload)
}

// children are those right below a member in the tree of the round.
func (a *rounds) children(member int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		shape := a.shape()
		for i := 0; member >= a.round; i++ {
			child, ok := shape.Child(member-a.round, i)
			if !ok || !yield(child+a.round) {
				return
			}
		}
	}
}

// nextAbove is the nearest live member on the way to the root. If there is none, the root
// included, it is the first live member: that is the next root.
func (a *rounds) nextAbove() int {
	if above, ok := a.liveAbove(a.c.me); ok {
		return above
	}
	for member := a.round; ; member++ {
		if a.c.alive(member) {
			return member
		}
	}
}

// liveAbove is the nearest live member on the way from another to the root, if there is any.
func (a *rounds) liveAbove(member int) (above int, ok bool) {
	shape := a.shape()
	for member > a.round {
		parent, _ := shape.Parent(member - a.round)
		if member = parent + a.round; a.c.alive(member) {
			return member, true
		}
	}
	return 0, false
}

// waitsFor says for what, in words.
func (a *rounds) waitsFor() (what string, members []int) {
	switch {
	case a.counting == nil:
		return "the decision from", []int{a.above}
	case len(a.odd) > 0:
		return "the vote of", []int{a.odd[0].from}
	case len(a.awaited) == 0:
		return "the decision from", []int{a.above}
	case len(a.awaited) == 1:
		return "the vote of", a.awaited
	}
	return "the votes of", a.awaited
}

// against says what a member has called that keeps this one waiting by it; "" if none has.
func (a *rounds) against() string {
	if a.counting != nil && len(a.odd) > 0 {
		return purposeNames[a.odd[0].vote.purpose]
	}
	return ""
}

// without returns the list without one element.
func without(list []int, x int) []int {
	return slices.DeleteFunc(list, func(y int) bool { return y == x })
}
