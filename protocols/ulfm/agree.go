package ulfm

// Agree returns the bitwise and of the flags of all members that took part, the same on every
// member that returns. It works on revoked communicators and with failed members.
//
// It reports ErrProcFailed on all members or on none: if there is a failure that not all members
// had acknowledged. GetFailed then has every member that did not take part. The flags are good in
// any case. All members must call their agreements (Agree, Iagree, Shrink, Ishrink) in the same order.
func (c *Comm) Agree(flags int64) (int64, error) {
	c.begin("Agree")
	d, err := c.decide(ballot{purpose: forAgree, flags: flags})
	if err != nil {
		return flags, c.raise(err)
	}
	return d.flags, c.raise(d.agreed())
}

// agreed says how an agreement ends.
func (b *ballot) agreed() error {
	if open := b.unacknowledged(); open != "" || b.reported {
		return failedError(open)
	}
	return nil
}

// shrunk says whether members have agreed on who is left: algorithms that are no consensus give up.
func (b *ballot) shrunk() error {
	if b.reported {
		return failedError(b.failed)
	}
	return nil
}

// Iagree begins an agreement, which goes on whenever the program is in a call. When the request is
// complete its Flags are the result.
func (c *Comm) Iagree(flags int64) *Request {
	c.begin("Iagree")
	return &Request{c: c, call: "Iagree", from: None, agreement: c.enter(ballot{purpose: forAgree, flags: flags})}
}

// Shrink returns a communicator of the members that are left, in the order of their ranks here.
// All of them call it. Whoever a member knew to have failed when it called is not part of it; one
// that failed since may be. It works on revoked communicators and with failed members.
func (c *Comm) Shrink() (*Comm, error) {
	c.begin("Shrink")
	d, err := c.decide(ballot{purpose: forShrink, flags: -1})
	if err == nil {
		err = d.shrunk()
	}
	if err != nil {
		return nil, c.raise(err)
	}
	return c.shrinkTo(d), nil
}

// Ishrink begins to shrink the communicator, which goes on whenever the program is in a call. When the
// request is complete its Comm is the new communicator.
func (c *Comm) Ishrink() *Request {
	c.begin("Ishrink")
	r := &Request{c: c, call: "Ishrink", from: None, agreement: c.enter(ballot{purpose: forShrink, flags: -1})}
	c.r.more().coming++
	return r
}

// shrinkTo makes the communicator that a decision is about.
func (c *Comm) shrinkTo(d *ballot) *Comm {
	smaller := c.child(d.made, c.group.without(d.failed))
	smaller.within, smaller.covers = true, true
	smaller.left = c.group.machineRanks(d.failed)
	return smaller
}

// agreed is the outcome of an agreement that was begun before.
func (r *Request) agreed() (done bool, err error) {
	c := r.c
	switch {
	case r.agreement.verdict == nil && c.r.excluded:
		return false, ErrExcluded
	case r.agreement.verdict == nil:
		return false, nil
	}
	d, err := c.conclude(r.agreement)
	r.agreement = nil
	shrinks := d.purpose == forShrink
	if shrinks {
		c.r.more().coming--
	}
	if err == nil && shrinks {
		err = d.shrunk()
	}
	if err == nil && shrinks {
		r.made = c.shrinkTo(d)
	} else if err == nil {
		r.flags, err = d.flags, d.agreed()
	}
	r.matched, r.err = err == nil, err
	return r.matched, r.err
}
