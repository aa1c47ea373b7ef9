package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

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
	a.c.post(member, mailbox.Message{Kind: question, A: a.stamp()})
}

// say sends a ballot about the present round.
func (a *agreement) say(to int, kind mailbox.Kind, b ballot) {
	a.c.post(to, mailbox.Message{Kind: kind, A: a.stamp(), Payload: b.encode()})
}

// stamp is how messages say what they belong to.
func (a *agreement) stamp() int64 { return int64(a.number)<<32 | int64(a.round) }

// without returns the list without one element.
func without(list []int, x int) []int {
	return slices.DeleteFunc(list, func(y int) bool { return y == x })
}
