package emu

import (
	"iter"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"

	"github.com/mangrove-emu/mangrove/report"
)

// scheduled is one fault of the run's schedule.
type scheduled struct {
	faults.Fault
	fired bool
}

// faultState is what a rank with faults has in addition.
type faultState struct {
	points []*scheduled // tied to the program, not yet passed
	stopAt clock.Time   // when its program stops by the clock
	deadAt clock.Time   // when its ports stop; a hang leaves them alone
	// stoppedAt is when its program was stopped.
	stoppedAt clock.Time
	slow      []slowdown     // ordered by time
	lives     int            // how often it was started again
	since     clock.Time     // when it was started
	takes     int            // messages its program has received
	steps     map[string]int // how often it has passed each
	log       []reception    // not settled yet
	received  clock.Time     // when the last message was received
	quiet     clock.Time     // the last instant of any message it lost
}

// arm prepares the ranks that will fail.
func (m *Machine) arm(schedule faults.Schedule) {
	m.schedule = m.schedule[:0]
	for _, f := range schedule {
		m.schedule = append(m.schedule, scheduled{Fault: f})
	}
	m.links.arm(m.schedule, len(m.ranks))
	m.rejoins.arm(m.schedule)
	for i := range m.schedule {
		if s := &m.schedule[i]; s.Kind != faults.Cut {
			m.armOne(s)
		}
	}
	for r := range m.faultyRanks() {
		m.armStop(r)
	}
}

// faultyRanks goes through the ranks that the schedule names, once for each time it does.
func (m *Machine) faultyRanks() iter.Seq[*rank] {
	return func(yield func(*rank) bool) {
		for i := range m.schedule {
			if s := &m.schedule[i]; s.Kind != faults.Cut && !yield(&m.ranks[s.Rank]) {
				return
			}
		}
	}
}

func (m *Machine) armOne(s *scheduled) {
	r := &m.ranks[s.Rank]
	if !r.faulty {
		r.faulty = true
		r.more().faults = &faultState{stopAt: clock.Never, deadAt: clock.Never, stoppedAt: clock.Never}
	}
	f := r.extra.faults
	switch {
	case s.At.Anchor != faults.AtTime:
		f.points = append(f.points, s)
	case s.Kind == faults.Slow:
		f.addSlowdown(s.At.Time, m.costs.Times(s.Factor))
		r.detectSlowdown(s.At.Time, true)
	default:
		f.stopOnTime(&s.Fault)
	}
}

// stopOnTime notes a crash or a hang at an instant.
func (f *faultState) stopOnTime(fault *faults.Fault) {
	switch fault.Kind {
	case faults.Crash:
		f.deadAt = min(f.deadAt, fault.At.Time)
		f.stopAt = min(f.stopAt, fault.At.Time)
	case faults.Hang:
		f.stopAt = min(f.stopAt, fault.At.Time)
	}
}

// armStop has a rank stop when its schedule says. Ranks that are down from the start never
// begin.
func (m *Machine) armStop(r *rank) {
	at := r.extra.faults.stopAt
	switch {
	case r.state != dormant:
	case at == 0:
		r.markStopped(0)
		m.wakeAt[r.id] = clock.Never
	default:
		if r.stopAt != unreceived {
			r.stopAt = at
		}
		m.wakeAt[r.id] = min(m.wakeAt[r.id], at)
	}
}

// stop ends the program of a rank whose time has come.
func (r *rank) stop(t clock.Time) {
	r.now = t
	r.markStopped(t)
	exit()
}

// markStopped notes that the rank failed at t.
func (r *rank) markStopped(t clock.Time) {
	r.stopAt = gone
	r.extra.faults.stoppedAt = t
	kind := report.EventHang
	if r.state = hung; r.extra.faults.deadAt <= t {
		r.state = crashed
		kind = report.EventCrash
		r.settle(t)
	}
	r.m.results[r.id].Exit = t
	r.detectEnd(t)
	if r.m.tracing {
		r.record(kind, t, report.NoPeer, nil)
	}
}

// strike lets those faults take effect that are tied to the n-th passage of a point.
func (r *rank) strike(anchor faults.Anchor, step string, n int) {
	f := r.extra.faults
	for _, s := range f.points {
		if !s.fired && s.At.Anchor == anchor && s.At.Step == step && s.At.N == n {
			s.fired = true
			r.suffer(s)
		}
	}
}

// suffer applies a fault now. It does not return if the fault ends the rank.
func (r *rank) suffer(s *scheduled) {
	f := r.extra.faults
	switch s.Kind {
	case faults.Slow:
		r.slowDown(s.Factor)
	case faults.Crash:
		f.deadAt = min(f.deadAt, r.now)
		r.stop(r.now)
	case faults.Hang:
		r.stop(r.now)
	}
}

// beforeSend applies faults before and in the middle of the next send, and returns what
// that send costs.
func (r *rank) beforeSend(to int, msg mailbox.Message) *clock.Costs {
	n := int(r.sends) + 1
	r.strike(faults.BeforeSend, "", n)
	f := r.extra.faults
	for _, s := range f.points {
		if s.fired || s.At.Anchor != faults.MidSend || s.At.N != n {
			continue
		}
		if s.Kind == faults.Slow {
			s.fired = true
			r.slowDown(s.Factor)
			continue
		}
		middle := r.now + f.costsAt(r.now, &r.m.costs).Overhead/2
		if r.stopAt <= middle {
			break // the clock is faster
		}
		s.fired = true
		if s.Kind == faults.Crash {
			f.deadAt = min(f.deadAt, middle)
		}
		r.failInSend(to, msg, middle)
	}
	return f.costsAt(r.now, &r.m.costs)
}

// failInSend ends the rank at t, after the send that began now and before its end.
func (r *rank) failInSend(to int, msg mailbox.Message, t clock.Time) {
	f := r.extra.faults
	f.quiet = max(f.quiet, t)
	if r.m.tracing {
		r.recordSend(report.EventSendLost, r.now, to, msg)
	}
	r.stop(t)
}

// afterSend applies faults after a send, unless the clock stops the rank at that instant.
func (r *rank) afterSend() {
	if r.now < r.stopAt {
		r.strike(faults.AfterSend, "", int(r.sends))
	}
}

func (r *rank) strikeRecv() {
	f := r.extra.faults
	f.takes++
	r.strike(faults.AtRecv, "", f.takes)
}

func (r *rank) strikeStep(name string) {
	f := r.extra.faults
	if f.steps == nil {
		f.steps = make(map[string]int)
	}
	f.steps[name]++
	r.strike(faults.AtStep, name, f.steps[name])
}
