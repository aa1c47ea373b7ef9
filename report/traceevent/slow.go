package traceevent

import (
	"sort"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// slowPort is what must be known of a rank whose operations do not all take the same time.
type slowPort struct {
	slow faults.Slowdowns // the first one is none
	free clock.Time       // when its receive port is free
	last clock.Time       // when the last receive ended
}

// slowDown notes a slow-down.
func (w *walker) slowDown(e *report.Event) { w.port(e.Rank).slow.Add(e.Time, int(e.A)) }

// port makes the port of a rank if there is none yet.
func (w *walker) port(rank int) *slowPort {
	port := w.ports[rank]
	if port == nil {
		port = &slowPort{slow: faults.Slowdowns{{From: 0, Factor: 1}}}
		w.ports[rank] = port
	}
	return port
}

// factorAt is how many times as long an operation takes that starts then.
func (p *slowPort) factorAt(at clock.Time) clock.Time { return clock.Time(p.slow.FactorAt(at)) }

// overheadAt is how long a send of a rank to another takes that starts then.
func (w *walker) overheadAt(rank, peer int, at clock.Time) clock.Time {
	factor := 1
	if port := w.ports[rank]; port != nil {
		factor = int(port.factorAt(at))
	}
	return w.Report.Overhead(rank, peer, at, factor)
}

// receiveStart is when a receive began whose message did not arrive before arrival.
func (w *walker) receiveStart(e *report.Event, arrival clock.Time, costs *clock.Costs) clock.Time {
	if noise := w.Report.Noise; noise != nil {
		return w.port(e.Rank).receiveInNoise(e.Time, arrival, costs, func(start, needs clock.Time) clock.Time {
			return needs + noise.Lengthen(noise.Stream(w.Report.Seed, e.Rank), start, needs)
		})
	}
	if port := w.ports[e.Rank]; port != nil {
		return port.receive(e.Time, arrival, costs)
	}
	return e.Time - costs.Overhead
}

// receiveInNoise takes a message through the port of a rank whose processor is taken away now and then. It went in when it had
// arrived and the port was free, if that is known, and otherwise as late as it can have.
func (p *slowPort) receiveInNoise(end, arrival clock.Time, costs *clock.Costs, lasts func(start, needs clock.Time) clock.Time) (start clock.Time) {
	takes := func(at clock.Time) clock.Time { return lasts(at, costs.Overhead*p.factorAt(at)) }
	start = max(arrival, p.free)
	if arrival == 0 || start+takes(start) != end {
		start = clock.Time(sort.Search(int(end), func(at int) bool { return clock.Time(at)+takes(clock.Time(at)) > end }))
		start = max(0, start-1)
	}
	if costs.Receiving > 0 {
		p.free = start + max(takes(start), costs.Receiving*p.factorAt(start))
	}
	return start
}

// receive takes a message through the port that comes out of it at end. When it went in follows
// from how long that takes, which depends on when it went in: there may be several answers if
// the rank has become less slow. The earliest one that is not before the message arrived, and
// the port was free, is right if it is known when the message arrived. Where many are received at once, one that was done
// waits for those before it, and ends with them.
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
	if waited := end == p.last && bound+costs.Overhead*p.factorAt(bound) <= end; waited && arrival > 0 {
		start = bound
	} else if start == clock.Never {
		start = min(end, max(bound, end-longest))
	}
	p.free, p.last = start+costs.Receiving*p.factorAt(start), end
	return start
}
