package ulfm

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// CreateGroup returns a communicator of the processes of a group, all of which are members here. Only they need to call it, each with the same group and
// tag; others get nil at once. That others have failed does not matter: so it is a way to a communicator without them if all who are left know who is. It fails if a member of the
// group fails, on some of them or on all, so a program has to Agree before it uses the new communicator. Several that are under way at the
// same time on different ranks have different tags.
func (c *Comm) CreateGroup(g Group, tag int64) (*Comm, error) {
	checkTag("CreateGroup", tag, false)
	members := c.membersOf(g)
	place := slices.Index(members, c.me)
	c.begin("CreateGroup")
	if place < 0 {
		return nil, nil
	}
	made := &grouped{c: c, members: members, tag: groupTag(members, tag)}
	id, err := made.exchange(place)
	if err != nil {
		return nil, c.raise(err)
	}
	child := c.child(id, c.group.only(members))
	child.within, child.covers = true, len(members) == c.Size()
	return child, nil
}

// membersOf are the numbers of processes here. One who is no member is a mistake in the program.
func (c *Comm) membersOf(g Group) []int {
	members := make([]int, g.Size())
	for i, p := range g.list {
		member, ok := c.group.memberOf(p)
		if !ok {
			panic(fmt.Sprintf("ulfm: CreateGroup of a group with rank %d of the machine, which is no member of %v", p.rank, c))
		}
		members[i] = member
	}
	return members
}

// groupTag is the tag of the messages of a CreateGroup. Who has called how many collective operations differs from member to member here, so calls are
// told apart by the group and the program's tag. Those of the same group and tag come one after the other on all its members, and after one has
// failed all others do.
func groupTag(members []int, tag int64) int64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, tag, members)
	return int64(h.Sum64()>>2) << 1 // the last bit is which way a message goes
}

// grouped is a CreateGroup under way.
type grouped struct {
	c       *Comm
	members []int
	tag     int64
}

// exchange has word that all are there go up a binomial tree of the group, and a new identity come down.
func (g *grouped) exchange(place int) (id identity, err error) {
	if err := g.failure(); err != nil {
		return 0, err
	}
	parent, below, children := around(len(g.members), place)
	for _, child := range children {
		if _, err := g.receive(child, g.tag); err != nil {
			return 0, err
		}
	}
	made := ""
	if below {
		if err := g.send(parent, g.tag, ""); err != nil {
			return 0, err
		}
		if made, err = g.receive(parent, g.tag+1); err != nil {
			return 0, err
		}
	} else {
		made = string(varint.Append(nil, int(g.c.r.newIdentity())))
	}
	for _, child := range children {
		if err := g.send(child, g.tag+1, made); err != nil {
			return 0, err
		}
	}
	r := varint.Reader{Rest: made}
	return identity(r.Number()), nil
}

func (g *grouped) send(place int, tag int64, payload string) error {
	if err := g.failure(); err != nil {
		return err
	}
	return g.c.send("CreateGroup", grouping, g.members[place], tag, payload)
}

func (g *grouped) receive(place int, tag int64) (string, error) {
	from := g.members[place]
	r := g.c.receive(&g.c.r.blocking, "CreateGroup", grouping, from, tag)
	for !r.matched {
		if err := g.failure(); err != nil {
			r.Cancel()
			return "", err
		}
		g.c.r.watchAll()
		g.c.r.wait(doing{call: "CreateGroup", c: g.c, peer: int32(from)})
	}
	return r.got.Payload, nil
}

// failure is why the call fails: the communicator is revoked, or a member of the group has failed. Of others it knows nothing.
func (g *grouped) failure() error {
	if g.c.revoked {
		return ErrRevoked
	}
	var failed []int
	for _, member := range g.members {
		if !g.c.alive(member) {
			failed = append(failed, member)
		}
	}
	if failed != nil {
		return failedError(ascending(failed))
	}
	return nil
}
