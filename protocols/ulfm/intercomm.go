package ulfm

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// Intercomm connects two groups, such as those who have called Spawn and those who were started.
// Messages go from one group to the other. [Intercomm.Merge] makes a communicator of both. A [FailedError] of a call on it counts the members of both,
// the second group behind the first: those who were there before, or have the lower leader. GetFailed has their ranks on the machine.
type Intercomm struct {
	c          *Comm // of both, one group after the other
	first      int   // how many the first are: those who were there before
	both       group
	invitation string // the same, as a message
}

// connect says by which communicator of both groups they are connected.
func (i *Intercomm) connect(c *Comm) {
	i.c = c
	if !i.second() {
		c.remote = int32(i.first)
	}
}

// Size is the number of members on this rank's side.
func (i *Intercomm) Size() int {
	if i.second() {
		return i.c.Size() - i.first
	}
	return i.first
}

// RemoteSize is the number of members on the other side.
func (i *Intercomm) RemoteSize() int { return i.c.Size() - i.Size() }

// second reports whether this rank is in the second group.
func (i *Intercomm) second() bool { return i.c.me >= i.first }

// Rank is this rank's number in its own group.
func (i *Intercomm) Rank() int {
	if i.second() {
		return i.c.me - i.first
	}
	return i.c.me
}

// remote translates the number of a member of the other group.
func (i *Intercomm) remote(call string, member int) int {
	switch {
	case member < 0 && (member == None || member == AnySource):
		return member
	case member < 0 || member >= i.RemoteSize():
		panic(fmt.Sprintf("ulfm: %s of rank %d of the other group, want 0 to %d", call, member, i.RemoteSize()-1))
	case i.second():
		return member
	}
	return member + i.first
}

// Members are the members of this rank's own group, RemoteMembers those of the other one, by their
// ranks on the machine.
func (i *Intercomm) Members() []int { return i.members(i.second()) }

// RemoteMembers are the members of the other group; see Members.
func (i *Intercomm) RemoteMembers() []int { return i.members(!i.second()) }

func (i *Intercomm) members(second bool) []int {
	all := i.c.Members()
	if second {
		return all[i.first:]
	}
	return all[:i.first]
}

// SetErrhandler is that of a communicator; see [Comm.SetErrhandler].
func (i *Intercomm) SetErrhandler(h Errhandler) { i.c.SetErrhandler(h) }

// Send sends a message to a member of the other group; see [Comm.Send].
func (i *Intercomm) Send(to int, tag int64, payload string) error {
	return i.c.Send(i.remote("Send", to), tag, payload)
}

// Recv receives a message from a member of the other group, or from AnySource; see [Comm.Recv].
func (i *Intercomm) Recv(from int, tag int64) (Received, error) {
	return i.c.Recv(i.remote("Recv", from), tag)
}

// Barrier waits until all members of both groups have called it; see [Comm.Barrier].
func (i *Intercomm) Barrier() error { return i.c.Barrier() }

// Agree returns the bitwise and of the flags of the other group; see [Comm.Agree].
func (i *Intercomm) Agree(flags int32) (int32, error) {
	own := ^int64(0)<<32 | int64(uint32(flags)) // those of the first group are the lower half
	if i.second() {
		own = int64(flags)<<32 | int64(^uint32(0))
	}
	both, err := i.c.Agree(own)
	if i.second() {
		return int32(both), err
	}
	return int32(both >> 32), err
}

// Revoke is that of a communicator, for both groups.
func (i *Intercomm) Revoke() { i.c.Revoke() }

// Revoked is that of a communicator.
func (i *Intercomm) Revoked() bool { return i.c.Revoked() }

// Free is that of a communicator.
func (i *Intercomm) Free() { i.c.Free() }

// IntercommCreate connects the members of this communicator to those of another one that has no
// member in common with it. All members of both call it. The leader of each, given by its rank
// here, reaches the other by a third communicator that both leaders are in, by its rank there, with messages of
// this tag; only leaders need to give these. It is like Create: it fails if a member fails, on some members
// or on all.
func (c *Comm) IntercommCreate(leader int, bridge *Comm, remoteLeader int, tag int64) (*Intercomm, error) {
	c.check("IntercommCreate", leader)
	c.begin("IntercommCreate")
	own := ""
	var unmet error
	if c.me == leader {
		own, unmet = c.meetLeader(bridge, remoteLeader, tag)
	}
	_, all, err := c.exchange("IntercommCreate", own, func(all string) (string, error) { return all, nil })
	if c.uniform == UniformConstruct {
		err = c.confirm(err)
	}
	switch {
	case unmet != nil: // of which the bridge has told already
		return nil, unmet
	case err == nil && all == "": // the leader has nothing to tell
		err = ErrProcFailed
	}
	if err != nil {
		return nil, c.raise(err)
	}
	r := varint.Reader{Rest: all}
	id := identity(r.Number())
	inter := readInvitation(r.Rest)
	inter.connect(c.child(id, inter.both))
	return inter, nil
}

// meetLeader exchanges the members with the leader of the other group. The one with the lower
// number comes first, and makes the identity.
func (c *Comm) meetLeader(bridge *Comm, remoteLeader int, tag int64) (invitation string, err error) {
	id, ranks, lives := identity(0), numbers(""), numbers("")
	first := bridge.me < remoteLeader
	if first {
		id = c.r.newIdentity()
	}
	ranks, lives = c.group.listAll()
	own := varint.Append(nil, int(id))
	own = varint.AppendText(varint.AppendText(own, string(ranks)), string(lives))
	got, err := bridge.Sendrecv(remoteLeader, tag, string(own), remoteLeader, tag)
	if err != nil {
		return "", err
	}
	r := varint.Reader{Rest: got.Payload}
	otherID, otherRanks, otherLives := identity(r.Number()), numbers(r.Text()), numbers(r.Text())
	if !first {
		id, ranks, otherRanks, lives, otherLives = otherID, otherRanks, ranks, otherLives, lives
	}
	return string(varint.Append(nil, int(id))) + invitationOf(ranks.len(), ranks+otherRanks, lives+otherLives), nil
}

// Merge returns a communicator of both groups. All members of both call it; those of one group say
// the same. Who says high comes after those who do not; if both or neither do, those who were
// there before, or have the lower leader, come first. It is like Create: it fails if a member fails, on some members or on all,
// so a program has to Agree before it uses it.
func (i *Intercomm) Merge(high bool) (*Comm, error) {
	own := ""
	if high && (i.c.me == 0 || i.c.me == i.first) { // one of each group is enough
		own = "first"
		if i.second() {
			own = "second"
		}
	}
	return i.c.create("Merge", own, func(high string) (string, error) {
		return i.order(high == "first"), nil
	}, func(all string) (group, bool) {
		r := varint.Reader{Rest: all}
		return groupOf(numbers(r.Text()), numbers(r.Text())), true
	})
}

// order lists all members, those of the second group first or last.
func (i *Intercomm) order(secondFirst bool) string {
	order := make([]int, i.c.Size())
	for at := range order {
		order[at] = at
		if secondFirst {
			order[at] = (at + i.first) % len(order)
		}
	}
	ranks, lives := i.c.group.lists(order)
	return string(varint.AppendText(varint.AppendText(nil, string(ranks)), string(lives)))
}
