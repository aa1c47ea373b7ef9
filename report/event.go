package report

import (
	"cmp"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/mailbox"
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
	EventDrop   // a message was lost on its way, when its send had ended
	EventLate   // the message that was sent last takes longer by A ticks
	EventTwice  // the message that was sent last arrives again, A ticks after the first time

	// What a program decides by time, and when messages arrive, is in traces only that ask for it, and in no hash.
	EventPass  // the program asked for a message until then, and got none
	EventWait  // the program has let time pass, if it was not over already
	EventLook  // the program asked its failure detector; A is what it was told. What Known has told before is left out
	EventClock // the program looked at its clock for the first time
	EventLeave // the message that was sent last is under way, maybe not for the first time; A is when it arrives

	// Of storage: Step is the name of the record, A how many ticks it took from then on.
	EventWrite     // a record was written
	EventDelete    // a record was deleted
	EventWriteLost // either, and the rank failed before its end
	EventSync      // all that was changed is safe at its end
	EventSyncLost  // a sync began, and the rank failed before its end
	EventRead      // a record was read, or all were listed
	EventForget    // the rank has failed, and lost A changes that were not safe
)

var eventNames = [...]string{"send", "send-lost", "receive", "lost", "take", "step", "slow", "crash", "hang", "exit", "notice", "rejoin", "cut", "drop", "late", "twice", "pass", "wait", "look", "clock", "leave",
	"write", "delete", "write-lost", "sync", "sync-lost", "read", "forget"}

// String names the kind as in a printed trace.
func (k EventKind) String() string { return eventNames[k] }

// OfOneRank reports whether events of this kind concern one rank only, and have no peer.
func (k EventKind) OfOneRank() bool {
	switch k {
	case EventWrite, EventDelete, EventWriteLost, EventSync, EventSyncLost, EventRead, EventForget:
		return true
	case EventStep, EventSlow, EventCrash, EventHang, EventExit, EventRejoin, EventPass, EventWait, EventLook, EventClock:
		return true
	}
	return false
}

// OfStorage reports whether events of this kind are something that a rank does with its storage.
func (k EventKind) OfStorage() bool { return k >= EventWrite && k <= EventRead }

// OfDecisions reports whether events of this kind say what a program decides by time, or when a message arrives. They are in traces only that ask for it.
func (k EventKind) OfDecisions() bool { return k >= EventPass && k <= EventLeave }

// Changes reports whether events of this kind are a change of storage that is complete.
func (k EventKind) Changes() bool { return k == EventWrite || k == EventDelete }

// NoPeer is the peer of an event that concerns one rank only.
const NoPeer = -1

// Event is one line of a trace. Traces can be long, so the order of the fields is the one that takes the
// least memory.
type Event struct {
	Time  clock.Time
	Rank  int    // where it happened
	Peer  int    // the other end of the message, or NoPeer
	Step  string // of EventStep and of storage
	A     int64  // of the message, like Epoch and Msg
	Epoch uint32
	Msg   mailbox.Kind
	Kind  EventKind
}

// String reads like "t=5 rank 2 send to 6 kind=1 epoch=0 a=0".
func (e Event) String() string {
	line := fmt.Sprintf("t=%d rank %d %s", e.Time, e.Rank, e.Kind)
	switch {
	case e.Kind == EventStep:
		return line + " " + e.Step
	case e.Kind.OfStorage():
		if e.Step != "" {
			line += " " + text.Name(e.Step)
		}
		return fmt.Sprintf("%s in %d ticks", line, e.A)
	case e.Kind == EventForget:
		return fmt.Sprintf("%s %d changes", line, e.A)
	case e.Kind == EventLate || e.Kind == EventTwice:
		return fmt.Sprintf("%s to %d by %d", line, e.Peer, e.A)
	case e.Kind == EventLeave:
		return fmt.Sprintf("%s to %d to arrive at t=%d", line, e.Peer, e.A)
	case e.Kind == EventLook:
		return fmt.Sprintf("%s %d", line, e.A)
	case e.Kind == EventSend || e.Kind == EventSendLost || e.Kind == EventCut || e.Kind == EventDrop:
		line += " to"
	case e.Peer != NoPeer:
		line += " from"
	default:
		return line
	}
	return fmt.Sprintf("%s %d kind=%d epoch=%d a=%d", line, e.Peer, e.Msg, e.Epoch, e.A)
}

// CompareEvents orders events by time, then rank; what a rank receives or loses at an
// instant comes before what it does. Messages lost at the same instant have no order of
// their own and are ordered by content. Other events that compare equal stay in the order
// in which they happened.
func CompareEvents(a, b Event) int {
	order := cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.phase(), b.phase()))
	if order == 0 && a.Kind == EventLost {
		order = cmp.Or(cmp.Compare(a.Peer, b.Peer), cmp.Compare(a.A, b.A), cmp.Compare(a.Epoch, b.Epoch), cmp.Compare(a.Msg, b.Msg))
	}
	return order
}

// phase orders the events of one rank at one instant.
func (e *Event) phase() int {
	switch e.Kind {
	case EventReceive, EventNotice:
		return 0
	case EventLost:
		return 1
	}
	return 2
}
