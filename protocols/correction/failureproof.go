package correction

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// FailureProof correction is checked correction that up to Failures ranks may leave in the
// middle: a rank goes on until it has passed not the nearest, but the (f+1)-th rank on each
// side that the dissemination has reached, so that every gap is covered by f+1 ranks from
// either side (Corrected Gossip, III-D and algorithm 3).
//
// Invariants, with f = Failures:
//  1. A message carries the ranks that its sender knows on the side it comes from.
//  2. A rank that knows f others on one side begins again with its nearest neighbour on the
//     other: the final round, whose messages each tell of f+1 ranks.
//  3. A rank stops on a side only in the final round, when it has passed the (f+1)-th rank
//     it knows there, or has gone round and knows as many. A rank that hears of itself counts
//     itself, at the distance of the whole ring; else one of two that are left after f*f+f+1
//     would not stop.
//  4. A rank reached by correction waits until it knows f+1 ranks, which will reach all
//     others, since one of them lives. If it waits in vain it tells everybody (SOS), and so
//     does everybody who hears that. So either all live ranks get the message or none.
type FailureProof struct {
	Failures int // f
	// Timeout is how long a rank waits for news before it sends SOS. Too short a timeout
	// costs messages, nothing else.
	Timeout clock.Time
	// RightFirst begins on the right.
	RightFirst bool
}

// NewFailureProof returns a correction that tolerates f failures while it runs. Its timeout
// is long enough for a rank to go round twice, both ways.
func NewFailureProof(machine clock.LogP, failures int) (*FailureProof, error) {
	if failures < 0 || failures >= clock.MaxRanks {
		return nil, problems.New("correction", "tolerates f = %d failures, want 0 to %d", failures, clock.MaxRanks-1)
	}
	timeout := machine.Costs().Spacing.Times(4*machine.Ranks) + 4*machine.Delivery()
	return &FailureProof{Failures: failures, Timeout: timeout}, nil
}

// String names the correction.
func (*FailureProof) String() string { return "failure-proof" }

// On goes with a closed ring only.
func (f *FailureProof) On(ring Ring) (Runner, error) {
	if ring.Chain {
		return nil, problems.New("correction", "failure-proof correction on a chain, want a ring: at the end of a chain there are no f+1 ranks on one side")
	}
	if f.Failures < 0 || f.Timeout < 1 {
		return nil, problems.New("correction", "tolerates f = %d failures with a timeout of %d ticks, want 0 or more and 1 or more", f.Failures, f.Timeout)
	}
	return &failureProofOn{*f, ring}, nil
}

// Longest is two rounds both ways, a wait in vain, and SOS to all.
func (f *failureProofOn) Longest(machine clock.LogP) clock.Time {
	return machine.Costs().Spacing.Times(10*f.ring.Size) + f.Timeout + 2*machine.Delivery()
}

// failureProofOn is failure-proof correction on a ring.
type failureProofOn struct {
	FailureProof
	ring Ring
}

var _ Wrapped = (*failureProofOn)(nil)

// Open returns the message inside a correction message.
func (f *failureProofOn) Open(msg mailbox.Message) mailbox.Message {
	_, msg.Payload = splitRanks(msg)
	return msg
}

// Run does the part of a rank that the dissemination has reached.
func (f *failureProofOn) Run(p protocols.Proc, from int, msg mailbox.Message) {
	size := f.ring.Size
	if size == 1 {
		return // no neighbours
	}
	m := f.join(p, from, msg)
	for m.listen(); !m.alarm; m.listen() {
		left, right := m.left.open(size), m.right.open(size)
		switch {
		case m.left.stopped(size) && m.right.stopped(size):
			return
		case !left && !right:
			m.await(p.Now() + f.Timeout)
		case left && (m.leftNext || !right):
			m.sendLeft()
		default:
			m.sendRight()
		}
	}
	m.callAll()
}

// Reached waits until enough other ranks are known to have the message.
func (f *failureProofOn) Reached(p protocols.Proc, from int, msg mailbox.Message) {
	m := f.join(p, from, msg)
	for !m.alarm {
		if m.knows() > f.Failures {
			return
		}
		m.await(p.Now() + f.Timeout)
	}
	m.callAll()
}
