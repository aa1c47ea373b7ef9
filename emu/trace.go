package emu

import (
	"hash/crc32"
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// TraceLevel says what a machine records about a run.
type TraceLevel uint8

const (
	TraceOff    TraceLevel = iota // nothing: the fastest
	TraceHash                     // a hash of all events, in Report.Hash
	TraceEvents                   // the events, too, in Report.Events
	// TraceDecisions has events also for what programs decide by time: deadlines that passed, polls that found nothing,
	// waits and looks at the clock; and for when messages arrive. The hash is the same.
	TraceDecisions
)

// record notes an event that may concern a message in a cell.
func (r *rank) record(kind report.EventKind, t clock.Time, peer int, c *cells.Cell) {
	e := report.Event{Time: t, Rank: int(r.id), Kind: kind, Peer: peer}
	if c != nil {
		e.Msg, e.Epoch, e.A = c.Kind, c.Epoch, c.A
	}
	r.note(&e)
}

// castagnoli is the checksum that processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordSend notes a send. Its payload counts in the hash, but is not kept in the event.
func (r *rank) recordSend(kind report.EventKind, t clock.Time, to int, msg *mailbox.Message) {
	r.note(&report.Event{Time: t, Rank: int(r.id), Kind: kind, Peer: to, Msg: msg.Kind, Epoch: msg.Epoch, A: msg.A})
	if msg.Payload != "" {
		bytes := unsafe.Slice(unsafe.StringData(msg.Payload), len(msg.Payload)) // which are only read: a copy would be on the heap
		sum := crc32.Checksum(bytes, castagnoli)
		r.m.hashes[r.place()] += mix(mix(uint64(t), uint64(r.id)), uint64(len(msg.Payload))<<32|uint64(sum))
	}
}

// recordTake notes that the program takes a message.
func (r *rank) recordTake(ref cells.Ref) {
	c := r.m.store.Cell(ref)
	r.record(report.EventTake, r.now, int(c.From), c)
}

func (r *rank) recordStep(name string) {
	r.note(&report.Event{Time: r.now, Rank: int(r.id), Kind: report.EventStep, Peer: report.NoPeer, Step: name})
}

// note adds the event to the rank's hash and, if wanted, to its trace.
//
// The hash of a run is the sum of the hashes of its events. So it does not depend on the
// order in which they were noted, which the scheduler is free to change.
func (r *rank) note(e *report.Event) {
	r.m.hashes[r.place()] += hashEvent(e)
	if r.m.cfg.Trace >= TraceEvents {
		r.keep(e)
	}
}

// keep adds an event to the rank's trace alone. It and those below stay out of the frames of their callers, which are to be small: most
// runs have no use for them.
//
//go:noinline
func (r *rank) keep(e *report.Event) {
	x := r.more()
	x.events = append(x.events, *e)
}

// decide notes that the program has decided something by time.
//
//go:noinline
func (r *rank) decide(kind report.EventKind, saw int64) {
	r.keep(&report.Event{Time: r.now, Rank: int(r.id), Kind: kind, Peer: report.NoPeer, A: saw})
}

// underWay notes that a message is under way.
//
//go:noinline
func (r *rank) underWay(to int, arrival clock.Time) {
	r.keep(&report.Event{Time: r.now, Rank: int(r.id), Kind: report.EventLeave, Peer: to, A: int64(arrival)})
}

// lookAtClock notes the first look.
//
//go:noinline
func (r *rank) lookAtClock() {
	if x := r.more(); !x.looked {
		x.looked = true
		r.decide(report.EventClock, 0)
	}
}

// toldBefore reports whether the rank has been told of the n-th failure, which it is now. What it has been told once it will be
// told at any time, so to ask again decides nothing: programs may ask as often as they like.
//
//go:noinline
func (r *rank) toldBefore(n int) bool {
	x := r.more()
	before := n < x.told
	x.told = max(x.told, n+1)
	return before
}

// decideKnown notes what the failure detector has told about a rank.
//
//go:noinline
func (r *rank) decideKnown(rank int, failed bool) {
	saw := int64(-1)
	if failed {
		saw = int64(rank)
	}
	r.decide(report.EventLook, saw)
}

func hashEvent(e *report.Event) uint64 {
	h := mix(uint64(e.Time), uint64(e.Rank)<<32|uint64(uint32(e.Peer)))
	h = mix(h, uint64(e.Kind)<<40|uint64(e.Msg)<<32|uint64(e.Epoch))
	h = mix(h, uint64(e.A))
	for _, b := range []byte(e.Step) {
		h = mix(h, uint64(b))
	}
	return h
}

// mix combines two words into one, each bit of the result depending on all of theirs.
func mix(a, b uint64) uint64 { return splitmix.At(b, a) }
