package ulfm

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Comm is a communicator as one of its members sees it. It belongs to the goroutine of its rank.
type Comm struct {
	r     *rank
	group group
	me    int
	left  numbers // of the machine, what Left returns

	// What is short stands together: there is one of these on every rank, and another after each failure.
	id        identity
	parent    identity // of which it was made
	called    uint32   // how many agreements were called here
	created   uint32   // how many communicators were created from it, or tried to, and other collective operations
	looked    cursor   // up to here the rank's failures were looked through for members
	failed    int32    // how many members were among them
	acked     int32    // how many of these are acknowledged
	successor int32    // the member behind this one that was told that it is revoked
	remote    int32    // where the numbers of those begin who send to this member, in an Intercomm
	uniform   Uniform
	revoked   bool
	freed     bool
	within    bool // all its members are members of the one that it was made of
	covers    bool // all members of that one are its members, if they live

	listed  numbers    // the first of its failed members, ascending, as they were asked for last
	arrived inbox      // messages that no receive has matched
	posted  []*Request // receives that no message has matched, in the order of posting

	agreements []*agreement  // those that somebody may still ask about
	room       [2]*agreement // for those of one collective operation
	extra      *extra        // never nil; changed by way of more only
}

// extra is what most communicators do without. Those share one with nothing in it.
type extra struct {
	handler  Errhandler
	making   *Making    // how it came about, if somebody will ask
	inviting *Intercomm // whom this is of, while those who were started may not know of it
}

var noExtra extra

// more is where a communicator puts something of that.
func (c *Comm) more() *extra {
	if c.extra == &noExtra {
		c.extra = new(extra)
	}
	return c.extra
}

// Rank is this rank's number in the communicator.
func (c *Comm) Rank() int { return c.me }

// Size is the number of members, failed ones included.
func (c *Comm) Size() int { return c.group.len() }

// MachineRank translates the number of a member to that of the machine.
func (c *Comm) MachineRank(member int) int {
	c.check("MachineRank", member)
	return c.group.machineRank(member)
}

// Member translates a rank of the machine; ok is false if it is not a member.
func (c *Comm) Member(machineRank int) (member int, ok bool) { return c.group.member(machineRank) }

// Members returns the ranks of the machine that the members are, in the order of their numbers.
func (c *Comm) Members() []int {
	all := make([]int, c.Size())
	for member := range all {
		all[member] = c.group.machineRank(member)
	}
	return all
}

// Membership says who the members of a communicator are. Two that are == have the same members, in the same order and in
// whatever run; two that are not may have.
type Membership struct{ of group }

// Membership is that of the communicator.
func (c *Comm) Membership() Membership { return Membership{c.group} }

// Left returns the ranks of the machine that were left out when this communicator was shrunk, in
// ascending order. It is the same on all members.
func (c *Comm) Left() []int { return c.left.slice() }

// Proc is the rank's own machine, for its clock, its random stream and named steps. Sending and
// receiving on it gets in the way of the communicators.
func (c *Comm) Proc() protocols.Proc { return c.r.Proc }

// Spend lets virtual time pass, as for a computation. Messages come in meanwhile, but are not
// answered before the next call.
func (c *Comm) Spend(t clock.Time) {
	if t > 0 {
		c.r.WaitUntil(c.r.Now() + t)
	}
}

// String names the communicator in diagnoses.
func (c *Comm) String() string { return c.r.describe(c.id) }

// check panics if there is no such member: a mistake in the program.
func (c *Comm) check(call string, member int) {
	if member < 0 || member >= c.Size() {
		panic(fmt.Sprintf("ulfm: %s of rank %d, want 0 to %d", call, member, c.Size()-1))
	}
}

// begin is how all calls on a communicator begin.
func (c *Comm) begin(call string) {
	if c.freed {
		panic(fmt.Sprintf("ulfm: %s on %v, which was freed", call, c))
	}
	c.r.begin(call)
}

// pause lets as little time pass as there is. A call that changes nothing takes that long: else a
// program that calls again and again until something has happened would wait for ever.
func (r *rank) pause() { r.WaitUntil(r.Now() + 1) }

// post sends a message of this package to a member.
func (c *Comm) post(to int, m mailbox.Message) {
	m.Epoch = uint32(c.id)
	c.r.Send(c.group.machineRank(to), m)
}

// handle takes a message of this communicator. There may be some of other ranks: of one that was
// told a decision that nobody else has heard of, acted on it and failed.
func (c *Comm) handle(e envelope) {
	from, ok := c.group.member(e.from)
	if !ok {
		return
	}
	switch e.m.Kind {
	case data, part, creation, synchronous, taken, grouping:
		c.deliver(e)
	case revoke:
		c.spreadRevoke(e.from)
	default:
		c.handleAgreement(from, e.m)
	}
}

// memberFailed is called when the rank learns that a member has failed.
func (c *Comm) memberFailed(member int) {
	if c.revoked {
		c.r.options.Revocation.failed(c, member)
	}
	if inter := c.extra.inviting; inter != nil {
		inter.welcome()
	}
	for _, a := range c.agreements {
		a.how.failed(member)
	}
}
