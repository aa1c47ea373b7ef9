package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Integrity holds if every message received was sent before by the rank it came from:
// guarantee I (Corrected Gossip, section II; Corrected Trees, section 2.1).
//
// What is checked: every event "receive", and every "lost" of a message that came to a
// crashed rank, has a "send" of its own with the same sender, receiver, kind, epoch and A at
// an earlier instant. A send serves one receive only, and one more for each time that the schedule has
// the network deliver it again ("twice"); a machine that does so on its own breaks the promise. On real processes, whose messages may take less
// than a tick, an earlier place in the list is enough.
//
// It is the machine that keeps this promise, not the protocol, which cannot forge the sender
// of a message. What a protocol can break is [OnlyColouredRanksSend].
type Integrity struct{}

// Name is the promise in a word.
func (Integrity) Name() string { return "integrity" }

// NeedsEvents is true.
func (Integrity) NeedsEvents() bool { return true }

func (Integrity) safety() {}

// Check matches receives to sends.
func (g Integrity) Check(run Run) Verdict {
	events := run.Report.Events
	pending := make(map[message]int) // sent, not yet received: few at any time, so it stays small
	sends, arrivals := 0, 0          // sends is an index: events before it are in pending
	doubled, last := run.Report.Faults.Has(faults.Twice), make(map[int]message)
	for i := range events {
		e := &events[i]
		if e.Kind != report.EventReceive && e.Kind != report.EventLost {
			continue
		}
		for ; sends < i && (run.Report.Processes || events[sends].Time < e.Time); sends++ {
			switch s := &events[sends]; {
			case s.Kind == report.EventSend:
				m := messageOf(s, s.Rank, s.Peer)
				pending[m]++
				if doubled {
					last[s.Rank] = m
				}
			case s.Kind == report.EventTwice:
				pending[last[s.Rank]]++
			}
		}
		m := messageOf(e, e.Peer, e.Rank)
		switch n := pending[m]; n {
		case 0:
			return Verdict{Name: g.Name(), Evidence: e.String() + ": no such message was sent before, or all of them had arrived already"}
		case 1:
			delete(pending, m)
		default:
			pending[m] = n - 1
		}
		arrivals++
	}
	return Verdict{Name: g.Name(), Value: looked(arrivals), Evidence: fmt.Sprintf("all %d messages that arrived were sent before", arrivals)}
}

// message is all that a trace says about one.
type message struct {
	from, to int
	kind     mailbox.Kind
	epoch    uint32
	a        int64
}

func messageOf(e *report.Event, from, to int) message {
	return message{from, to, e.Msg, e.Epoch, e.A}
}
