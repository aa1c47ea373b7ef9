package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/internal/recent"
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
	flags   int64    // bitwise and
	failed  numbers  // members known to one of them to have failed, or that did not vote; ascending
	acked   numbers  // failures that all of them have acknowledged; ascending
	since   uint32   // the earliest agreement of the communicator that one of them has not completed
	made    identity // of the new communicator, if this is a decision to make one
	purpose purpose
	revoked bool // one of them knows that the communicator is revoked
	busy    bool // one of them has agreements under way that it does not wait for
	found   bool // this is a decision of an earlier round
	// reported says that a failure is to be reported whoever it is of: some algorithms know no more.
	reported bool
}

// add puts another vote for the same purpose to this one.
func (b *ballot) add(other *ballot) {
	b.flags &= other.flags
	b.revoked = b.revoked || other.revoked
	b.busy = b.busy || other.busy
	b.reported = b.reported || other.reported
	b.since = min(b.since, other.since)
	b.failed = b.failed.union(other.failed)
	b.acked = b.acked.intersection(other.acked)
}

// unacknowledged are the failures that not all have acknowledged.
func (b *ballot) unacknowledged() numbers { return b.failed.without(b.acked) }

// reportedBit is that of the first byte of a payload.
const reportedBit = 1 << 7

// Members mostly vote alike, and all get the same decision.
var (
	payloads recent.Results[ballot, string]
	ballots  recent.Results[string, *ballot]
)

// encode makes a ballot a payload.
func (b *ballot) encode() string {
	if b.failed == "" && b.acked == "" {
		return b.write() // a few bytes
	}
	return b.encodeLists()
}

// encodeLists is a function of its own so that a ballot without lists takes little stack: votes go through deep calls.
//
//go:noinline
func (b *ballot) encodeLists() string {
	return payloads.Of(*b, func(b ballot) string {
		text := b.write() + string(b.failed)
		if b.sameLists() {
			return text
		}
		return text + string(varint.Append(nil, len(b.acked))) + string(b.acked)
	})
}

// sameLists says that just the failures are acknowledged, as after FailureAck on all. They are not twice in a message.
func (b *ballot) sameLists() bool { return b.acked != "" && b.acked == b.failed }

// write is what comes before the lists; if there are none, all of it.
func (b *ballot) write() string {
	var room [32]byte // enough, so that the text is the only allocation
	buffer := append(room[:0], byte(b.purpose)<<5)
	for bit, set := range [...]bool{b.revoked, b.found, b.busy, b.made != 0, b.sameLists(), false, false, b.reported} {
		if set {
			buffer[0] |= 1 << bit
		}
	}
	buffer = varint.AppendSigned(buffer, b.flags)
	buffer = varint.Append(buffer, int(b.since))
	if b.made != 0 {
		buffer = varint.Append(buffer, int(b.made))
	}
	buffer = varint.Append(buffer, len(b.failed))
	if b.failed == "" && b.acked == "" {
		buffer = append(buffer, 0)
	}
	return string(buffer)
}

// decode is the inverse of encode. Only members send ballots, so a malformed one is our mistake.
// Lists are not copied, and what it returns is others', too: nobody changes it.
func decode(payload string) *ballot { return ballots.Of(payload, read) }

func read(payload string) *ballot {
	first := payload[0]
	b := &ballot{purpose: purpose(first &^ reportedBit >> 5), reported: first&reportedBit != 0, revoked: first&1 != 0, found: first&2 != 0, busy: first&4 != 0}
	r := varint.Reader{Rest: payload[1:]}
	b.flags = r.Signed()
	b.since = uint32(r.Number())
	if first&8 != 0 {
		b.made = identity(r.Number())
	}
	b.failed = numbers(r.Text())
	if b.acked = b.failed; first&16 == 0 {
		b.acked = numbers(r.Text())
	}
	return b
}

// ascending puts members in the order of their numbers, and lists them.
func ascending(members []int) numbers {
	slices.Sort(members)
	return listed(members)
}
