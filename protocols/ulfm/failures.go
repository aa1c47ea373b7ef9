package ulfm

import (
	"cmp"
	"maps"
	"slices"
)

// watch makes sure that the failure of a rank of the machine will be noticed.
func (r *rank) watch(machineRank int) {
	if r.watched[machineRank] || r.isFailed[machineRank] {
		return
	}
	if r.watched == nil {
		r.watched = make(map[int]bool)
	}
	r.watched[machineRank] = true
	r.detector.Watch(machineRank)
}

// watchAll makes sure that the next failure of any rank will be noticed.
func (r *rank) watchAll() {
	if r.watching == r.asked+1 {
		return
	}
	r.watching = r.asked + 1
	r.detector.WatchNext(r.asked)
}

// ask learns of all failures that the detector knows.
func (r *rank) ask() {
	for {
		failed, ok := r.detector.Known(r.asked)
		if !ok {
			return
		}
		r.asked++
		r.noticed(failed)
	}
}

// suspects reports whether a rank of the machine is known to have failed; it asks the detector.
func (r *rank) suspects(machineRank int) bool {
	if !r.isFailed[machineRank] && r.detector.Suspects(machineRank) {
		r.noticed(machineRank)
	}
	return r.isFailed[machineRank]
}

// noticed is called when the rank learns of a failure, in whatever way. What follows from it is
// left to react: it may become known in the middle of something.
func (r *rank) noticed(machineRank int) {
	if machineRank == r.Rank() { // so the detector is wrong
		r.excluded = true
		return
	}
	if r.isFailed[machineRank] {
		return
	}
	if r.isFailed == nil {
		r.isFailed = make(map[int]bool)
	}
	r.isFailed[machineRank] = true
	r.failed = append(r.failed, machineRank)
}

// react does what follows from failures that have become known, and reports whether there were any.
func (r *rank) react() (any bool) {
	for ; r.reacted < len(r.failed); r.reacted++ {
		any = true
		for _, c := range r.inOrder() {
			if member, ok := c.group.member(r.failed[r.reacted]); ok {
				c.memberFailed(member)
			}
		}
	}
	return any
}

// inOrder returns the communicators in the order of their numbers: what is sent must not depend on
// the order of a map.
func (r *rank) inOrder() []*Comm {
	return slices.SortedFunc(maps.Values(r.comms), func(a, b *Comm) int { return cmp.Compare(a.number, b.number) })
}

// FailureAck acknowledges all failures of members that are known here. From then on receives from
// any source wait for those that are left, and Agree does not report these failures once all
// members have acknowledged them. It is local, and does not bring back collective operations.
func (c *Comm) FailureAck() { c.acked = len(c.GetFailed()) }

// GetAcked returns the failures that were acknowledged, in the order in which they became known.
func (c *Comm) GetAcked() []int { return slices.Clone(c.knownFailed()[:c.acked]) }

// GetFailed returns the members that are known here to have failed, in the order in which that
// became known: every answer begins with the one before. It is local.
func (c *Comm) GetFailed() []int {
	c.r.catchUp()
	c.r.ask()
	return slices.Clone(c.knownFailed())
}

// knownFailed is what this rank knows without asking.
func (c *Comm) knownFailed() []int {
	for ; c.looked < len(c.r.failed); c.looked++ {
		if member, ok := c.group.member(c.r.failed[c.looked]); ok {
			c.failed = append(c.failed, member)
		}
	}
	return c.failed
}

// unacknowledged reports whether there are failures that were not acknowledged.
func (c *Comm) unacknowledged() bool { return len(c.knownFailed()) > c.acked }

// alive reports whether a member is not known to have failed; it asks the detector.
func (c *Comm) alive(member int) bool {
	return member == c.me || !c.r.suspects(c.group.machineRank(member))
}
