package ulfm

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// Collective operations with data. As in MPI all members call them in the same order, errors are local, and a member that has done
// its part may return while others fail. Package collective has operations that carry on after a failure.

// Bcast gives all members what the root has: what others bring does not matter. It is a collective operation: it fails as soon as a
// member is known here to have failed, unless it is complete here. So it may succeed on some members and fail on others.
func (c *Comm) Bcast(payload string, root int) (string, error) {
	c.begin("Bcast")
	r := c.bcast("Bcast", payload, root)
	_, err := r.wait()
	return r.payload(err), err
}

// Ibcast begins a [Comm.Bcast]. When the request is complete its [Request.Payload] is the result.
func (c *Comm) Ibcast(payload string, root int) *Request {
	c.begin("Ibcast")
	return c.r.goOn(c.bcast("Ibcast", payload, root))
}

func (c *Comm) bcast(call, payload string, root int) *Request {
	p := c.inTree(call, root, payload)
	p.share = whole
	return p.start()
}

// Gather brings what all members have to the root, which gets it by rank; others get nil. See Bcast.
func (c *Comm) Gather(payload string, root int) ([]string, error) {
	c.begin("Gather")
	r := c.gather("Gather", payload, root)
	_, err := r.wait()
	return r.payloads(err), err
}

// Igather begins a [Comm.Gather]. When the request is complete its [Request.Payloads] are the result.
func (c *Comm) Igather(payload string, root int) *Request {
	c.begin("Igather")
	return c.r.goOn(c.gather("Igather", payload, root))
}

func (c *Comm) gather(call, payload string, root int) *Request {
	p := c.inTree(call, root, string(appendBlock(nil, c.me, payload)))
	p.gather = concatenate
	return p.start()
}

// Allgather gives all members what all have, by rank. See Bcast.
func (c *Comm) Allgather(payload string) ([]string, error) {
	c.begin("Allgather")
	r := c.allgather("Allgather", payload)
	_, err := r.wait()
	return r.payloads(err), err
}

// Iallgather begins a [Comm.Allgather]. When the request is complete its [Request.Payloads] are the result.
func (c *Comm) Iallgather(payload string) *Request {
	c.begin("Iallgather")
	return c.r.goOn(c.allgather("Iallgather", payload))
}

func (c *Comm) allgather(call, payload string) *Request {
	p := c.inTree(call, 0, string(appendBlock(nil, c.me, payload)))
	p.gather, p.share = concatenate, whole
	return p.start()
}

// Scatter gives each member a part of its own of what the root has, by rank: what others bring does not matter. See Bcast.
func (c *Comm) Scatter(parts []string, root int) (string, error) {
	c.begin("Scatter")
	r := c.scatter("Scatter", parts, root)
	_, err := r.wait()
	return r.payload(err), err
}

// Iscatter begins a [Comm.Scatter]. When the request is complete its [Request.Payload] is the result.
func (c *Comm) Iscatter(parts []string, root int) *Request {
	c.begin("Iscatter")
	return c.r.goOn(c.scatter("Iscatter", parts, root))
}

func (c *Comm) scatter(call string, parts []string, root int) *Request {
	var all []byte
	if c.me == root {
		c.checkParts(call, parts)
		for member, part := range parts {
			all = appendBlock(all, member, part)
		}
	}
	p := c.inTree(call, root, string(all))
	p.share = func(own string, child int) string { return c.blocksBelow(own, root, child) }
	p.keep = c.ownBlock
	return p.start()
}

// checkParts panics unless there is one for each member: a mistake in the program.
func (c *Comm) checkParts(call string, parts []string) {
	if len(parts) != c.Size() {
		panic(fmt.Sprintf("ulfm: %s of %d parts, want %d, one for each member", call, len(parts), c.Size()))
	}
}

// appendBlock writes what belongs to a member, as a part of a message.
func appendBlock(to []byte, member int, payload string) []byte {
	return varint.AppendText(varint.Append(to, member), payload)
}

// blocks lists what such a message has, by member.
func (c *Comm) blocks(all string) []string {
	list := make([]string, c.Size())
	for r := (varint.Reader{Rest: all}); r.Rest != ""; {
		member := r.Number()
		list[member] = r.Text()
	}
	return list
}

// ownBlock is this member's part of such a message.
func (c *Comm) ownBlock(all string) string {
	for r := (varint.Reader{Rest: all}); ; {
		member := r.Number()
		if part := r.Text(); member == c.me {
			return part
		}
	}
}

// blocksBelow are those of a member and of all below it in a tree. In a binomial tree in the order of ranks these follow each other: as many as
// the lowest bit of its place says.
func (c *Comm) blocksBelow(all string, root, child int) string {
	place := (child - root + c.Size()) % c.Size()
	var below []byte
	for r := (varint.Reader{Rest: all}); r.Rest != ""; {
		member := r.Number()
		part := r.Text()
		if at := (member - root + c.Size()) % c.Size(); at >= place && at < place+place&-place {
			below = appendBlock(below, member, part)
		}
	}
	return string(below)
}

// concatenate puts blocks together.
func concatenate(own string, below []string) string {
	return own + strings.Join(below, "")
}
