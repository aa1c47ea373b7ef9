package ulfm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// Uniform says which calls report a failure on all members or on none.
type Uniform uint8

const (
	// UniformLocal: errors are local, as in MPI. Of those who create a communicator some may have
	// it while others have an error, so a program has to Agree before it uses it.
	UniformLocal Uniform = iota
	// UniformConstruct: Create, Dup and Split have the new communicator on all members that live, or
	// an error on all of them. They cost an agreement more.
	UniformConstruct
)

// SetErrorUniform says which calls on this communicator, and on those made of it, report failures
// on all members or on none. All members must say the same.
func (c *Comm) SetErrorUniform(u Uniform) { c.uniform = u }

// Undefined is the colour of those who take no part in any of the new communicators of Split, and the rank of those who are not in a group.
const Undefined = -1

// Create returns a communicator of some members, in the order in which their ranks here are given.
// All members call it; groups of different members may be given at the same time, if they have no
// member in common. Those who are not in the group they give get nil.
//
// It is a collective operation: it fails if a member fails, on some members or on all.
func (c *Comm) Create(members []int) (*Comm, error) {
	seen := make(map[int]bool, len(members))
	for _, member := range members {
		c.check("Create", member)
		if seen[member] {
			panic(fmt.Sprintf("ulfm: Create of ranks %v, want each once", members))
		}
		seen[member] = true
	}
	return c.create("Create", "", nothing, func(string) (group, bool) { return c.group.only(members), seen[c.me] })
}

// Dup returns another communicator of the same members; see Create.
func (c *Comm) Dup() (*Comm, error) {
	return c.create("Dup", "", nothing, func(string) (group, bool) { return c.group, true })
}

// Split returns communicators of the members that give the same colour, 0 or more, in the order of
// their keys, and of their ranks here where these are the same. Those who give Undefined get nil.
// See Create.
func (c *Comm) Split(colour, key int) (*Comm, error) {
	if colour < Undefined {
		panic(fmt.Sprintf("ulfm: Split with colour %d, want 0 or more, or %d for none", colour, Undefined))
	}
	own := varint.Append(nil, c.me)
	own = varint.Append(own, colour+1)
	own = varint.AppendSigned(own, int64(key))
	return c.create("Split", string(own), c.putTogether, func(all string) (group, bool) {
		return groupOfColour(all, colour)
	})
}

// atRoot makes of what all members bring what all of them get. It may wait, and fail.
type atRoot func(all string) (string, error)

func nothing(string) (string, error) { return "", nil }

// create carries a collective operation through that makes a communicator. Then made says which
// group this member is to be in, if any.
func (c *Comm) create(call, own string, root atRoot, made func(all string) (group, bool)) (*Comm, error) {
	c.begin(call)
	id, all, err := c.exchange(call, own, root)
	if c.uniform == UniformConstruct {
		err = c.confirm(err)
	}
	if err != nil {
		return nil, c.raise(err)
	}
	members, in := made(all)
	if !in {
		return nil, nil
	}
	child := c.child(id, members)
	if c.r.options.Diary != nil {
		child.more().making = &Making{call, c.String(), int64(c.created)}
	}
	child.within, child.covers = true, members.len() == c.Size()
	return child, nil
}

// child makes a communicator of this one.
func (c *Comm) child(id identity, members group) *Comm {
	child := c.r.open(id, members)
	child.parent, child.uniform = c.id, c.uniform
	child.inherit(c)
	return child
}

// confirm has all members agree on whether all have come to the end.
func (c *Comm) confirm(err error) error {
	flags := int64(1)
	if err != nil {
		flags = 0
	}
	d, excluded := c.decide(ballot{purpose: forCreate, flags: flags})
	switch {
	case excluded != nil:
		return excluded
	case d.revoked:
		return ErrRevoked
	case d.failed != "" || d.reported:
		return failedError(d.failed)
	case d.flags == 0: // by a failure that is known now, too
		panic("ulfm: a communicator could not be created, and nobody knows why")
	}
	return nil
}

// exchange puts together what all members bring, up a binomial tree, and hands to all what its root
// makes of it, with a new identity.
func (c *Comm) exchange(call, own string, root atRoot) (id identity, all string, err error) {
	up, down := c.nextTags()
	parent, below, children := c.neighbours()
	sum := own
	for _, child := range children {
		got, err := c.receive(&c.r.blocking, call, creation, child, up).complete()
		if err != nil {
			return 0, "", err
		}
		sum += got.Payload
	}
	if below {
		if err := c.send(call, creation, parent, up, sum); err != nil {
			return 0, "", err
		}
		got, err := c.receive(&c.r.blocking, call, creation, parent, down).complete()
		if err != nil {
			return 0, "", err
		}
		sum = got.Payload
	} else {
		made, err := root(sum)
		if err != nil {
			return 0, "", err
		}
		sum = string(varint.Append(nil, int(c.r.newIdentity()))) + made
	}
	for _, child := range children {
		if err := c.send(call, creation, child, down, sum); err != nil {
			return 0, "", err
		}
	}
	r := varint.Reader{Rest: sum}
	id = identity(r.Number())
	return id, r.Rest, nil
}

// nextTags are those of the messages of the next collective operation, up a tree and down.
func (c *Comm) nextTags() (up, down int64) {
	number := int64(c.created)
	c.created++
	return 2 * number, 2*number + 1
}

// neighbours are who is right above and below this member in the tree of operations in which all take
// part; below is false for its root.
func (c *Comm) neighbours() (parent int, below bool, children []int) { return around(c.Size(), c.me) }

// around are who is right above and below a place in a binomial tree.
func around(size, place int) (parent int, below bool, children []int) {
	shape := binomial(size)
	for i := 0; ; i++ {
		child, ok := shape.Child(place, i)
		if !ok {
			break
		}
		children = append(children, child)
	}
	parent, below = shape.Parent(place)
	return parent, below, children
}

// complete is waitBlocking for a call that goes on afterwards: it ends no call.
func (r *Request) complete() (Received, error) {
	for {
		done, err := r.outcome()
		if done || err != nil {
			r.Cancel()
			return r.got, err
		}
		r.c.r.wait(doing{call: r.call, c: r.c, peer: int32(r.from)})
	}
}

// putTogether puts members together that have given the same colour, in the order of the new
// communicator.
func (c *Comm) putTogether(all string) (string, error) {
	type entry struct{ member, colour, key int }
	var entries []entry
	for r := (varint.Reader{Rest: all}); r.Rest != ""; {
		member, colour, key := r.Number(), r.Number()-1, int(r.Signed())
		if colour != Undefined {
			entries = append(entries, entry{member, colour, key})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.colour, b.colour), cmp.Compare(a.key, b.key), cmp.Compare(a.member, b.member))
	})
	var buffer []byte
	for i := 0; i < len(entries); {
		var members []int
		colour := entries[i].colour
		for ; i < len(entries) && entries[i].colour == colour; i++ {
			members = append(members, entries[i].member)
		}
		ranks, lives := c.group.lists(members)
		buffer = varint.Append(buffer, colour)
		buffer = varint.AppendText(buffer, string(ranks))
		buffer = varint.AppendText(buffer, string(lives))
	}
	return string(buffer), nil
}

// groupOfColour finds the group of a colour in what putTogether has made.
func groupOfColour(all string, colour int) (group, bool) {
	for r := (varint.Reader{Rest: all}); r.Rest != "" && colour != Undefined; {
		found := r.Number() == colour
		ranks, lives := numbers(r.Text()), numbers(r.Text())
		if found {
			return groupOf(ranks, lives), true
		}
	}
	return group{}, false
}
