package main

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// pace is how long a rank's sends and receives take: o, and from a slow-down on a
// multiple of it. The spans are ordered by time, the first one starts at 0.
type pace []paceSpan

type paceSpan struct{ from, overhead clock.Time }

// pacesOf finds the pace of every rank: the schedule says which slow-downs came with the
// clock, the trace which came at a point of the program.
func pacesOf(rep *report.Report) []pace {
	paces := make([]pace, len(rep.Ranks))
	for i := range paces {
		paces[i] = pace{{0, rep.LogP.Overhead}}
	}
	for _, f := range rep.Faults {
		if f.Kind == faults.Slow && f.At.Anchor == faults.AtTime {
			paces[f.Rank].slow(f.At.Time, f.Factor)
		}
	}
	for _, e := range rep.Events {
		if e.Kind == report.EventSlow {
			paces[e.Rank].slow(e.Time, int(e.A))
		}
	}
	return paces
}

// slow adds a slow-down. The factor is one of the normal overhead.
func (p *pace) slow(from clock.Time, factor int) {
	i := len(*p)
	for i > 0 && (*p)[i-1].from > from {
		i--
	}
	*p = slices.Insert(*p, i, paceSpan{from, (*p)[0].overhead * clock.Time(factor)})
}

// cost is how long an operation takes that starts at t.
func (p pace) cost(t clock.Time) clock.Time {
	for i := len(p) - 1; i > 0; i-- {
		if p[i].from <= t {
			return p[i].overhead
		}
	}
	return p[0].overhead
}

// start is when an operation began that ended at t.
func (p pace) start(t clock.Time) clock.Time {
	for _, span := range slices.Backward(p) {
		if start := t - span.overhead; start >= span.from && p.cost(start) == span.overhead {
			return start
		}
	}
	return max(0, t-p[0].overhead)
}
