package ulfm

import (
	"fmt"
	"slices"
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
	c.acked = max(c.acked, min(count, len(c.look())))
	return c.acked
}

// FailureAck acknowledges all failures of members that are known here; see AckFailed.
func (c *Comm) FailureAck() { c.acked = len(c.look()) }

// GetAcked returns the failures that were acknowledged, in the order in which they became known.
func (c *Comm) GetAcked() []int { return slices.Clone(c.knownFailed()[:c.acked]) }

// GetFailed returns the members that are known here to have failed, in the order in which that
// became known: every answer begins with the one before. It is local.
func (c *Comm) GetFailed() []int { return slices.Clone(c.look()) }

// look learns what there is to know.
func (c *Comm) look() []int {
	c.begin("GetFailed")
	c.r.pause()
	return c.knownFailed()
}

// knownFailed is what this rank knows without asking.
func (c *Comm) knownFailed() []int {
	for {
		p, ok := c.r.next(&c.looked)
		if !ok {
			return c.failed
		}
		if member, ok := c.group.memberOf(p); ok {
			c.failed = append(c.failed, member)
		}
	}
}

// unacknowledged reports whether there are failures that were not acknowledged.
func (c *Comm) unacknowledged() bool { return len(c.knownFailed()) > c.acked }

// alive reports whether a member is not known to have failed.
func (c *Comm) alive(member int) bool {
	return member == c.me || !c.r.hasFailed(c.group.process(member))
}
