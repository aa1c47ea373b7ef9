package temporal

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Moment is from when on something is promised: one instant of a run, or several, after each of which it is.
type Moment struct {
	says string
	of   func(guarantee.Run) []origin
}

// origin is a moment of a run.
type origin struct {
	at    clock.Time
	event int // its place; -1 if it is no event
	rank  int // report.NoPeer if it is no rank's
	words string
}

// Start is t=0.
var Start = Moment{"the start", start}

var theStart = origin{0, -1, report.NoPeer, "the start"}

func start(guarantee.Run) []origin { return []origin{theStart} }

// AfterLastFailure is when the last rank crashed or hung; the start if none did. It does not matter whether that rank came back, nor when.
var AfterLastFailure = Moment{"the last failure", lastFailure}

func lastFailure(run guarantee.Run) []origin {
	if all := origins(run, Failure); len(all) > 0 {
		return all[len(all)-1:]
	}
	return []origin{theStart}
}

// AfterLastDisturbance is when the last fault was over: a rank crashed, hung, came back or became slow, links were cut or mended, a message was lost,
// a message that was late or came twice arrived, jitter aside. It is the start if nothing of that happened. Who is slow stays so, and what is cut and not mended
// stays cut: that begins and is not over. Jitter and noise are no disturbance here.
var AfterLastDisturbance = Moment{"the last disturbance", lastDisturbance}

func lastDisturbance(run guarantee.Run) []origin {
	last := theStart
	for i, e := range run.Report.Events {
		if over, disturbs := disturbance(run, i); disturbs && over >= last.at {
			last = origin{over, i, e.Rank, e.String()}
			if over != e.Time {
				last.event, last.words = -1, fmt.Sprintf("t=%d (the end of %v)", over, e)
			}
		}
	}
	end := over(run)
	for f := range run.Report.Fired() {
		at, words := f.At.Time, f.String() // 0 if it is at a point of the program: then an event says when
		switch {
		case f.Until == 0:
		case f.Until <= end:
			at, words = f.Until, fmt.Sprintf("t=%d (the end of %s)", f.Until, words)
		default:
			words = fmt.Sprintf("t=%d (the beginning of %s)", at, words)
		}
		if at > last.at && at <= end {
			last = origin{at, -1, report.NoPeer, words}
		}
	}
	return []origin{last}
}

// disturbance reports whether the event at this place is a fault, and when that is over.
func disturbance(run guarantee.Run, place int) (over clock.Time, disturbs bool) {
	e := run.Report.Events[place]
	switch e.Kind {
	case report.EventCrash, report.EventHang, report.EventRejoin, report.EventSlow, report.EventCut, report.EventDrop:
		return e.Time, true
	case report.EventLate, report.EventTwice:
		over = e.Time + latency(run, e) + clock.Time(e.A)
		for i := place - 1; e.Kind == report.EventTwice && i >= 0 && run.Report.Events[i].Time == e.Time; i-- {
			if late := run.Report.Events[i]; late.Kind == report.EventLate && late.Rank == e.Rank && late.Peer == e.Peer {
				over += clock.Time(late.A) // it comes again so long after it came for the first time
				break
			}
		}
		return over, true
	}
	return 0, false
}

// latency is how long a message is under way to which nothing happens.
func latency(run guarantee.Run, e report.Event) clock.Time {
	if network := run.Report.Network; network != nil {
		return network.Latency(e.Rank, e.Peer)
	}
	return run.Report.LogP.Latency
}

// AfterEach is each time that something happens, whichever rank it happens to: to one that has failed, too, such as that a message gets into the mailbox of a rank
// that hangs (Taken does not happen then). If it never does, nothing is promised.
func AfterEach(h Happening) Moment {
	return Moment{"each " + h.Says, func(run guarantee.Run) []origin { return origins(run, h) }}
}

// AfterLast is the last time that something happens, likewise. If it never does, nothing is promised.
func AfterLast(h Happening) Moment {
	return Moment{"the last " + h.Says, func(run guarantee.Run) []origin {
		all := origins(run, h)
		return all[max(0, len(all)-1):]
	}}
}

// origins are all events that are such a happening.
func origins(run guarantee.Run, h Happening) (all []origin) {
	for i, e := range run.Report.Events {
		if h.Is(e) {
			all = append(all, origin{e.Time, i, e.Rank, e.String()})
		}
	}
	return all
}

// over is the instant of the last event.
func over(run guarantee.Run) clock.Time {
	if all := run.Report.Events; len(all) > 0 {
		return all[len(all)-1].Time
	}
	return 0
}
