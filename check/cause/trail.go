package cause

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// trail is the events of a run, put in order: what each program did, and what became of each message. Events are named by their places.
type trail struct {
	rep      *report.Report
	events   []report.Event
	acts     [][]int32 // of each rank, what its program did or what ended it
	place    []int32   // of each event of acts, where in them it is
	messages []message
	sent     map[int32]int32   // which message a send is
	taken    map[int32]int32   // which message was taken
	alike    map[alike][]int32 // messages in the order in which they were sent
}

// message is one that was sent, or was about to be when its sender failed.
type message struct {
	send     int32      // the event
	received int32      // likewise, or none
	taken    int32      // likewise
	lost     int32      // where it was lost: dropped, cut, or at a rank that had failed
	n        int        // which send of its sender it was, from 1
	index    int        // among those alike
	late     clock.Time // by a fault
	due      clock.Time // when it comes, but for what all messages of the link take
	left     clock.Time // when it left its sender, if something happened to it then
	again    bool       // it is one that arrived once more
}

// none is the place of no event, and the number of no message.
const none int32 = -1

// alike are messages that are told apart by their order alone.
type alike struct {
	from, to int
	epoch    uint32
	kind     mailbox.Kind
}

// content is all that events say about a message, and which life of its receiver got it.
type content struct {
	alike
	a    int64
	life int
}

// sentBy is a message as its sender's event has it, and takenBy as its receiver's has.
func sentBy(e *report.Event) alike  { return alike{e.Rank, e.Peer, e.Epoch, e.Msg} }
func takenBy(e *report.Event) alike { return alike{e.Peer, e.Rank, e.Epoch, e.Msg} }

// newTrail puts the events of a run in order.
func newTrail(rep *report.Report) *trail {
	t := &trail{
		rep: rep, events: rep.Events, acts: make([][]int32, rep.Size()), place: make([]int32, len(rep.Events)),
		sent: make(map[int32]int32), taken: make(map[int32]int32), alike: make(map[alike][]int32),
	}
	follow := follower{
		trail: t, flying: make(map[content][]int32), copies: make(map[content][]int32), boxes: make(map[content][]int32), last: make(map[[2]int]int32),
		sends: make([]int, rep.Size()), lives: make([]int, rep.Size()),
	}
	for i := range t.events {
		follow.event(int32(i))
	}
	return t
}

// acts reports whether an event is something that a program did, or what ended it or let it begin again.
func acts(kind report.EventKind) bool {
	switch kind {
	case report.EventReceive, report.EventLost, report.EventNotice, report.EventCut, report.EventDrop, report.EventLate, report.EventTwice,
		report.EventSlow, report.EventWait, report.EventClock, report.EventLeave, report.EventForget:
		return false
	}
	return true
}

// act is what a rank did as the n-th thing; nil if it did no more.
func (t *trail) act(rank, n int) *report.Event {
	if n >= len(t.acts[rank]) {
		return nil
	}
	return &t.events[t.acts[rank][n]]
}

// messageTaken is the message that a rank took as the n-th thing it did; nil if that is not known.
func (t *trail) messageTaken(rank, n int) *message {
	if m, ok := t.taken[t.acts[rank][n]]; ok {
		return &t.messages[m]
	}
	return nil
}

// twin is the message of this run that is the same as one of another.
func (t *trail) twin(other *trail, m *message) *message {
	if m.again {
		return nil
	}
	all := t.alike[sentBy(other.sender(m))]
	if m.index >= len(all) {
		return nil
	}
	return &t.messages[all[m.index]]
}

// sender is the event in which a message was sent.
func (t *trail) sender(m *message) *report.Event { return &t.events[m.send] }

// at is when an event happened; never if it did not.
func (t *trail) at(event int32) clock.Time {
	if event == none {
		return clock.Never
	}
	return t.events[event].Time
}

// failure is how the rank has last failed by an instant.
func (t *trail) failure(rank int, by clock.Time) (found *report.Event) {
	for _, i := range t.acts[rank] {
		if e := &t.events[i]; (e.Kind == report.EventCrash || e.Kind == report.EventHang) && e.Time <= by {
			found = e
		}
	}
	return found
}

// failureFrom is how the rank failed in the life that went on at an instant, or by then.
func (t *trail) failureFrom(rank int, from clock.Time) *report.Event {
	for _, i := range t.acts[rank] {
		if e := &t.events[i]; (e.Kind == report.EventCrash || e.Kind == report.EventHang) && e.Time >= from {
			return e
		}
	}
	return t.failure(rank, from)
}

// inFront is a message of the same link that was late by a fault, arrived by an instant, and may have held up one that was sent after it.
func (t *trail) inFront(m *message, by clock.Time) (found *message) {
	sent := t.sender(m)
	for i := range t.messages {
		x := &t.messages[i]
		if x.send >= m.send {
			break
		}
		if e := t.sender(x); e.Rank == sent.Rank && e.Peer == sent.Peer && x.late > 0 && x.received != none && x.received < m.received && t.at(x.received) <= by {
			found = x
		}
	}
	return found
}

// stopper is the fault that stopped a rank then.
func (t *trail) stopper(e *report.Event) *faults.Fault {
	for _, s := range t.rep.Stopped {
		if f := &t.rep.Faults[s.Place]; f.Rank == e.Rank && s.Time == e.Time {
			return f
		}
	}
	return nil
}
