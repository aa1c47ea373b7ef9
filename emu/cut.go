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
	cuts faults.Cuts
	// quiescence is the last instant of any message that was lost.
	quiescence atomic.Int64
}

// arm notes the cuts of a schedule.
func (l *links) arm(schedule faults.Schedule, ranks int) {
	l.cuts = schedule.Cuts(ranks)
	l.quiescence.Store(0)
}

// swallows loses a message on a cut link, if it is one. It stays out of transmit, whose frame
// is to be small.
//
//go:noinline
func (l *links) swallows(r *rank, to int, left clock.Time, msg mailbox.Message) bool {
	if !l.cuts.Swallow(int(r.id), to, left) {
		return false
	}
	for {
		quiescence := l.quiescence.Load()
		if int64(left) <= quiescence || l.quiescence.CompareAndSwap(quiescence, int64(left)) {
			break
		}
	}
	if r.m.tracing {
		r.note(&report.Event{Time: left, Rank: int(r.id), Kind: report.EventCut, Peer: to, Msg: msg.Kind, Epoch: msg.Epoch, A: msg.A})
	}
	return true
}
