package ulfm

import "slices"

// Free gives the communicator up. All members do, each when it needs it no more; afterwards only
// Rank, Size, MachineRank, Member, Left and String may be called. Others may still ask this rank
// about the last agreement, so what is left of it is kept until all have gone on.
func (c *Comm) Free() {
	c.begin("Free")
	for _, r := range c.posted {
		r.over = true
	}
	c.freed = true
	c.arrived, c.posted, c.listed = inbox{}, nil, ""
	if len(c.agreements) == 0 && !c.revoked {
		c.r.drop(c)
	}
}

// drop forgets a communicator.
func (r *rank) drop(c *Comm) {
	if at, there := r.search(c.id); there {
		r.comms = slices.Delete(r.comms, at, at+1)
	}
	c.agreements = nil
}

// settle is called when all living members have called an agreement here. If none of them has
// others under way that it does not wait for, they have gone on from those communicators that were
// freed before and have no living members but these: those that were made of some members of this
// one, and the one that this was made of, if it has all of them.
func (c *Comm) settle() {
	for i := len(c.r.comms) - 1; i >= 0; i-- {
		other := c.r.comms[i]
		if other.freed && (other.parent == c.id && other.within || c.covers && other.id == c.parent) {
			c.r.drop(other)
		}
	}
}
