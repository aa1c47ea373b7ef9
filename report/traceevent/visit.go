package traceevent

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Act is an event with what events alone do not say: how long a port was at work, and which send a message comes
// from. On real processes that is not known, and they are instants.
type Act struct {
	*report.Event
	Start, End clock.Time // of a send, a receive, a notice or an operation of storage; else both are the time of the event
	Message    Flight     // what is sent, received, lost, cut, dropped, late, or on its way once more
}

// Flight is a message under way.
type Flight struct {
	// ID numbers sends, and messages that arrive once more, from 1, in the order of their events. It is 0 if the
	// send is not known.
	ID             int64
	Start, Resumed clock.Time // of its send
	Late           clock.Time // it takes so much longer than the network does
	Of             int64      // the ID of the message that arrives once more as this one; 0 if it is no such
}

// Visit shows what happens in a run, in the order of its events. A send whose sender fails in the middle of it is
// shown then. Slow-downs by the clock have no events, and are in [Run.SlowByClock].
func Visit(run Run, show func(Act)) {
	w := newWalker(run, show)
	for i := range run.Report.Events {
		w.event(&run.Report.Events[i])
	}
}

// walker is what must be known of the events so far.
type walker struct {
	Run
	show    func(Act)
	flights flights
	ports   map[int]*slowPort     // of ranks that are slow at some time
	failing map[int]*report.Event // sends whose end, a failure, is still to come, by rank
	last    map[int]message       // the last message of each rank to which something happens
	sends   int64                 // so many so far
	special bool                  // something happens to some messages
}

func newWalker(run Run, show func(Act)) *walker {
	if run.Network == nil {
		run.Network = run.Report.Network
	}
	if run.Network == nil {
		run.Network = clock.Uniform(run.Report.LogP.Latency)
	}
	w := &walker{
		Run:     run,
		show:    show,
		flights: make(flights),
		ports:   make(map[int]*slowPort),
		failing: make(map[int]*report.Event),
		last:    make(map[int]message),
	}
	for e := range run.SlowByClock() {
		w.slowDown(&e)
	}
	w.special = slices.ContainsFunc(run.Report.Faults, func(f faults.Fault) bool { return f.Kind.OfMessages() })
	return w
}

// event shows one event, if its end is known.
func (w *walker) event(e *report.Event) {
	a := Act{Event: e, Start: e.Time, End: e.Time}
	switch e.Kind {
	case report.EventSend:
		w.sends++
		if !w.Report.Processes {
			a.End += w.overheadAt(e.Rank, e.Peer, e.Time)
		}
		a.Message = Flight{ID: w.sends, Start: a.Start, Resumed: a.End}
		w.flights.add(messageTo(e), a.Message)
		if w.special {
			w.last[e.Rank] = messageTo(e)
		}
	case report.EventSendLost:
		w.failing[e.Rank] = e
		return
	case report.EventReceive:
		a.Message = w.flights.next(messageFrom(e))
		if !w.Report.Processes {
			costs := w.costsOf(e.Peer, e.Rank)
			a.Start = w.receiveStart(e, w.arrival(e, a.Message), &costs)
		}
	case report.EventNotice:
		if !w.Report.Processes {
			costs := w.costsOfNotices()
			a.Start = w.receiveStart(e, 0, &costs)
		}
	case report.EventLost:
		a.Message = w.flights.next(messageFrom(e))
	case report.EventCut, report.EventDrop:
		a.Message = w.flights.last(messageTo(e))
	case report.EventLate, report.EventTwice:
		a.Message = w.fate(e)
	case report.EventWrite, report.EventDelete, report.EventWriteLost, report.EventSync, report.EventSyncLost, report.EventRead:
		a.End += clock.Time(e.A)
	case report.EventSlow:
		w.slowDown(e)
	case report.EventCrash, report.EventHang, report.EventRejoin:
		w.turn(e)
	}
	w.show(a)
}

// costsOf is what ports charge for a message from one rank to another.
func (w *walker) costsOf(from, to int) clock.Costs {
	return clock.CostsBetween(w.Report.LogP, w.Network, from, to)
}

// costsOfNotices is what receiving a notice of the failure detector takes: as little as a message can.
func (w *walker) costsOfNotices() clock.Costs {
	machine := w.Report.LogP
	machine.Overhead, _ = clock.Overheads(machine, w.Network)
	return machine.Costs()
}

// arrival is when a message reached its receiver; 0 if that is not known.
func (w *walker) arrival(e *report.Event, m Flight) clock.Time {
	if m.ID == 0 {
		return 0
	}
	return m.Resumed + w.Network.Latency(e.Peer, e.Rank) + m.Late
}

// fate lets the message that a rank has sent last be late, or be under way once more.
func (w *walker) fate(e *report.Event) Flight {
	m, sent := w.last[e.Rank]
	if !sent {
		return Flight{} // the send is not known
	}
	if e.Kind == report.EventLate {
		x := w.flights.last(m)
		x.Late = clock.Time(e.A)
		w.flights.add(m, x)
		return x
	}
	x := w.flights.sent(m)
	w.sends++
	x.Late, x.Of, x.ID = x.Late+clock.Time(e.A), x.ID, w.sends
	w.flights.add(m, x)
	return x
}

// turn is a rank that failed or began again.
func (w *walker) turn(e *report.Event) {
	if send := w.failing[e.Rank]; send != nil {
		w.show(Act{Event: send, Start: send.Time, End: e.Time})
		delete(w.failing, e.Rank)
	}
	if port := w.ports[e.Rank]; port != nil && e.Kind == report.EventRejoin {
		port.free, port.last = 0, 0
	}
}
