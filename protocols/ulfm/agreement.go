package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// Agreement is the algorithm by which members agree.
type Agreement uint8

const (
	// Rounds goes up and down a binomial tree; should its root fail, the next member begins
	// anew and asks all others.
	Rounds Agreement = iota
	// EarlyReturning is the early-returning agreement of Herault et al. (SC'15): one tree, which
	// everybody mends around those that he knows to have failed, the root included.
	EarlyReturning
	// OpenMPI is the same as Open MPI has it: failures that became known on the way are reported without a
	// name, lists of acknowledged failures are compared as its source does, and Shrink takes
	// four agreements or more. See docs/agreement.md for what that breaks.
	OpenMPI
	// Gathering is MPICH's way: rank 0 gathers who has failed, then all others reduce over
	// those that are left. That is no consensus: it is good for failures that all ranks knew of before
	// they called, as long as rank 0 lives and nobody fails on the way.
	Gathering
)

var agreementNames = [...]string{Rounds: "rounds", EarlyReturning: "era", OpenMPI: "openmpi", Gathering: "mpich"}

// String names it as lines do.
func (a Agreement) String() string { return agreementNames[a] }

// start begins an agreement on a member.
func (a Agreement) start(c *Comm, number uint32) *agreement {
	if a == Rounds {
		return newRounds(c, number)
	}
	of := &agreement{c: c, number: number}
	switch a {
	case EarlyReturning:
		of.how = newEarlyReturning(of)
	case OpenMPI:
		of.how = &openMPI{agreement: of}
	case Gathering:
		of.how = newGathering(of)
	}
	return of
}

// consensus is an algorithm at work: one agreement as one member sees it. It may begin with a
// message of another member, before the program calls it here.
type consensus interface {
	// entered is called when the program has called it, with its vote.
	entered(own ballot)
	// take takes a message; what is the part of its A that is the algorithm's.
	take(from int, kind mailbox.Kind, what uint32, payload string)
	// failed is called when the rank learns that a member has failed.
	failed(member int)
	// waitsFor says on what this member waits, and whose message that would be.
	waitsFor() (what string, members []int)
	// against is what that member has called, if it is not the same; else "".
	against() string
}

// agreement is one agreement of a communicator. The algorithm sets the verdict.
type agreement struct {
	c      *Comm
	how    consensus
	number uint32

	called  bool    // by the program, here
	verdict *ballot // nil before the program may go on
}

// underWay says that the program has called it, and waits for the verdict.
func (a *agreement) underWay() bool { return a.called && a.verdict == nil }

// decided tells the program what it has waited for.
func (a *agreement) decided(verdict *ballot) {
	if a.verdict == nil {
		a.verdict = verdict
	}
}

// say sends a message of this agreement.
func (a *agreement) say(to int, kind mailbox.Kind, what uint32, payload string) {
	a.c.post(to, mailbox.Message{Kind: kind, A: int64(a.number)<<32 | int64(what), Payload: payload})
}

// enter takes part with a vote, and does not wait.
func (c *Comm) enter(own ballot) *agreement {
	number := c.called
	a := c.agreement(number)
	c.called++
	own.revoked = c.revoked
	own.since = number
	for _, other := range c.agreements {
		if other.verdict == nil {
			own.since = min(own.since, other.number)
		}
	}
	own.busy = c.r.underWay()
	own.failed = c.failedNumbers()
	if own.purpose == forAgree {
		own.acked = own.failed
		if c.acked < c.failed {
			own.acked = ascending(c.failures(0, int(c.acked)))
		}
	}
	a.called = true
	a.how.entered(own)
	c.r.watch(c.r.Rank()) // a detector that is wrong may take this rank for failed
	return a
}

// underWay reports whether an agreement was called that has no decision yet.
func (r *rank) underWay() bool {
	return slices.ContainsFunc(r.comms, func(c *Comm) bool {
		return slices.ContainsFunc(c.agreements, (*agreement).underWay)
	})
}

// decide enters an agreement and returns the decision, or ErrExcluded.
func (c *Comm) decide(own ballot) (*ballot, error) {
	a := c.enter(own)
	for a.verdict == nil {
		if c.r.excluded { // nobody votes for it any more
			return nil, ErrExcluded
		}
		c.r.wait(doing{call: purposeNames[own.purpose], c: c, peer: None, agreement: a})
	}
	return c.conclude(a)
}

// conclude does what follows from a decision.
func (c *Comm) conclude(a *agreement) (*ballot, error) {
	d := a.verdict
	c.agreements = slices.DeleteFunc(c.agreements, func(old *agreement) bool { return old.number < d.since })
	if !d.busy {
		c.settle()
	}
	c.r.ask() // what is known here anyway need not be told
	for member := range d.failed.all() {
		c.r.hear(c.group.process(member))
	}
	if d.failed.has(c.me) {
		return d, ErrExcluded
	}
	return d, nil
}

// agreement finds the agreement of a number, or begins it: members do not enter it all at once.
// It is nil if all have its decision.
func (c *Comm) agreement(number uint32) *agreement {
	for _, a := range c.agreements {
		if a.number == number {
			return a
		}
	}
	if number < c.called || c.freed {
		return nil
	}
	a := c.r.options.Agreement.start(c, number)
	c.agreements = append(c.agreements, a)
	return a
}

// handleAgreement takes a message of an agreement.
func (c *Comm) handleAgreement(from int, m mailbox.Message) {
	if a := c.agreement(uint32(m.A >> 32)); a != nil {
		a.how.take(from, m.Kind, uint32(m.A), m.Payload)
	}
}
