package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// A worker passes messages through a rank's receive port before the rank runs. A rank
// with faults may turn out to crash or slow down in the same window, so its receptions
// are logged and settled, that is counted, only when nothing can undo them.

// reception is a message on its way through the receive port of a rank with faults.
type reception struct {
	cell     cells.Cell
	free     clock.Time // when the port was done with the message before
	before   clock.Time // when that was received
	arrival  clock.Time
	start    clock.Time
	received clock.Time
}

// pass takes the message through the port. Messages come out in the order in which they came
// in, also where many are received at once and a slow rank has become less slow.
func (e *reception) pass(r *rank) {
	f, port := r.extra.faults, &r.recv
	e.free = port.Start(0)
	e.start = port.Start(e.arrival)
	e.before = f.received
	e.received = max(e.before, r.occupyRecv(e.start, f.costsAt(e.start, r.costsOfMail(&e.cell))))
	f.received = e.received
}

// receiveFaulty passes one message through the port of a rank with faults.
func (w *worker) receiveFaulty(r *rank, ref cells.Ref, c *cells.Cell) {
	f := r.extra.faults
	r.settleUntil(w.m.end - w.m.lookahead)
	e := reception{cell: *c, arrival: c.At}
	if c.At >= f.DeadAt() {
		r.lose(&e, f.DeadAt())
		w.drop(r, ref)
		return
	}
	e.pass(r)
	f.log = append(f.log, e)
	w.put(r, ref, c, e.received)
}

// settleUntil counts all receptions up to t. The rank must not have a way to crash
// before t any more.
func (r *rank) settleUntil(t clock.Time) {
	f := r.extra.faults
	n := 0
	for ; n < len(f.log) && f.log[n].received <= min(t, f.DeadAt()); n++ {
		e := &f.log[n]
		if e.cell.Kind != protocols.Failed {
			f.quiescence = max(f.quiescence, e.received)
			if !r.coloured {
				r.colour(e.received)
			}
		}
		if r.m.tracing {
			r.record(arrivalKind(&e.cell), e.received, int(e.cell.From), &e.cell)
		}
	}
	f.log = f.log[:copy(f.log, f.log[n:])]
}

// settle counts the receptions of a rank whose ports stop at deadAt, which may be never,
// and loses the rest.
func (r *rank) settle(deadAt clock.Time) {
	r.settleUntil(deadAt)
	f := r.extra.faults
	for i := range f.log {
		r.lose(&f.log[i], deadAt)
	}
	f.log = f.log[:0]
}

// lose counts a message that disappears: when it arrives at a crashed rank, or when the
// rank crashes in the middle of its receive or before it has begun.
func (r *rank) lose(e *reception, deadAt clock.Time) {
	if e.cell.Kind == protocols.Failed {
		return
	}
	f := r.extra.faults
	last := e.arrival
	if e.arrival < deadAt && e.start < deadAt {
		last = deadAt
	}
	f.quiescence = max(f.quiescence, last)
	if r.m.tracing {
		r.record(report.EventLost, max(e.arrival, deadAt), int(e.cell.From), &e.cell)
	}
}
