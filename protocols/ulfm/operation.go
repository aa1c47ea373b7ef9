package ulfm

import "slices"

// operation is a collective operation that was begun, on one of its members.
type operation interface {
	// advance does what can be done by now, and reports whether the operation is complete here. It may be called again after an
	// error, and returns the same then.
	advance() (done bool, err error)
	// cancel gives up what is still to come.
	cancel()
	// waitsFor are the members from whom a message is still to come.
	waitsFor() []int
}

// goOn lets an operation go on from now on whenever the program is in a call, whichever that is: others may wait for this rank while it waits
// for something else.
func (r *rank) goOn(request *Request) *Request {
	own := r.more()
	own.ongoing = append(own.ongoing, request)
	r.progress()
	return request
}

// progress does what operations that were begun can do by now, and reports whether that has taken time.
func (r *rank) progress() bool {
	own := r.seldom
	if len(own.ongoing) == 0 {
		return false
	}
	began := r.Now()
	own.ongoing = slices.DeleteFunc(own.ongoing, func(request *Request) bool {
		if request.over || request.c.freed {
			return true
		}
		done, err := request.outcome() // the error is for those who wait for the request
		return done || err != nil
	})
	return r.Now() > began
}

// passing is an operation in which data goes up a tree of all members, comes down, or both.
type passing struct {
	c        *Comm
	call     string
	up, down int64 // the tags of messages
	below    []*Request
	above    *Request // nil at the root, and if nothing comes down
	parent   int      // None at the root
	children []int
	own      string // what this member brings; then what has come to it

	// gather makes what goes up of what this member has and what comes from those below, in the order of the tree. Nil: nothing
	// goes up.
	gather func(own string, below []string) string
	// take makes what this member has of what comes from above. Nil: it is the same.
	take func(own, above string) string
	// share is what a member right below gets of it. Nil: nothing comes down.
	share func(own string, child int) string
	// keep is what this member keeps of it. Nil: all.
	keep func(own string) string

	gathered bool
}

// inTree places an operation in the tree of all members with this root.
func (c *Comm) inTree(call string, root int, own string) *passing {
	c.check(call, root)
	size := c.Size()
	member := func(place int) int { return (place + root) % size }
	above, below, children := around(size, (c.me-root+size)%size)
	p := &passing{c: c, call: call, parent: None, own: own}
	if below {
		p.parent = member(above)
	}
	for _, child := range children {
		p.children = append(p.children, member(child))
	}
	return p
}

// start begins the operation. It is part of a call.
func (p *passing) start() *Request {
	c := p.c
	p.up, p.down = c.nextTags()
	if p.gather != nil {
		for _, child := range p.children {
			p.below = append(p.below, c.receive(new(Request), p.call, creation, child, p.up))
		}
	}
	if p.share != nil && p.parent != None {
		p.above = c.receive(new(Request), p.call, creation, p.parent, p.down)
	}
	return &Request{c: c, call: p.call, from: None, operation: p}
}

func (p *passing) advance() (done bool, err error) {
	for _, r := range p.below {
		if !r.matched {
			return false, r.failure()
		}
	}
	if p.gather != nil && !p.gathered {
		p.gathered = true
		var below []string
		for _, r := range p.below {
			below = append(below, r.got.Payload)
		}
		p.own = p.gather(p.own, below)
		if p.parent != None {
			if err := p.c.send(p.call, creation, p.parent, p.up, p.own); err != nil {
				return false, err
			}
		}
	}
	return p.handDown()
}

// handDown waits for what comes from above, and passes it on.
func (p *passing) handDown() (done bool, err error) {
	if p.share == nil {
		return true, nil
	}
	if p.above != nil {
		switch {
		case !p.above.matched:
			return false, p.above.failure()
		case p.take != nil:
			p.own = p.take(p.own, p.above.got.Payload)
		default:
			p.own = p.above.got.Payload
		}
		p.above = nil
	}
	for _, child := range p.children { // all at once: what keeps one from being sent keeps all later ones
		if err := p.c.send(p.call, creation, child, p.down, p.share(p.own, child)); err != nil {
			return false, err
		}
	}
	if p.keep != nil {
		p.own = p.keep(p.own)
	}
	return true, nil
}

func (p *passing) cancel() {
	for _, r := range p.below {
		r.Cancel()
	}
	if p.above != nil {
		p.above.Cancel()
	}
}

func (p *passing) waitsFor() (members []int) {
	for _, r := range p.below {
		if !r.matched {
			members = append(members, r.from)
		}
	}
	if members == nil && p.above != nil {
		members = append(members, p.above.from)
	}
	return members
}

// whole shares all that there is.
func whole(own string, _ int) string { return own }
