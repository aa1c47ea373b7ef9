package emu

import (
	"fmt"
	"hash/crc32"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// TraceLevel says what a machine records about a run.
type TraceLevel uint8

const (
	TraceOff    TraceLevel = iota // nothing: the fastest
	TraceHash                     // a hash of all events, in Report.Hash
	TraceEvents                   // the events, too, in Report.Events
)

// EventKind is what happened.
type EventKind uint8

const (
	EventSend     EventKind = iota // a send started; it was completed
	EventSendLost                  // a send started; its sender failed before its end
	EventReceive                   // a receive ended: the message is in the mailbox
	EventLost                      // a message disappeared at a crashed rank
	EventTake                      // the program took a message from the mailbox
	EventStep                      // the program passed a named step
	EventSlow                      // a slow-down at a point of the program took effect; A is the factor
	EventCrash
	EventHang
	EventExit   // the program returned
	EventNotice // a receive ended: the failure detector tells of the peer
	EventRejoin // the program begins again
	EventCut    // a message disappeared on a cut link, when its send had ended
)

var eventNames = [...]string{"send", "send-lost", "receive", "lost", "take", "step", "slow", "crash", "hang", "exit", "notice", "rejoin", "cut"}

// String names the kind as in a printed trace.
func (k EventKind) String() string { return eventNames[k] }

// noPeer is the peer of an event that concerns one rank only.
const noPeer = -1

// Event is one line of a trace. Traces can be long, so the order of the fields is the one that takes the
// least memory.
type Event struct {
	Time  clock.Time
	Rank  int    // where it happened
	Peer  int    // the other end of the message, or -1
	Step  string // EventStep only
	A     int64  // of the message, like Epoch and Msg
	Epoch uint32
	Msg   mailbox.Kind
	Kind  EventKind
}

// record notes an event that may concern a message in a cell.
func (r *rank) record(kind EventKind, t clock.Time, peer int, c *mailbox.Cell) {
	e := Event{Time: t, Rank: int(r.id), Kind: kind, Peer: peer}
	if c != nil {
		e.Msg, e.Epoch, e.A = c.Kind, c.Epoch, c.A
	}
	r.note(&e)
}

// castagnoli is the checksum that processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordSend notes a send. Its payload counts in the hash, but is not kept in the event.
func (r *rank) recordSend(kind EventKind, t clock.Time, to int, msg mailbox.Message) {
	r.note(&Event{Time: t, Rank: int(r.id), Kind: kind, Peer: to, Msg: msg.Kind, Epoch: msg.Epoch, A: msg.A})
	if msg.Payload != "" {
		sum := crc32.Checksum([]byte(msg.Payload), castagnoli)
		r.m.hashes[r.id] += mix(mix(uint64(t), uint64(r.id)), uint64(len(msg.Payload))<<32|uint64(sum))
	}
}

// recordTake notes that the program takes a message.
func (r *rank) recordTake(ref mailbox.Ref) {
	c := r.m.store.Cell(ref)
	r.record(EventTake, r.now, int(c.From), c)
}

func (r *rank) recordStep(name string) {
	r.note(&Event{Time: r.now, Rank: int(r.id), Kind: EventStep, Peer: noPeer, Step: name})
}

// note adds the event to the rank's hash and, if wanted, to its trace.
//
// The hash of a run is the sum of the hashes of its events. So it does not depend on the
// order in which they were noted, which the scheduler is free to change.
func (r *rank) note(e *Event) {
	r.m.hashes[r.id] += e.hash()
	if r.m.cfg.Trace == TraceEvents {
		x := r.more()
		x.events = append(x.events, *e)
	}
}

func (e *Event) hash() uint64 {
	h := mix(uint64(e.Time), uint64(e.Rank)<<32|uint64(uint32(e.Peer)))
	h = mix(h, uint64(e.Kind)<<40|uint64(e.Msg)<<32|uint64(e.Epoch))
	h = mix(h, uint64(e.A))
	for _, b := range []byte(e.Step) {
		h = mix(h, uint64(b))
	}
	return h
}

// mix combines two words into one, each bit of the result depending on all of theirs
// (the finalizer of splitmix64).
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// String reads like "t=5 rank 2 send to 6 kind=1 epoch=0 a=0".
func (e Event) String() string {
	text := fmt.Sprintf("t=%d rank %d %s", e.Time, e.Rank, e.Kind)
	switch {
	case e.Kind == EventStep:
		return text + " " + e.Step
	case e.Kind == EventSend || e.Kind == EventSendLost || e.Kind == EventCut:
		text += " to"
	case e.Peer != noPeer:
		text += " from"
	default:
		return text
	}
	return fmt.Sprintf("%s %d kind=%d epoch=%d a=%d", text, e.Peer, e.Msg, e.Epoch, e.A)
}
