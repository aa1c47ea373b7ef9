package ulfm

import "github.com/mangrove-emu/mangrove/mailbox"

// Revoke makes the communicator unusable for all members, for good: whatever waits or is called
// later fails with ErrRevoked, apart from Agree and Shrink. It is not collective, one member calls
// it. It is not ordered against messages: what was sent before may come too late.
//
// It reaches all live members or, if it dies with all that have heard of it, none.
func (c *Comm) Revoke() {
	c.begin("Revoke")
	c.spreadRevoke(c.r.Rank())
}

// Revoked reports whether the communicator is known here to be revoked.
func (c *Comm) Revoked() bool {
	c.begin("Revoked")
	c.r.pause()
	return c.revoked
}

// spreadRevoke hands on what came from a rank of the machine.
func (c *Comm) spreadRevoke(from int) {
	if c.revoked {
		return
	}
	c.revoked = true
	c.arrived = inbox{}
	c.successor = int32(c.me)
	c.r.options.Revocation.spread(c, from)
}

// Revocation is how members hand on that a communicator is revoked.
type Revocation uint8

const (
	// BinomialGraph: everyone who hears of it first tells the members at distances of powers of
	// two in both directions, as in the thesis and in Open MPI. That alone stands a number of
	// failures; what makes it certain is that everyone is responsible for the next member alive,
	// and tells another should that one fail.
	BinomialGraph Revocation = iota
	// Flooding: everyone who hears of it first tells all others, as in MPICH. It needs no more
	// than that, and as many messages as there are pairs.
	Flooding
)

var revocationNames = [...]string{BinomialGraph: "binomial", Flooding: "flooding"}

// String names it as lines do.
func (v Revocation) String() string { return revocationNames[v] }

// spread is called when a member first hears that its communicator is revoked.
func (v Revocation) spread(c *Comm, from int) {
	if v == Flooding {
		for i := 1; i < c.Size(); i++ {
			c.tellRevoked((c.me+i)%c.Size(), from)
		}
		return
	}
	size := c.Size()
	for distance := 1; distance < size; distance *= 2 {
		if rest := size - distance; rest < distance && rest&(rest-1) == 0 {
			continue // the same two, the other way round the ring
		}
		ahead, behind := (c.me+distance)%size, (c.me-distance+size)%size
		c.tellRevoked(ahead, from)
		if behind != ahead {
			c.tellRevoked(behind, from)
		}
	}
	c.tellSuccessor()
}

// failed is called when a member of a revoked communicator is known to have failed.
func (v Revocation) failed(c *Comm, member int) {
	if v == BinomialGraph && member == int(c.successor) {
		c.tellSuccessor()
	}
}

// tellRevoked tells a member, unless that is known to have failed or is where it came from.
func (c *Comm) tellRevoked(member, from int) {
	if machineRank := c.group.machineRank(member); machineRank != from && c.alive(member) {
		c.post(member, mailbox.Message{Kind: revoke})
	}
}

// tellSuccessor tells the next member alive and watches it. The one right behind was told with
// the others.
func (c *Comm) tellSuccessor() {
	size := c.Size()
	first := (c.me + 1) % size
	for next := (int(c.successor) + 1) % size; next != c.me; next = (next + 1) % size {
		if c.alive(next) {
			c.successor = int32(next)
			if next != first {
				c.post(next, mailbox.Message{Kind: revoke})
			}
			c.r.watch(c.group.machineRank(next))
			return
		}
	}
	c.successor = int32(c.me)
}
