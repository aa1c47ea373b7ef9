package cause

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Step is one line of a story.
type Step struct {
	Text string `json:"text"`
	// Rank is whom the step is about, and Time when it happened; never if something did not happen.
	Rank int        `json:"rank"`
	Time clock.Time `json:"-"`
	// Event is what happened in the run that is explained, and Missing what happened in the other run instead; each may be nil.
	Event   *report.Event `json:"-"`
	Missing *report.Event `json:"-"`
	// Fault is where the story ends: what struck here; nil elsewhere.
	Fault *faults.Fault `json:"-"`
}

// teller goes back from what is broken to what has caused it.
type teller struct {
	*pair
	dropped faults.Schedule // of the faults in the other run
	names   func(mailbox.Kind) string
	steps   []Step
	told    map[int]bool // ranks whose first difference was told
	delayed map[int32]bool
}

// maxSteps is how long a story gets at most, before its middle is left out.
const maxSteps = 10_000

// question is what is to be told next; nil if there is nothing.
type question func() question

// tell answers one question after the other.
func (t *teller) tell(q question) {
	for q != nil && len(t.steps) < maxSteps {
		q = q()
	}
}

// add tells one fact.
func (t *teller) add(rank int, e, missing *report.Event, f *faults.Fault, says string) {
	s := Step{Text: says, Rank: rank, Time: clock.Never, Event: e, Missing: missing, Fault: f}
	if e != nil {
		s.Time = e.Time
	}
	t.steps = append(t.steps, s)
}

// from names a message at its receiver: "message vote from rank 1".
func (t *teller) from(e *report.Event) string {
	return fmt.Sprintf("%s from rank %d", t.kind(e), e.Peer)
}

// to names a message at its sender: "message vote to rank 1".
func (t *teller) to(e *report.Event) string {
	return fmt.Sprintf("%s to rank %d", t.kind(e), e.Peer)
}

// kind names a message: "message vote epoch=2".
func (t *teller) kind(e *report.Event) string {
	says, unnamed := "message "+mailbox.KindName(e.Msg, t.names), mailbox.KindName(e.Msg, nil)
	switch {
	case says != "message "+unnamed:
	case e.Msg == 0:
		says = "the message"
	default:
		says = "message kind=" + unnamed
	}
	if e.Epoch != 0 {
		says += fmt.Sprintf(" epoch=%d", e.Epoch)
	}
	return says
}

// why tells what a rank did first that it would not have done, or did not do first, as far as that can have led to what is asked about. What it is asked
// for, if anything, stands before that: "rank 3 did not send it: ".
func (t *teller) why(rank int, before string, until limit) question {
	n, same := t.firstDifference(rank)
	switch {
	case same || !t.within(rank, n, until):
		return t.before(rank, n, before, until)
	case t.told[rank]:
		if before != "" {
			t.add(rank, nil, nil, nil, before+"see above")
		}
		return nil
	}
	t.told[rank] = true
	who := t.who(rank, before)
	did, would := t.broken.act(rank, n), t.whole.act(rank, n)
	instead := would != nil && would.Kind == report.EventTake && would.Msg != protocols.Failed // it would have got a message
	switch {
	case did != nil && fails(did) && (would == nil || fails(would) || !t.common(rank, did.Time)):
		return t.failed(rank, did, would, who)
	case did != nil && did.Kind == report.EventRejoin:
		f := t.rejoin(did)
		t.add(rank, did, would, f, fmt.Sprintf("%s began again at t=%d%s", who, did.Time, named(f)))
		return nil
	case did != nil && did.Kind == report.EventTake && did.Msg == protocols.Failed && !(instead && t.common(did.Peer, did.Time)):
		t.add(rank, did, would, nil, fmt.Sprintf("%s was told at t=%d that rank %d had failed", who, did.Time, did.Peer))
		return t.failure(did.Peer, did.Time)
	case did != nil && did.Kind == report.EventLook && did.A >= 0 && !(instead && t.common(int(did.A), did.Time)):
		t.add(rank, did, would, nil, fmt.Sprintf("%s heard from its failure detector at t=%d that rank %d had failed", who, did.Time, did.A))
		return t.failure(int(did.A), did.Time)
	case instead:
		return t.withoutMessage(rank, n, did, would, who)
	case did != nil && did.Kind == report.EventTake:
		return t.extraMessage(rank, n, did, would, who)
	}
	t.add(rank, did, would, nil, who+" "+t.otherwise(did, would))
	return t.later(rank, n, "")
}

// common reports whether the fault by which a rank failed at an instant is in the other run, too: then it is no reason for what differs.
func (t *teller) common(rank int, at clock.Time) bool {
	end := t.broken.failureFrom(rank, at)
	if end == nil {
		return false
	}
	f := t.broken.stopper(end)
	return f != nil && !slices.Contains(t.dropped, *f)
}

// who begins a sentence about a rank: with what it is asked for, if anything.
func (t *teller) who(rank int, before string) string {
	name := fmt.Sprintf("rank %d", rank)
	if before != "" || len(t.steps) > 0 && strings.HasPrefix(t.steps[len(t.steps)-1].Text, name+" ") {
		return before + "it"
	}
	return name
}

// otherwise says what a rank did, and what it would have done.
func (t *teller) otherwise(did, would *report.Event) string {
	switch {
	case did == nil:
		return fmt.Sprintf("did nothing more; it would have %s at t=%d", t.past(would), would.Time)
	case would == nil:
		return fmt.Sprintf("%s at t=%d, and would have done nothing more", t.did(did), did.Time)
	}
	return fmt.Sprintf("%s at t=%d; it would have %s at t=%d", t.did(did), did.Time, t.past(would), would.Time)
}

// did is what somebody did, and past what somebody has done.
func (t *teller) did(e *report.Event) string {
	switch e.Kind {
	case report.EventPass:
		return "went on without a message"
	case report.EventRejoin:
		return "began again"
	case report.EventWrite, report.EventWriteLost:
		return "wrote " + text.Name(e.Step)
	}
	return t.past(e)
}

func (t *teller) past(e *report.Event) string {
	switch e.Kind {
	case report.EventSend, report.EventSendLost:
		return "sent " + t.to(e)
	case report.EventTake:
		return "got " + t.from(e)
	case report.EventStep:
		return "passed step " + e.Step
	case report.EventExit:
		return "returned"
	case report.EventPass:
		return "gone on without a message"
	case report.EventCrash:
		return "crashed"
	case report.EventHang:
		return "hung"
	case report.EventRejoin:
		return "begun again"
	case report.EventLook:
		return "asked its failure detector"
	case report.EventWrite, report.EventWriteLost:
		return "written " + text.Name(e.Step)
	case report.EventDelete:
		return "deleted " + text.Name(e.Step)
	case report.EventSync, report.EventSyncLost:
		return "synced its storage"
	case report.EventRead:
		return "read " + text.Name(e.Step)
	}
	return "had " + e.Kind.String()
}

// named puts a fault behind a fact.
func named(f *faults.Fault) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf(" (%s)", f)
}

// failed is where a rank stopped.
func (t *teller) failed(rank int, did, would *report.Event, who string) question {
	end := t.broken.failure(rank, clock.Never)
	for _, i := range t.broken.acts[rank][t.broken.place[t.index(did)]:] { // the life in which it did that
		if e := &t.broken.events[i]; e.Kind == report.EventCrash || e.Kind == report.EventHang {
			end = e
			break
		}
	}
	f := t.broken.stopper(end)
	verb := "crashed"
	if end.Kind == report.EventHang {
		verb = "hung"
	}
	says := fmt.Sprintf("%s %s at t=%d", who, verb, end.Time)
	if did.Kind == report.EventSendLost {
		says += fmt.Sprintf(" in its send %d, of %s", t.broken.messages[t.broken.sent[t.index(did)]].n, t.to(did))
	} else if did.Kind == report.EventWriteLost {
		says += " while it wrote " + text.Name(did.Step)
	} else if did.Kind == report.EventSyncLost {
		says += " in a sync"
	}
	t.add(rank, end, would, f, says+named(f))
	t.forgotten(rank, end, f)
	return nil
}

// index is the place of an event of the broken run.
func (t *teller) index(e *report.Event) int32 {
	low, high := 0, len(t.broken.acts[e.Rank])
	for low < high {
		middle := (low + high) / 2
		if t.broken.act(e.Rank, middle).Time < e.Time {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for t.broken.act(e.Rank, low) != e {
		low++
	}
	return t.broken.acts[e.Rank][low]
}

// failure tells how a rank failed of which others were told.
func (t *teller) failure(rank int, by clock.Time) question {
	e := t.broken.failure(rank, by)
	if e == nil {
		t.add(rank, nil, nil, nil, fmt.Sprintf("rank %d had not failed: that is wrong", rank))
		return t.later(rank, len(t.broken.acts[rank]), "")
	}
	if t.told[rank] {
		return nil
	}
	t.told[rank] = true
	return t.failed(rank, e, nil, fmt.Sprintf("rank %d", rank))
}

// rejoin is the fault that brought a rank back then.
func (t *teller) rejoin(e *report.Event) *faults.Fault {
	for i := range t.broken.rep.Faults {
		if f := &t.broken.rep.Faults[i]; f.Kind == faults.Rejoin && f.Rank == e.Rank && f.At.Time == e.Time {
			return f
		}
	}
	return nil
}
