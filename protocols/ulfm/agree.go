package ulfm

import (
	"fmt"
	"slices"
)

// Agree returns the bitwise and of the flags of all members that took part, the same on every
// member that returns. It works on revoked communicators and with failed members.
//
// It reports ErrProcFailed on all members or on none: if there is a failure that not all members
// had acknowledged. GetFailed then has every member that did not take part. The flags are good in
// any case. All members must call their agreements (Agree, Shrink, Create) in the same order.
func (c *Comm) Agree(flags int64) (int64, error) {
	d := c.enter(ballot{purpose: forAgree, flags: flags})
	if slices.Contains(d.failed, c.me) {
		return d.flags, ErrExcluded
	}
	if open := d.unacknowledged(); len(open) > 0 {
		return d.flags, failedError(open)
	}
	return d.flags, nil
}

// Shrink returns a communicator of the members that are left, in the order of their ranks here.
// All of them call it. Whoever a member knew to have failed when it called is not part of it; one
// that failed since may be. It works on revoked communicators and with failed members.
func (c *Comm) Shrink() (*Comm, error) {
	d := c.enter(ballot{purpose: forShrink, flags: -1})
	if slices.Contains(d.failed, c.me) {
		return nil, ErrExcluded
	}
	smaller := c.r.open(d.next, c.group.without(d.failed))
	for _, member := range d.failed {
		smaller.left = append(smaller.left, c.group.machineRank(member))
	}
	return smaller, nil
}

// Create returns a communicator of some members, whose ranks here are given in ascending order.
// All members call it; groups of different members may be given at the same time, if they have no
// member in common. Those who are not in the group they give get nil. It fails on all members or
// on none.
func (c *Comm) Create(members []int) (*Comm, error) {
	for i, member := range members {
		c.check("Create", member)
		if i > 0 && member <= members[i-1] {
			panic(fmt.Sprintf("ulfm: Create of ranks %v, want them in ascending order", members))
		}
	}
	d := c.enter(ballot{purpose: forCreate, flags: -1})
	switch {
	case d.revoked:
		return nil, ErrRevoked
	case slices.Contains(d.failed, c.me):
		return nil, ErrExcluded
	case len(d.failed) > 0:
		return nil, failedError(d.failed)
	}
	if !slices.Contains(members, c.me) {
		c.r.next = max(c.r.next, d.next+1)
		return nil, nil
	}
	return c.r.open(d.next, c.group.only(members)), nil
}
