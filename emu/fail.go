package emu

import (
	"iter"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// faultState is what a rank with faults has in addition.
type faultState struct {
	faults.Tracker
	costs      clock.Costs // of an operation that is slow
	log        []reception // not settled yet
	received   clock.Time  // when the last message was received
	quiescence clock.Time  // the last instant of any message it lost
}

// arm prepares the ranks that will fail.
func (m *Machine) arm(schedule faults.Schedule) {
	m.schedule = schedule
	m.armWays(schedule)
	m.rejoins = rejoins{waiting: schedule.Rejoins()}
	for place := range schedule {
		f := &schedule[place]
		if r := m.rankOf(f); r != nil {
			m.armOne(r, place, f)
		}
	}
	for r := range m.faultyRanks() {
		m.armStop(r)
	}
}

// faultyRanks goes through the ranks of this part that the schedule names, once for each time it does.
func (m *Machine) faultyRanks() iter.Seq[*rank] {
	return func(yield func(*rank) bool) {
		for i := range m.schedule {
			if r := m.rankOf(&m.schedule[i]); r != nil && !yield(r) {
				return
			}
		}
	}
}

// rankOf is the rank that a fault happens to; nil if it happens to links, or to a rank of another part.
func (m *Machine) rankOf(f *faults.Fault) *rank {
	if f.OfLinks() {
		return nil
	}
	return m.own(f.Rank)
}

func (m *Machine) armOne(r *rank, place int, f *faults.Fault) {
	if !r.faulty {
		r.faulty = true
		r.more().faults = new(faultState)
	}
	r.extra.faults.Add(place, f)
	if f.Kind == faults.Slow && f.At.Anchor == faults.AtTime {
		r.detectSlowdown(f.At.Time, true)
	}
}

// armStop has a rank stop when its schedule says. Ranks that are down from the start never
// begin.
func (m *Machine) armStop(r *rank) {
	f := r.extra.faults
	at := f.StopsAt()
	switch {
	case r.state != dormant:
	case at == 0:
		r.markStopped(f.FirstFailure(), 0)
		m.wakeAt[r.place()] = clock.Never
	default:
		if r.stopAt != unreceived {
			r.stopAt = at
		}
		m.wakeAt[r.place()] = min(m.wakeAt[r.place()], at)
	}
}

// stopByClock ends the program of a rank whose time has come.
func (r *rank) stopByClock(t clock.Time) { r.stop(r.extra.faults.FirstFailure(), t) }

// stop ends the program of a rank because of a crash or a hang.
func (r *rank) stop(s *faults.Scheduled, t clock.Time) {
	r.now = t
	r.markStopped(s, t)
	exit()
}

// markStopped notes that the rank failed at t.
func (r *rank) markStopped(s *faults.Scheduled, t clock.Time) {
	f := r.extra.faults
	f.Happens(s, t)
	r.stopAt = gone
	kind := report.EventHang
	if r.state = hung; f.DeadAt() <= t {
		r.state = crashed
		kind = report.EventCrash
		r.settle(t)
	}
	r.m.results[r.place()].Exit = t
	r.detectEnd(t)
	if r.m.tracing {
		r.record(kind, t, report.NoPeer, nil)
	}
	r.forget(s.Fault, t)
}

// passPoint lets those faults take effect that are tied to this point of the program. It does not
// return if one of them ends the rank.
func (r *rank) passPoint(at faults.Anchor, step string) {
	f := r.extra.faults
	for s := f.Next(at, step, r.now); s != nil; s = f.Next(at, step, r.now) {
		if s.Kind != faults.Slow {
			r.stop(s, r.now)
		}
		r.slowDown(s)
	}
}

// beforeSend applies faults before and in the middle of the next send, and returns what
// that send costs; normal is what it would cost a rank that is not slow.
func (r *rank) beforeSend(to int, msg *mailbox.Message, normal *clock.Costs) *clock.Costs {
	r.passPoint(faults.BeforeSend, "")
	f := r.extra.faults
	for s := f.Next(faults.MidSend, "", r.now); s != nil; s = f.Next(faults.MidSend, "", r.now) {
		if s.Kind != faults.Slow {
			middle := r.now + r.overheadAt(r.now, normal)/2
			r.failInSend(to, msg, min(middle, r.stopAt))
		}
		r.slowDown(s)
	}
	return f.costsAt(r.now, normal)
}

// overheadAt is how long a send takes that starts then.
func (r *rank) overheadAt(start clock.Time, normal *clock.Costs) clock.Time {
	costs := r.extra.faults.costsAt(start, normal)
	if r.m.cfg.Noise != nil {
		return r.noisy(start, costs).Overhead
	}
	return costs.Overhead
}

// failInSend ends the rank at t, after the send that began now and before its end.
func (r *rank) failInSend(to int, msg *mailbox.Message, t clock.Time) {
	f := r.extra.faults
	f.quiescence = max(f.quiescence, t)
	if r.m.tracing {
		r.recordSend(report.EventSendLost, r.now, to, msg)
	}
	r.stop(f.Next(faults.MidSend, "", t), t)
}

// afterSend applies faults after a send, unless the clock stops the rank at that instant: then
// its program goes on to its next call.
func (r *rank) afterSend() {
	r.extra.faults.Sent()
	if r.now < r.stopAt {
		r.passPoint(faults.AfterSend, "")
	}
}

// atReceive applies faults when the program is about to be handed a message.
func (r *rank) atReceive() {
	r.extra.faults.Received()
	r.passPoint(faults.AtRecv, "")
}

// atStep applies faults at a named step.
func (r *rank) atStep(name string) {
	r.extra.faults.Passed(name)
	r.passPoint(faults.AtStep, name)
}
