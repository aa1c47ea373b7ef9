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
	// Report has the events, in the order of emu.CompareEvents.
	Report *report.Report
	// KindName names the kinds of messages. Optional.
	KindName func(mailbox.Kind) string
	// Network is that of the machine; nil if it is uniform.
	Network clock.Network
	// Uncoloured leaves out when ranks were coloured: nothing is spread.
	Uncoloured bool

	Line string        // what was run, for the header; optional
	Tick time.Duration // what a tick stands for, for the header; 0 if it has no unit
}

// SlowByClock are the slow-downs by the clock and their ranks, in the order of the schedule. They
// have no events.
func (r Run) SlowByClock() iter.Seq2[int, faults.Slowdown] {
	return func(yield func(int, faults.Slowdown) bool) {
		for f := range r.Report.Fired() {
			if f.Kind == faults.Slow && f.At.Anchor == faults.AtTime && !yield(f.Rank, faults.Slowdown{From: f.At.Time, Factor: f.Factor}) {
				return
			}
		}
	}
}

// Write writes a run as one JSON object. The same run gives the same bytes. The order of what
// is in it is not that of time.
func Write(w io.Writer, run Run) error {
	t := &tracer{
		Run:   run,
		out:   output{w: w, kindName: run.KindName},
		lanes: lanes{next: 2*len(run.Report.Ranks) + 1},
	}
	t.header()
	t.tracks()
	end := Visit(run, t)
	t.colouring()
	t.slowdowns()
	t.waiting(end)
	t.out.text("\n]}\n")
	return t.out.flush()
}

// tracer writes what it is shown of a run.
type tracer struct {
	Run
	out    output
	lanes  lanes
	arrows int64 // so many flows
}

// Send writes the slice of a send.
func (t *tracer) Send(e *report.Event, m Flight) {
	t.out.slice(sends(e.Rank), m.Start, m.Resumed, e, "send")
}

// SendLost writes the slice of a send up to its sender's failure.
func (t *tracer) SendLost(e *report.Event, end clock.Time) {
	t.out.slice(sends(e.Rank), e.Time, end, e, "send-lost")
}

// Receive writes the slice of a receive and, if its send is known, the arrow between the two.
func (t *tracer) Receive(e *report.Event, start clock.Time, m Flight) {
	thread := t.lane(e.Rank, start, e.Time)
	t.out.slice(thread, start, e.Time, e, "receive")
	if m.ID != 0 {
		t.arrows++
		t.out.flow('s', sends(e.Peer), m.Start, t.arrows)
		t.out.flow('f', thread, start, t.arrows)
	}
}

// Notice writes the slice of a receive from the failure detector.
func (t *tracer) Notice(e *report.Event, start clock.Time) {
	t.out.slice(t.lane(e.Rank, start, e.Time), start, e.Time, e, "notice")
}

// Lost writes an instant at the receiver.
func (t *tracer) Lost(e *report.Event, _ Flight) {
	t.out.instant(receives(e.Rank), e.Time, "lost", "lost")
	t.out.message(e)
	t.out.close()
}

// Cut writes an instant at the sender.
func (t *tracer) Cut(e *report.Event, _ Flight) {
	t.out.instant(sends(e.Rank), e.Time, "cut", "failure")
	t.out.message(e)
	t.out.close()
}

// Instant writes a step, a failure or a rejoin.
func (t *tracer) Instant(e *report.Event) {
	if e.Kind == report.EventStep {
		t.out.instant(sends(e.Rank), e.Time, e.Step, "step")
	} else {
		t.out.instant(sends(e.Rank), e.Time, e.Kind.String(), "failure")
	}
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

// slowdowns writes those that have no events.
func (t *tracer) slowdowns() {
	for rank, s := range t.SlowByClock() {
		t.SlowDown(rank, s)
	}
}

// SlowDown writes a slow-down.
func (t *tracer) SlowDown(rank int, s faults.Slowdown) {
	t.out.instant(sends(rank), s.From, "slow", "failure")
	t.out.text(`,"args":{"factor":`)
	t.out.number(int64(s.Factor))
	t.out.text("}")
	t.out.close()
}

// waiting writes, at the end of the run, who waits for ever.
func (t *tracer) waiting(end clock.Time) {
	for _, d := range t.Report.Deadlocks {
		t.out.instant(sends(d.Rank), end, "waits for ever", "deadlock")
		t.out.text(`,"args":{"call":`)
		t.out.quote(d.Call)
		t.out.text(`,"want":`)
		t.out.quote(d.Want)
		t.out.text(`,"since":`)
		t.out.number(int64(d.Since))
		t.out.text(`,"cause":`)
		t.out.quote(d.Cause)
		t.out.text("}")
		t.out.close()
	}
}
