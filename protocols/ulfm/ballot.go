package ulfm

import (
	"encoding/binary"
	"fmt"
	"slices"
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
	buffer := binary.AppendVarint([]byte{first}, b.flags)
	buffer = binary.AppendUvarint(buffer, uint64(b.next))
	buffer = appendList(buffer, b.failed)
	return string(appendList(buffer, b.acked))
}

// appendList writes an ascending list as differences.
func appendList(buffer []byte, list []int) []byte {
	buffer = binary.AppendUvarint(buffer, uint64(len(list)))
	last := 0
	for _, x := range list {
		buffer = binary.AppendUvarint(buffer, uint64(x-last))
		last = x
	}
	return buffer
}

// decode is the inverse of encode. Only members send ballots, so a malformed one is our mistake.
func decode(payload string) ballot {
	d := decoder{rest: []byte(payload[1:])}
	b := ballot{purpose: purpose(payload[0] >> 2), revoked: payload[0]&1 != 0, found: payload[0]&2 != 0}
	b.flags = d.number()
	b.next = uint32(d.unsigned())
	b.failed = d.list()
	b.acked = d.list()
	return b
}

// decoder reads what append... wrote.
type decoder struct{ rest []byte }

func (d *decoder) number() int64 {
	x, n := binary.Varint(d.rest)
	d.rest = d.rest[n:]
	return x
}

func (d *decoder) unsigned() uint64 {
	x, n := binary.Uvarint(d.rest)
	d.rest = d.rest[n:]
	return x
}

func (d *decoder) list() []int {
	n := d.unsigned()
	if n == 0 {
		return nil
	}
	list := make([]int, n)
	last := 0
	for i := range list {
		last += int(d.unsigned())
		list[i] = last
	}
	return list
}
