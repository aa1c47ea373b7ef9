package traceevent

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// message is all that events say about a message.
type message struct {
	from, to int32
	epoch    uint32
	kind     mailbox.Kind
	a        int64
}

// messageTo is the message of an event at its sender.
func messageTo(e *report.Event) message {
	return message{int32(e.Rank), int32(e.Peer), e.Epoch, e.Msg, e.A}
}

// messageFrom is the message of an event at its receiver.
func messageFrom(e *report.Event) message {
	return message{int32(e.Peer), int32(e.Rank), e.Epoch, e.Msg, e.A}
}

// flights are the messages under way.
//
// Invariants:
//
//  1. A message is in queues if and only if one at least of its like is under way.
//  2. A queue is linked from the earliest send to the latest, by places in slots.
//  3. Every slot is in one queue, or in the list of free ones.
type flights struct {
	queues map[message]queue
	slots  []flight
	free   int32 // the first free slot + 1; 0 if there is none
}

// queue is a list of messages that cannot be told apart.
type queue struct{ first, last int32 }

type flight struct {
	Flight
	next int32 // the next slot + 1; 0 for the last one
}

// add puts a message under way.
func (f *flights) add(m message, x Flight) {
	slot := f.slot(flight{Flight: x})
	q, others := f.queues[m]
	if others {
		f.slots[q.last].next = slot + 1
		q.last = slot
	} else {
		q = queue{slot, slot}
	}
	f.queues[m] = q
}

// slot keeps a flight in a free slot.
func (f *flights) slot(x flight) int32 {
	if f.free == 0 {
		f.slots = append(f.slots, x)
		return int32(len(f.slots) - 1)
	}
	slot := f.free - 1
	f.free = f.slots[slot].next
	f.slots[slot] = x
	return slot
}

// first takes out the message that was sent first; the zero Flight if none is under way.
func (f *flights) first(m message) Flight {
	q, ok := f.queues[m]
	if !ok {
		return Flight{}
	}
	x := f.slots[q.first]
	if x.next == 0 {
		delete(f.queues, m)
	} else {
		f.queues[m] = queue{x.next - 1, q.last}
	}
	f.release(q.first)
	return x.Flight
}

// last takes out the message that was sent last; the zero Flight if none is under way.
func (f *flights) last(m message) Flight {
	q, ok := f.queues[m]
	if !ok {
		return Flight{}
	}
	x := f.slots[q.last].Flight
	if q.first == q.last {
		delete(f.queues, m)
	} else {
		before := q.first
		for f.slots[before].next != q.last+1 {
			before = f.slots[before].next - 1
		}
		f.slots[before].next = 0
		f.queues[m] = queue{q.first, before}
	}
	f.release(q.last)
	return x
}

func (f *flights) release(slot int32) {
	f.slots[slot].next = f.free
	f.free = slot + 1
}
