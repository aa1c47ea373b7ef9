package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// costsAt returns the costs of an operation that starts at t, for use before it is asked again.
func (f *faultState) costsAt(t clock.Time, normal *clock.Costs) *clock.Costs {
	factor := f.FactorAt(t)
	if factor == 1 {
		return normal
	}
	f.costs = normal.Times(factor)
	return &f.costs
}

// slowDown slows the rank down from now on.
//
// Messages of the present window have passed its receive port already, at the old cost.
// Those whose receive starts now or later are charged again. None of them has been read,
// since their receives end later than now, so they are the last ones in the queue.
func (r *rank) slowDown(s *faults.Scheduled) {
	f := r.extra.faults
	f.Happens(s, r.now)
	r.detectSlowdown(r.now, false)
	if r.m.tracing {
		r.note(&report.Event{Time: r.now, Rank: int(r.id), Kind: report.EventSlow, Peer: report.NoPeer, A: int64(s.Factor)})
	}
	again := len(f.log)
	for again > 0 && f.log[again-1].start >= r.now {
		again--
	}
	if again == len(f.log) {
		return
	}
	retimed := f.log[again:]
	r.recv.ReleaseAt(retimed[0].free)
	f.received = retimed[0].before
	for i := range retimed {
		retimed[i].pass(r)
	}
	r.requeue(retimed)
}

// requeue writes the new ends of receives into the last messages of the queue.
func (r *rank) requeue(retimed []reception) {
	s := r.m.store
	length := 0
	for ref := r.queue.First; ref != 0; ref = s.Cell(ref).Next {
		length++
	}
	skip := length - len(retimed)
	for ref := r.queue.First; ref != 0; ref = s.Cell(ref).Next {
		if skip--; skip < 0 {
			s.Cell(ref).At = retimed[len(retimed)-length].received
		}
		length--
	}
}
