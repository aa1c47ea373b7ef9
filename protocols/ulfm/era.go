package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// progress is how far a member has come in an early-returning agreement.
type progress uint8

const (
	outside    progress = iota // the program has not called it
	collecting                 // votes of those below are awaited
	voted                      // the vote was sent up, the decision is awaited
	settled
)

// earlyReturning is the algorithm EarlyReturning at work. Votes go up the mended tree, the
// decision comes down, and whoever has it goes on and answers those who ask.
//
//  1. A member votes when all that it sees below it have. So the root decides when everybody
//     has voted, apart from those that somebody above them knows to have failed.
//  2. If the one above fails, the vote goes to the next one above. Who has become the root finds
//     out first whether there is a decision: it asks all below and collects again. Who has the
//     decision answers with it, and not with a vote.
//  3. What comes from a member that is known to have failed does not count. So who has voted to a
//     later root takes no decision of an earlier one any more.
//  4. Whoever has voted to this member is told the decision, whether it is below in the tree as
//     this member sees it or not.
//  5. So is a root that has asked this member before it had the decision: the one that it has voted to may be known
//     to have failed by others only, and its decision still count here.
//
// Open MPI's source does not have 4, and leaves 3 to connections that are closed. Without 3 two crashes and a late
// message make survivors disagree; without 4 a crash that not all know of at once lets a member wait for ever.
type earlyReturning struct {
	*agreement
	tree    mended
	stage   uint32 // which of several agreements that are one call; part of its messages
	literal bool   // as Open MPI has it
	makes   bool   // its decision makes a communicator

	at       progress
	vote     *ballot // this member's own
	sum      *ballot // of the votes of this member and of those below it
	base     numbers // the acknowledged failures that those of others are compared with, if literal
	before   []heard // votes that came before this member's own
	odd      []heard // votes that are for something else, see rounds.fits
	gathered []int   // whose votes are in the sum
	asked    []int   // whom this member has asked as the root
	early    []int   // who has voted to it after it had voted itself
	askers   []int   // which roots have asked it, unless literal
	parent   int     // to whom its vote went

	decision *ballot
	payload  string // the same as a message
	done     func(decision *ballot)
}

func newEarlyReturning(a *agreement) *earlyReturning {
	return &earlyReturning{agreement: a, tree: mended{a.c}, done: a.decided}
}

func (e *earlyReturning) entered(own ballot) {
	e.makes = own.purpose == forShrink
	e.enter(&own)
}

// enter counts this member's own vote, after those that came before it.
func (e *earlyReturning) enter(own *ballot) {
	if e.at == settled {
		return
	}
	e.at, e.vote = collecting, own
	before := e.before
	e.before = nil
	for _, h := range before {
		e.count(h)
	}
	e.add(own)
	e.check()
}

// take takes a message.
func (e *earlyReturning) take(from int, kind mailbox.Kind, _ uint32, payload string) {
	switch {
	case !e.c.alive(from):
	case kind == decision:
		e.askers = without(e.askers, from)
		e.decide(decode(payload), payload)
	case e.at == settled: // also a vote says that its sender does not know the decision
		e.tell(from, decision, e.payload)
	case kind == vote:
		e.takeVote(heard{from, decode(payload)})
	default:
		e.answer(from)
	}
}

// answer answers a root that wants to know, before there is a decision here: this member may have voted to one that has failed.
func (e *earlyReturning) answer(root int) {
	if !e.literal && !slices.Contains(e.askers, root) {
		e.askers = append(e.askers, root)
	}
	if e.at != voted {
		return
	}
	if parent := e.tree.above(); parent != e.c.me {
		e.voteTo(parent)
	}
}

// takeVote takes the vote of a member and those below it.
func (e *earlyReturning) takeVote(h heard) {
	switch {
	case e.at == outside:
		e.before = append(e.before, h)
	case e.at == voted: // it was counted with the vote of one that has failed since
		if !slices.Contains(e.early, h.from) {
			e.early = append(e.early, h.from)
		}
	default:
		e.count(h)
		e.check()
	}
}

// count counts a vote of others, once.
func (e *earlyReturning) count(h heard) {
	switch {
	case slices.Contains(e.gathered, h.from):
	case h.vote.purpose != e.vote.purpose:
		e.odd = append(e.odd, h)
	default:
		e.add(h.vote)
		e.gathered = append(e.gathered, h.from)
	}
}

// add puts a vote to the sum.
func (e *earlyReturning) add(b *ballot) {
	if e.sum == nil {
		first := *b
		e.sum = &first
	} else {
		e.sum.add(b)
	}
	if e.literal {
		e.compare(b.acked)
	}
}

// compare reports a failure if two members have acknowledged different ones. In Open MPI's source an empty
// list counts as none: the next one takes its place, and nobody notices the difference.
func (e *earlyReturning) compare(acked numbers) {
	if e.base == "" {
		e.base = acked
	} else if acked != e.base {
		e.sum.reported = true
	}
}

// check votes, or decides, when all below have voted.
func (e *earlyReturning) check() {
	if e.at != collecting {
		return
	}
	waits := false
	for _, child := range e.tree.below() {
		if !slices.Contains(e.gathered, child) {
			waits = true
			e.c.r.watch(e.c.group.machineRank(child))
		}
	}
	if waits {
		return
	}
	e.complete()
	if parent := e.tree.above(); parent != e.c.me {
		e.at = voted
		e.voteTo(parent)
		return
	}
	verdict := *e.sum
	if e.makes {
		verdict.made = e.c.r.newIdentity()
	}
	e.decide(&verdict, verdict.encode())
}

// complete adds what this member knows by now to the sum.
func (e *earlyReturning) complete() {
	known := e.c.failedNumbers()
	if !e.literal {
		e.sum.failed = e.sum.failed.union(known)
		return
	}
	e.sum.acked = e.base
	acked := e.base.len()
	if e.c.r.failuresKnown() > acked && known.len() != acked { // as its source has it: sizes only
		e.sum.reported = true
	}
}

// failuresKnown is how many failures this rank knows of, of members of any communicator.
func (r *rank) failuresKnown() (count int) {
	var at cursor
	for {
		if _, ok := r.next(&at); !ok {
			return count
		}
		count++
	}
}

// voteTo sends the vote up, or sends it again.
func (e *earlyReturning) voteTo(parent int) {
	e.parent = parent
	e.c.r.watch(e.c.group.machineRank(parent))
	e.tell(parent, vote, e.sum.encode())
}

// decide takes the decision and hands it on.
func (e *earlyReturning) decide(verdict *ballot, payload string) {
	if e.at == settled {
		return
	}
	told := e.tree.below()
	for _, member := range told {
		e.tell(member, decision, payload)
	}
	others := e.early
	if !e.literal {
		others = slices.Concat(others, e.gathered, e.askers)
	}
	for _, member := range others {
		if !slices.Contains(told, member) && e.c.alive(member) {
			told = append(told, member)
			e.tell(member, decision, payload)
		}
	}
	e.at, e.decision, e.payload = settled, verdict, payload
	e.vote, e.sum, e.before, e.odd, e.gathered, e.asked, e.early, e.askers = nil, nil, nil, nil, nil, nil, nil, nil
	e.done(verdict)
}

// failed is called when the rank learns that a member has failed.
func (e *earlyReturning) failed(member int) {
	if e.at != collecting && e.at != voted {
		return
	}
	if e.literal && !e.vote.failed.has(member) {
		e.sum.reported = true // whoever it was: its name is not passed on before the next agreement
	}
	if e.at == voted {
		if member == e.parent {
			e.turn()
		}
		return
	}
	if slices.Contains(e.asked, member) {
		e.asked = without(e.asked, member)
		e.ask()
	}
	e.check()
}

// turn votes to the next one above, or begins again as the root.
func (e *earlyReturning) turn() {
	if !e.literal {
		e.complete()
	}
	if parent := e.tree.above(); parent != e.c.me {
		e.voteTo(parent)
		return
	}
	e.at = collecting
	e.ask()
	e.check()
}

// ask asks all below that were not asked yet.
func (e *earlyReturning) ask() {
	for _, child := range e.tree.below() {
		if !slices.Contains(e.asked, child) {
			e.asked = append(e.asked, child)
			e.c.r.watch(e.c.group.machineRank(child))
			e.tell(child, question, "")
		}
	}
}

// tell sends a message of this agreement.
func (e *earlyReturning) tell(to int, kind mailbox.Kind, payload string) {
	e.say(to, kind, e.stage, payload)
}

// waitsFor says for what, in words.
func (e *earlyReturning) waitsFor() (what string, members []int) {
	if len(e.odd) > 0 {
		return "the vote of", []int{e.odd[0].from}
	}
	if e.at == voted {
		return "the decision from", []int{e.parent}
	}
	for _, child := range e.tree.below() {
		if !slices.Contains(e.gathered, child) {
			members = append(members, child)
		}
	}
	if len(members) == 1 {
		return "the vote of", members
	}
	return "the votes of", members
}

// against says what a member has called that keeps this one waiting by it; "" if none has.
func (e *earlyReturning) against() string {
	if len(e.odd) > 0 {
		return purposeNames[e.odd[0].vote.purpose]
	}
	return ""
}
