package traceevent

import (
	"io"
	"iter"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Run is a run and what its report does not say about it.
type Run struct {
	// Report has the events, in the order of report.CompareEvents.
	Report *report.Report
	// KindName names the kinds of messages. Optional.
	KindName func(mailbox.Kind) string
	// Network is that of the machine; nil if it is that of the report, or uniform.
	Network clock.Network
	// Uncoloured leaves out when ranks were coloured: nothing is spread.
	Uncoloured bool

	Name string        // what its ranks are called beside those of other runs; "": ranks
	Line string        // what was run, for the header; optional
	Tick time.Duration // what a tick stands for, for the header; 0 if it has no unit
}

// SlowByClock makes events of the slow-downs by the clock, for which machines record none, in the order of the
// schedule.
func (r Run) SlowByClock() iter.Seq[report.Event] {
	return func(yield func(report.Event) bool) {
		for f := range r.Report.Fired() {
			if f.Kind != faults.Slow || f.At.Anchor != faults.AtTime {
				continue
			}
			if !yield(report.Event{Kind: report.EventSlow, Time: f.At.Time, Rank: f.Rank, Peer: report.NoPeer, A: int64(f.Factor)}) {
				return
			}
		}
	}
}

// Write writes a run as one JSON object, and further ones beside it, each as a process of its own. The same runs give the same
// bytes. The order of what is in it is not that of time. The header is about the first run.
func Write(w io.Writer, run Run, beside ...Run) error {
	first := newTracer(run, output{w: w})
	first.header()
	last := first.write()
	for _, run := range beside {
		t := newTracer(run, last.out)
		t.out.process++
		t.arrows = last.arrows
		t.out.text(",")
		last = t.write()
	}
	last.out.text("\n]}\n")
	return last.out.flush()
}

// newTracer continues an output with a run.
func newTracer(run Run, out output) *tracer {
	out.kindName, out.kinds = run.KindName, [256][]byte{}
	return &tracer{Run: run, out: out, lanes: lanes{make(map[int][]lane), 2*len(run.Report.Ranks) + 1}}
}

// write writes all of a run.
func (t *tracer) write() *tracer {
	t.tracks()
	Visit(t.Run, t.act)
	t.colouring()
	for e := range t.SlowByClock() {
		t.slowDown(&e)
	}
	t.waiting()
	return t
}

// tracer writes what it is shown of a run.
type tracer struct {
	Run
	out    output
	lanes  lanes
	arrows int64      // so many flows
	end    clock.Time // the last instant so far
}

func (t *tracer) act(a Act) {
	t.end = max(t.end, a.End)
	switch a.Kind {
	case report.EventSend, report.EventSendLost:
		t.out.slice(sends(a.Rank), &a)
	case report.EventReceive, report.EventNotice:
		t.receive(&a)
	case report.EventLost:
		t.lose(receives(a.Rank), a.Event, "lost")
	case report.EventCut, report.EventDrop:
		t.lose(sends(a.Rank), a.Event, "failure")
	case report.EventLate, report.EventTwice:
		t.fate(a.Event)
	case report.EventSlow:
		t.slowDown(a.Event)
	case report.EventStep:
		t.out.instant(sends(a.Rank), a.Time, a.Step, "step")
		t.out.close()
	case report.EventWrite, report.EventDelete, report.EventWriteLost, report.EventSync, report.EventSyncLost, report.EventRead:
		t.out.storage(sends(a.Rank), &a)
	case report.EventForget:
		t.forget(a.Event)
	case report.EventCrash, report.EventHang, report.EventRejoin:
		t.out.instant(sends(a.Rank), a.Time, a.Kind.String(), "failure")
		t.out.close()
	}
}

// receive writes the slice of a receive and, if its send is known, the arrow between the two.
func (t *tracer) receive(a *Act) {
	thread := t.lane(a.Rank, a.Start, a.End)
	t.out.slice(thread, a)
	if a.Message.ID != 0 {
		t.arrows++
		t.out.flow('s', sends(a.Peer), a.Message.Start, t.arrows)
		t.out.flow('f', thread, a.Start, t.arrows)
	}
}

// lose writes the instant of a message that disappears.
func (t *tracer) lose(thread int, e *report.Event, category string) {
	t.out.instant(thread, e.Time, e.Kind.String(), category)
	t.out.message(e)
	t.out.close()
}

// fate writes what happens to a message on its way.
func (t *tracer) fate(e *report.Event) {
	t.out.instant(sends(e.Rank), e.Time, e.Kind.String(), "failure")
	t.out.number(`,"args":{"peer":`, int64(e.Peer))
	t.out.number(`,"by":`, e.A)
	t.out.text("}")
	t.out.close()
}

func (t *tracer) slowDown(e *report.Event) {
	t.out.instant(sends(e.Rank), e.Time, "slow", "failure")
	t.out.number(`,"args":{"factor":`, e.A)
	t.out.text("}")
	t.out.close()
}

// forget writes how many changes of its storage a rank has lost.
func (t *tracer) forget(e *report.Event) {
	t.out.instant(sends(e.Rank), e.Time, e.Kind.String(), "failure")
	t.out.number(`,"args":{"changes":`, e.A)
	t.out.text("}")
	t.out.close()
}

// colouring writes when ranks were coloured.
func (t *tracer) colouring() {
	if t.Uncoloured {
		return
	}
	for rank := range t.Report.Ranks {
		if at := t.Report.Ranks[rank].Coloured; at != clock.Never {
			t.out.instant(sends(rank), at, "coloured", "colouring")
			t.out.close()
		}
	}
}

// waiting writes, at the end of the run, who waits for ever.
func (t *tracer) waiting() {
	for _, d := range t.Report.Deadlocks {
		t.out.instant(sends(d.Rank), t.end, "waits for ever", "deadlock")
		t.out.quote(`,"args":{"call":`, d.Call)
		t.out.quote(`,"want":`, d.Want)
		t.out.number(`,"since":`, int64(d.Since))
		t.out.quote(`,"cause":`, d.Cause)
		t.out.text("}")
		t.out.close()
	}
}
