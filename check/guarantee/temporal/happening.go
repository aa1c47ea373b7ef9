package temporal

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Happening is something that happens at an instant: an event of a run for which Is says so.
type Happening struct {
	Says string // in a few words
	Is   func(report.Event) bool
}

// What may happen to any rank.
var (
	Crash   = kind("a crash", report.EventCrash)
	Hang    = kind("a hang", report.EventHang)
	Failure = Happening{"a failure", Crash.Or(Hang).Is} // a crash or a hang
	Rejoin  = kind("a rank comes back", report.EventRejoin)
	Return  = kind("a program returns", report.EventExit)
)

// Step is that a rank passes a step of that name (protocols.Proc.Step).
func Step(name string) Happening {
	return Happening{fmt.Sprintf("step %s", name), func(e report.Event) bool { return e.Kind == report.EventStep && e.Step == name }}
}

// Received is that a message of a kind arrives, Taken that the program takes it from the mailbox, and Sent that a send begins that is completed. These happen to the
// rank that receives, takes and sends. A message is received by its mailbox: by that of a rank that hangs, too.
func Received(k mailbox.Kind) Happening { return message("received", report.EventReceive, k) }

// Taken is that a program takes a message of that kind from its mailbox.
func Taken(k mailbox.Kind) Happening { return message("taken", report.EventTake, k) }

// Sent is that the send of a message of that kind begins, which is completed.
func Sent(k mailbox.Kind) Happening { return message("sent", report.EventSend, k) }

func message(how string, wanted report.EventKind, k mailbox.Kind) Happening {
	return Happening{fmt.Sprintf("kind %d %s", k, how), func(e report.Event) bool { return e.Kind == wanted && e.Msg == k }}
}

func kind(says string, wanted report.EventKind) Happening {
	return Happening{says, func(e report.Event) bool { return e.Kind == wanted }}
}

// By is what happens to one of these ranks.
func (h Happening) By(ranks ...int) Happening {
	return Happening{h.Says + " by " + guarantee.ListRanks(ranks), func(e report.Event) bool { return slices.Contains(ranks, e.Rank) && h.Is(e) }}
}

// And is an event that is both.
func (h Happening) And(other Happening) Happening {
	return Happening{h.Says + " and " + other.Says, func(e report.Event) bool { return h.Is(e) && other.Is(e) }}
}

// Or is an event that is one of the two, or both.
func (h Happening) Or(other Happening) Happening {
	return Happening{h.Says + " or " + other.Says, func(e report.Event) bool { return h.Is(e) || other.Is(e) }}
}

// Not is any other event.
func (h Happening) Not() Happening {
	return Happening{"not " + h.Says, func(e report.Event) bool { return !h.Is(e) }}
}

// String is what it says.
func (h Happening) String() string { return h.Says }

// spans are the events, each as long as an instant.
func (h Happening) spans(run guarantee.Run) (found []span, changes int) {
	for i, e := range run.Report.Events {
		if h.Is(e) {
			found = append(found, span{from: e.Time, to: e.Time + 1, event: i, rank: e.Rank})
		}
	}
	return found, len(found)
}
