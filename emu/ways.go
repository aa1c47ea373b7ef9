package emu

import (
	"fmt"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// ways are what may happen to messages on their way in a run, besides that they take a time which follows from their
// sender and receiver. Their sender alone decides, when they leave it, so no window has to know: delays only add.
type ways struct {
	links *faults.Links // nil if nothing happens on them
	// ordered says that messages which are late must not be overtaken on their links.
	ordered bool
	// quiescence is the last instant of any message that was lost.
	quiescence atomic.Int64
}

// armWays notes what a schedule does to links.
func (m *Machine) armWays(schedule faults.Schedule) {
	w := &m.ways
	w.links = schedule.Links(m.cfg.Ranks)
	w.ordered = m.cfg.mayOvertake(schedule)
	if m.bottleneck != nil {
		m.bottleneck.ordered = w.ordered
	}
	w.quiescence.Store(0)
}

// jitter draws by how much the next message of a rank is late.
func (r *rank) jitter() clock.Time {
	late := clock.DrawJitter(r.m.cfg.Jitter, r.m.seed, int(r.id), int(r.sends)+1)
	if late < 0 || late > clock.MaxCost {
		panicJitter(late)
	}
	return late
}

// panicJitter stays out of the small frame below which jitter is computed.
//
//go:noinline
func panicJitter(late clock.Time) {
	panic(fmt.Sprintf("emu: jitter of %d ticks, want 0 to %d", late, clock.MaxCost))
}

// carry puts a message under way to which something may happen. It stays out of transmit, whose frame is to be small.
//
//go:noinline
func (r *rank) carry(to int, left clock.Time, msg *mailbox.Message) {
	m := r.m
	var fate faults.Fate
	if r.faulty {
		r.extra.faults.Message(left, &fate)
	}
	m.ways.links.Meet(int(r.id), to, left, &fate)
	if !fate.Arrives() {
		r.vanish(to, left, msg, &fate)
		return
	}
	arrival := r.arrival(to, left) + fate.Late
	if fate.Late > 0 {
		r.fateOf(report.EventLate, to, left, fate.Late)
	}
	r.post(to, arrival, msg, false)
	for _, after := range fate.Again {
		r.fateOf(report.EventTwice, to, left, after)
		r.post(to, arrival+after, msg, true)
	}
}

// arrival is when a message arrives that leaves then, if nothing happens to it.
func (r *rank) arrival(to int, left clock.Time) clock.Time {
	at := left + r.m.latency(int(r.id), to)
	if r.m.cfg.Jitter != nil {
		at += r.jitter()
	}
	return at
}

// vanish loses a message on its way.
func (r *rank) vanish(to int, left clock.Time, msg *mailbox.Message, fate *faults.Fate) {
	q := &r.m.ways.quiescence
	for {
		quiescence := q.Load()
		if int64(left) <= quiescence || q.CompareAndSwap(quiescence, int64(left)) {
			break
		}
	}
	r.more().lost.Add(report.Loss{From: int(r.id), To: to, Time: left, Kind: msg.Kind, Epoch: msg.Epoch, Cut: fate.Cut})
	kind := report.EventDrop
	if fate.Cut {
		kind = report.EventCut
	}
	if r.m.tracing {
		r.note(&report.Event{Time: left, Rank: int(r.id), Kind: kind, Peer: to, Msg: msg.Kind, Epoch: msg.Epoch, A: msg.A})
	}
}

// fateOf notes what happens to the message that was sent last.
func (r *rank) fateOf(kind report.EventKind, to int, left, delay clock.Time) {
	if r.m.tracing {
		r.note(&report.Event{Time: left, Rank: int(r.id), Kind: kind, Peer: to, A: int64(delay)})
	}
}
