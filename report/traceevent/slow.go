package traceevent

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// slowPort is what must be known of a rank whose operations do not all take the same time.
type slowPort struct {
	slow faults.Slowdowns // the first one is none
	free clock.Time       // when its receive port is free
}

// slowDown notes a slow-down.
func (w *walker) slowDown(e *report.Event) {
	port := w.ports[e.Rank]
	if port == nil {
		port = &slowPort{slow: faults.Slowdowns{{From: 0, Factor: 1}}}
		w.ports[e.Rank] = port
	}
	port.slow.Add(e.Time, int(e.A))
}

// factorAt is how many times as long an operation takes that starts then.
func (p *slowPort) factorAt(at clock.Time) clock.Time { return clock.Time(p.slow.FactorAt(at)) }

// overheadAt is how long an operation of a rank takes that starts then.
func (w *walker) overheadAt(rank int, at clock.Time) clock.Time {
	if port := w.ports[rank]; port != nil {
		return w.costs.Overhead * port.factorAt(at)
	}
	return w.costs.Overhead
}

// receiveStart is when a receive began whose message did not arrive before arrival.
func (w *walker) receiveStart(e *report.Event, arrival clock.Time) clock.Time {
	if port := w.ports[e.Rank]; port != nil {
		return port.receive(e.Time, arrival, &w.costs)
	}
	return e.Time - w.costs.Overhead
}

// receive takes a message through the port that comes out of it at end. When it went in follows
// from how long that takes, which depends on when it went in: there may be several answers if
// the rank has become less slow. The earliest one that is not before the message arrived, and
// the port was free, is right if it is known when the message arrived.
func (p *slowPort) receive(end, arrival clock.Time, costs *clock.Costs) (start clock.Time) {
	bound := max(arrival, p.free)
	start = clock.Never
	longest := clock.Time(0)
	for _, s := range p.slow {
		takes := costs.Overhead * clock.Time(s.Factor)
		longest = max(longest, takes)
		if at := end - takes; at >= bound && p.factorAt(at) == clock.Time(s.Factor) {
			start = min(start, at)
		}
	}
	if start == clock.Never {
		// It was done, and had to wait for a message before it: many are received at once.
		start = min(end, max(bound, end-longest))
	}
	p.free = start + costs.Receiving*p.factorAt(start)
	return start
}
