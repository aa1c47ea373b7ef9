package ulfm

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// purpose is what an agreement is for. All members must call the same.
type purpose uint8

const (
	forAgree purpose = iota
	forShrink
	forCreate
)

var purposeNames = [...]string{forAgree: "Agree", forShrink: "Shrink", forCreate: "Create"}

// ballot is what members agree on: the vote of one of them, of several put together, or the
// decision. Putting together is associative, commutative and idempotent, so it does no harm if a
// vote is counted twice.
type ballot struct {
	purpose purpose
	flags   int64  // bitwise and
	revoked bool   // one of them knows that the communicator is revoked
	next    uint32 // the lowest number that none of them has given to a communicator
	failed  []int  // members known to one of them to have failed, or that did not vote; ascending
	acked   []int  // failures that all of them have acknowledged; ascending
	found   bool   // this is a decision of an earlier round
}

// with puts another vote to this one.
func (b ballot) with(other ballot) ballot {
	if b.purpose != other.purpose {
		panic(fmt.Sprintf("ulfm: %s meets %s on the same communicator: members must call them in the same order",
			purposeNames[b.purpose], purposeNames[other.purpose]))
	}
	b.flags &= other.flags
	b.revoked = b.revoked || other.revoked
	b.next = max(b.next, other.next)
	b.failed = union(b.failed, other.failed)
	b.acked = intersection(b.acked, other.acked)
	return b
}

// unacknowledged are the failures that not all have acknowledged.
func (b ballot) unacknowledged() []int {
	return slices.DeleteFunc(slices.Clone(b.failed), func(member int) bool {
		_, acked := slices.BinarySearch(b.acked, member)
		return acked
	})
}

// union of two ascending lists.
func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// intersection of two ascending lists.
func intersection(a, b []int) []int {
	var both []int
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			both = append(both, x)
		}
	}
	return both
}

// encode makes a ballot a payload, as short as it can be: a few bytes while nobody has failed.
func (b ballot) encode() string {
	first := byte(b.purpose) << 2
	if b.revoked {
		first |= 1
	}
	if b.found {
		first |= 2
	}
	buffer := varint.AppendSigned([]byte{first}, b.flags)
	buffer = varint.Append(buffer, int(b.next))
	buffer = varint.AppendList(buffer, b.failed)
	return string(varint.AppendList(buffer, b.acked))
}

// decode is the inverse of encode. Only members send ballots, so a malformed one is our mistake.
func decode(payload string) ballot {
	b := ballot{purpose: purpose(payload[0] >> 2), revoked: payload[0]&1 != 0, found: payload[0]&2 != 0}
	r := varint.Reader{Rest: payload[1:]}
	b.flags = r.Signed()
	b.next = uint32(r.Number())
	b.failed = r.List()
	b.acked = r.List()
	return b
}
