package ulfm

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/recent"
)

// AckFailed acknowledges the first failures of members that are known here, in the order of
// GetFailed: so many of them, or all if there are not as many. It returns how many are acknowledged now; those
// that were stay so. From then on receives from any source wait for those that are left, and Agree
// does not report these failures once all members have acknowledged them. It is local, and does
// not bring back collective operations.
func (c *Comm) AckFailed(count int) int {
	if count < 0 {
		panic(fmt.Sprintf("ulfm: AckFailed of %d failures, want 0 or more", count))
	}
	c.look()
	c.acked = max(c.acked, int32(min(count, c.knownFailed())))
	return int(c.acked)
}

// FailureAck acknowledges all failures of members that are known here; see AckFailed.
func (c *Comm) FailureAck() {
	c.look()
	c.acked = int32(c.knownFailed())
}

// GetAcked returns the failures that were acknowledged, in the order in which they became known, by
// the numbers of members.
func (c *Comm) GetAcked() []int { return c.failures(0, int(c.acked)) }

// GetFailed returns the members that are known here to have failed, by their numbers in the
// communicator, in the order in which that became known: every answer begins with the one before.
// It is local.
func (c *Comm) GetFailed() []int {
	c.look()
	return c.failures(0, c.knownFailed())
}

// look learns what there is to know.
func (c *Comm) look() {
	c.begin("GetFailed")
	c.r.pause()
}

// knownFailed is how many members this rank knows to have failed, without asking.
func (c *Comm) knownFailed() int {
	for !c.r.noting {
		p, ok := c.r.next(&c.looked)
		if !ok {
			return int(c.failed)
		}
		if _, ok := c.group.memberOf(p); ok {
			c.failed++
		}
	}
	return int(c.failed) // a rank that is no more cannot look, and has seen no others
}

// failures lists members that are known to have failed, from one place in the list to another. Who they
// are is worked out anew: the list is that of the failure detector, which all ranks share.
func (c *Comm) failures(from, to int) (members []int) {
	if from == to {
		return nil
	}
	members = make([]int, 0, to)
	for at := (cursor{}); len(members) < to; {
		p, _ := c.r.next(&at)
		if member, ok := c.group.memberOf(p); ok {
			members = append(members, member)
		}
	}
	return members[from:]
}

// failedNumbers lists the members that are known to have failed, ascending. Members agree several
// times about the same failures.
func (c *Comm) failedNumbers() numbers {
	if c.listed.len() < c.knownFailed() {
		c.listed = c.listFailed()
	}
	return c.listed
}

var failedLists recent.Values[numbers]

// listFailed works that list out, or finds that others have it.
func (c *Comm) listFailed() numbers {
	list, found := failedLists.Find(func(list *numbers) bool {
		if list.len() != int(c.failed) {
			return false
		}
		for at := (cursor{}); ; {
			p, ok := c.r.next(&at)
			if !ok {
				return true
			}
			if member, ok := c.group.memberOf(p); ok && !list.has(member) {
				return false
			}
		}
	})
	if !found {
		all := ascending(c.failures(0, int(c.failed)))
		list = &all
		failedLists.Keep(list)
	}
	return *list
}

// failedError names those members that are known to have failed and not acknowledged, or all.
func (c *Comm) failedError(acknowledged int) error {
	if acknowledged == 0 {
		return failedError(c.failedNumbers())
	}
	return failedError(ascending(c.failures(acknowledged, int(c.failed))))
}

// unacknowledged reports whether there are failures that were not acknowledged.
func (c *Comm) unacknowledged() bool { return c.knownFailed() > int(c.acked) }

// alive reports whether a member is not known to have failed.
func (c *Comm) alive(member int) bool {
	return member == c.me || c.knownFailed() == 0 || !c.r.hasFailed(c.group.process(member))
}
