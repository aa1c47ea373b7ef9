package traceevent

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Visitor is shown what happens in a run, in the order of its events, with what events alone do
// not say: when operations began or ended, and which send a message comes from.
type Visitor interface {
	// Send is a send that was completed. It puts a message under way.
	Send(e *report.Event, m Flight)
	// SendLost is a send whose sender failed in the middle of it, at end.
	SendLost(e *report.Event, end clock.Time)
	// Receive is a receive, from start to the time of the event.
	Receive(e *report.Event, start clock.Time, m Flight)
	// Notice is a receive from the failure detector.
	Notice(e *report.Event, start clock.Time)
	// Lost is a message that disappeared at a crashed rank, Cut one that did on a cut link.
	Lost(e *report.Event, m Flight)
	Cut(e *report.Event, m Flight)
	// SlowDown is one that has an event; those by the clock are in Run.SlowByClock.
	SlowDown(rank int, s faults.Slowdown)
	// Instant is a named step, a crash, a hang or a rejoin.
	Instant(e *report.Event)
}

// Flight is a message under way.
type Flight struct {
	ID             int64      // numbers the sends from 1, in the order of their events; 0 if the send is not known
	Start, Resumed clock.Time // of its send
}

// Visit goes through the events of a run and returns its last instant.
func Visit(run Run, v Visitor) (end clock.Time) {
	w := newWalker(run, v)
	for i := range run.Report.Events {
		w.event(&run.Report.Events[i])
	}
	return w.end
}

// walker is what must be known of the events so far.
type walker struct {
	Run
	visitor Visitor
	costs   clock.Costs
	flights flights
	ports   map[int]*slowPort     // of ranks that are slow at some time
	failing map[int]*report.Event // sends whose end, a failure, is still to come, by rank
	sends   int64                 // so many so far
	end     clock.Time            // the last instant so far
}

func newWalker(run Run, v Visitor) *walker {
	if run.Network == nil {
		run.Network = clock.Uniform(run.Report.LogP.Latency)
	}
	w := &walker{
		Run:     run,
		visitor: v,
		costs:   run.Report.LogP.Costs(),
		flights: make(flights),
		ports:   make(map[int]*slowPort),
		failing: make(map[int]*report.Event),
	}
	for rank, s := range run.SlowByClock() {
		w.slowDown(rank, s)
	}
	return w
}

// event shows the visitor one event.
func (w *walker) event(e *report.Event) {
	w.end = max(w.end, e.Time)
	switch e.Kind {
	case report.EventSend:
		w.send(e)
	case report.EventSendLost:
		w.failing[e.Rank] = e
	case report.EventReceive:
		w.receive(e)
	case report.EventNotice:
		w.visitor.Notice(e, w.receiveStart(e, 0))
	case report.EventLost:
		w.visitor.Lost(e, w.flights.first(messageFrom(e)))
	case report.EventCut:
		w.visitor.Cut(e, w.flights.last(messageTo(e)))
	case report.EventStep:
		w.visitor.Instant(e)
	case report.EventSlow:
		s := faults.Slowdown{From: e.Time, Factor: int(e.A)}
		w.slowDown(e.Rank, s)
		w.visitor.SlowDown(e.Rank, s)
	case report.EventCrash, report.EventHang, report.EventRejoin:
		w.turn(e)
	}
}

// send puts a message under way.
func (w *walker) send(e *report.Event) {
	w.sends++
	m := Flight{w.sends, e.Time, e.Time + w.overheadAt(e.Rank, e.Time)}
	w.end = max(w.end, m.Resumed)
	w.flights.add(messageTo(e), m)
	w.visitor.Send(e, m)
}

// receive ends a flight.
func (w *walker) receive(e *report.Event) {
	m := w.flights.first(messageFrom(e))
	arrival := clock.Time(0)
	if m.ID != 0 {
		arrival = m.Resumed + w.Network.Latency(e.Peer, e.Rank)
	}
	w.visitor.Receive(e, w.receiveStart(e, arrival), m)
}

// turn is a rank that failed or began again.
func (w *walker) turn(e *report.Event) {
	if send := w.failing[e.Rank]; send != nil {
		w.visitor.SendLost(send, e.Time)
		delete(w.failing, e.Rank)
	}
	if port := w.ports[e.Rank]; port != nil && e.Kind == report.EventRejoin {
		port.free = 0
	}
	w.visitor.Instant(e)
}
