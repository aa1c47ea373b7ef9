package ulfm

// Barrier waits until all members have called it. It is a collective operation: it fails as soon
// as a member is known here to have failed.
func (c *Comm) Barrier() error {
	c.begin("Barrier")
	_, err := c.barrier("Barrier").wait()
	return err
}

// Ibarrier begins a Barrier, which goes on whenever the program is in a call.
func (c *Comm) Ibarrier() *Request {
	c.begin("Ibarrier")
	return c.r.goOn(c.barrier("Ibarrier"))
}

// barrier begins one. It is part of a call.
func (c *Comm) barrier(call string) *Request {
	b := &barrier{c: c}
	b.up, b.down = c.nextTags()
	parent, below, children := c.neighbours()
	for _, child := range children {
		b.below = append(b.below, c.receive(new(Request), call, creation, child, b.up))
	}
	if below {
		b.above = c.receive(new(Request), call, creation, parent, b.down)
	}
	return &Request{c: c, call: call, from: None, operation: b}
}

// barrier is one that is under way: word that all are there goes up a binomial tree and comes down.
type barrier struct {
	c        *Comm
	up, down int64
	below    []*Request // of those below
	above    *Request   // nil for the root
	sent     bool       // that all below are there
}

// advance does what can be done, and reports whether all are there.
func (b *barrier) advance() (done bool, err error) {
	for _, r := range b.below {
		if !r.matched {
			return false, r.failure()
		}
	}
	if b.above != nil && !b.sent {
		b.sent = true
		if err := b.c.send("Ibarrier", creation, b.above.from, b.up, ""); err != nil {
			return false, err
		}
	}
	if b.above != nil && !b.above.matched {
		return false, b.above.failure()
	}
	for _, r := range b.below {
		if err := b.c.send("Ibarrier", creation, r.from, b.down, ""); err != nil {
			return false, err
		}
	}
	return true, nil
}

// cancel gives up what is still to come.
func (b *barrier) cancel() {
	for _, r := range b.below {
		r.Cancel()
	}
	if b.above != nil {
		b.above.Cancel()
	}
}

// waitsFor are those from whom word is still to come.
func (b *barrier) waitsFor() (members []int) {
	for _, r := range b.below {
		if !r.matched {
			members = append(members, r.from)
		}
	}
	if members == nil && b.above != nil {
		members = append(members, b.above.from)
	}
	return members
}
