package emu

import (
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"

	"github.com/mangrove-emu/mangrove/report"
)

// links are the cuts of a run. A message is lost if it leaves its sender when the link is cut
// or later; one that is under way arrives. So its sender alone decides, and no window has to
// know of cuts.
type links struct {
	cuts []cut
	// quiet is the last instant of any message that was lost.
	quiet atomic.Int64
}

// cut is a set of links that do not work from an instant on.
type cut struct {
	from clock.Time
	side []uint8 // of each rank: 1, 2 or neither
}

// arm notes the cuts of a schedule.
func (l *links) arm(schedule []scheduled, ranks int) {
	l.cuts = l.cuts[:0]
	l.quiet.Store(0)
	for i := range schedule {
		if s := &schedule[i]; s.Kind == faults.Cut {
			l.cuts = append(l.cuts, cut{s.At.Time, s.Sides(ranks)})
		}
	}
}

// broken reports whether no message that leaves at this instant gets from one rank to the other.
func (l *links) broken(from, to int, left clock.Time) bool {
	for i := range l.cuts {
		c := &l.cuts[i]
		if a, b := c.side[from], c.side[to]; left >= c.from && a != b && a != 0 && b != 0 {
			return true
		}
	}
	return false
}

// swallows loses a message on a cut link, if it is one. It stays out of transmit, whose frame
// is to be small.
//
//go:noinline
func (l *links) swallows(r *rank, to int, left clock.Time, msg mailbox.Message) bool {
	if !l.broken(int(r.id), to, left) {
		return false
	}
	for {
		quiet := l.quiet.Load()
		if int64(left) <= quiet || l.quiet.CompareAndSwap(quiet, int64(left)) {
			break
		}
	}
	if r.m.tracing {
		r.note(&report.Event{Time: left, Rank: int(r.id), Kind: report.EventCut, Peer: to, Msg: msg.Kind, Epoch: msg.Epoch, A: msg.A})
	}
	return true
}
