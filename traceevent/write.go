package traceevent

import (
	"io"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Run is a run and what its report does not say about it.
type Run struct {
	// Report has the events, in the order of emu.CompareEvents.
	Report *emu.Report
	// KindName names the kinds of messages. Optional.
	KindName func(mailbox.Kind) string
	// Network is that of the machine; nil if it is uniform.
	Network clock.Network
	// Slow are the slow-downs by the clock, in the order of the schedule. They have no events.
	Slow []Slowdown
	// Uncoloured leaves out when ranks were coloured: nothing is spread.
	Uncoloured bool

	Line string        // what was run, for the header; optional
	Tick time.Duration // what a tick stands for, for the header; 0 if it has no unit
}

// Slowdown makes operations of a rank's ports that start at From or later take Factor times as
// long. It replaces earlier ones.
type Slowdown struct {
	Rank   int
	From   clock.Time
	Factor int
}

// Write writes a run as one JSON object. The same run gives the same bytes. The order of what
// is in it is not that of time.
func Write(w io.Writer, run Run) error {
	t := newTracer(w, run)
	t.header()
	t.tracks()
	for i := range run.Report.Events {
		t.event(&run.Report.Events[i])
	}
	t.colouring()
	t.slowdowns()
	t.waiting()
	t.out.text("\n]}\n")
	return t.out.flush()
}

// tracer goes through the events of a run.
type tracer struct {
	Run
	out     output
	costs   clock.Costs
	flights flights
	ports   map[int]*slowPort  // of ranks that are slow at some time
	failing map[int]*emu.Event // sends whose end, a failure, is still to come, by rank
	lanes   lanes
	arrows  int64      // so many flows
	end     clock.Time // the last instant so far
}

func newTracer(w io.Writer, run Run) *tracer {
	if run.Network == nil {
		run.Network = clock.Uniform(run.Report.LogP.Latency)
	}
	t := &tracer{
		Run:     run,
		out:     output{w: w, kindName: run.KindName},
		costs:   run.Report.LogP.Costs(),
		flights: flights{queues: make(map[message]queue)},
		ports:   make(map[int]*slowPort),
		failing: make(map[int]*emu.Event),
		lanes:   lanes{next: 2*len(run.Report.Ranks) + 1},
	}
	for _, s := range run.Slow {
		t.slowDown(s)
	}
	return t
}

// event writes what one event adds to the file.
func (t *tracer) event(e *emu.Event) {
	t.end = max(t.end, e.Time)
	switch e.Kind {
	case emu.EventSend:
		t.send(e)
	case emu.EventSendLost:
		t.failing[e.Rank] = e
	case emu.EventReceive:
		t.receive(e)
	case emu.EventNotice:
		t.notice(e)
	case emu.EventLost:
		t.flights.first(messageFrom(e))
		t.out.instant(receives(e.Rank), e.Time, "lost", "lost")
		t.out.message(e)
		t.out.close()
	case emu.EventCut:
		t.flights.last(messageTo(e))
		t.out.instant(sends(e.Rank), e.Time, "cut", "failure")
		t.out.message(e)
		t.out.close()
	case emu.EventStep:
		t.out.instant(sends(e.Rank), e.Time, e.Step, "step")
		t.out.close()
	case emu.EventSlow:
		s := Slowdown{e.Rank, e.Time, int(e.A)}
		t.slowDown(s)
		t.slow(s)
	case emu.EventCrash, emu.EventHang, emu.EventRejoin:
		t.turn(e)
	}
}

// send writes the slice of a send and puts its message under way.
func (t *tracer) send(e *emu.Event) {
	resumed := e.Time + t.overheadAt(e.Rank, e.Time)
	t.end = max(t.end, resumed)
	t.out.slice(sends(e.Rank), e.Time, resumed, e, "send")
	t.flights.add(messageTo(e), e.Time, resumed)
}

// receive writes the slice of a receive and, if its send is known, the arrow between the two.
func (t *tracer) receive(e *emu.Event) {
	flight, known := t.flights.first(messageFrom(e))
	arrival := clock.Time(0)
	if known {
		arrival = flight.resumed + t.Network.Latency(e.Peer, e.Rank)
	}
	start := t.receiveStart(e, arrival)
	thread := t.lane(e.Rank, start, e.Time)
	t.out.slice(thread, start, e.Time, e, "receive")
	if known {
		t.arrows++
		t.out.flow('s', sends(e.Peer), flight.start, t.arrows)
		t.out.flow('f', thread, start, t.arrows)
	}
}

// notice writes the slice of a receive from the failure detector.
func (t *tracer) notice(e *emu.Event) {
	start := t.receiveStart(e, 0)
	t.out.slice(t.lane(e.Rank, start, e.Time), start, e.Time, e, "notice")
}

// turn writes that a rank failed or began again.
func (t *tracer) turn(e *emu.Event) {
	if send := t.failing[e.Rank]; send != nil {
		t.out.slice(sends(e.Rank), send.Time, e.Time, send, "send-lost")
		delete(t.failing, e.Rank)
	}
	if port := t.ports[e.Rank]; port != nil && e.Kind == emu.EventRejoin {
		port.free = 0
	}
	t.out.instant(sends(e.Rank), e.Time, e.Kind.String(), "failure")
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
	for _, s := range t.Slow {
		t.slow(s)
	}
}

func (t *tracer) slow(s Slowdown) {
	t.out.instant(sends(s.Rank), s.From, "slow", "failure")
	t.out.text(`,"args":{"factor":`)
	t.out.number(int64(s.Factor))
	t.out.text("}")
	t.out.close()
}

// waiting writes, at the end of the run, who waits for ever.
func (t *tracer) waiting() {
	for _, d := range t.Report.Deadlocks {
		t.out.instant(sends(d.Rank), t.end, "waits for ever", "deadlock")
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
