package emu

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"

	"github.com/mangrove-emu/mangrove/report"
)

// A rank that has failed may be started again by schedule. That happens at a barrier: no
// window reaches beyond the instant of a rejoin, so what a rank was and had before it is
// known, and all mail that arrives from then on is still to be received.

// rejoins are the restarts of a run, ordered by time, then rank.
type rejoins struct {
	waiting []*scheduled
	done    []report.Rejoin
}

// arm orders the rejoins of a schedule.
func (j *rejoins) arm(schedule []scheduled) {
	j.waiting, j.done = j.waiting[:0], nil
	for i := range schedule {
		if schedule[i].Kind == faults.Rejoin {
			j.waiting = append(j.waiting, &schedule[i])
		}
	}
	slices.SortStableFunc(j.waiting, func(a, b *scheduled) int {
		return cmp.Or(cmp.Compare(a.At.Time, b.At.Time), cmp.Compare(a.Rank, b.Rank))
	})
}

// next is when the next rank is to be started again.
func (j *rejoins) next() clock.Time {
	if len(j.waiting) == 0 {
		return clock.Never
	}
	return j.waiting[0].At.Time
}

// restartDue starts those ranks again whose time has come, if they have failed before.
func (m *Machine) restartDue(now clock.Time) {
	for m.rejoins.next() == now {
		s := m.rejoins.waiting[0]
		m.rejoins.waiting = m.rejoins.waiting[1:]
		r := &m.ranks[s.Rank]
		if !r.failedBefore(now) {
			continue
		}
		s.fired = true
		m.closeBooks(r, now)
		m.restart(r, now)
		m.rejoins.done = append(m.rejoins.done, report.Rejoin{Rank: s.Rank, Time: now})
	}
}

// failedBefore reports whether the rank was down by then. A send that was begun before may have
// taken the rank past that instant, and a rank whose program had returned may have crashed
// afterwards, which takes effect only when somebody asks.
func (r *rank) failedBefore(now clock.Time) bool {
	f := r.extra.faults
	if r.state == finished && f.deadAt < now {
		r.state = crashed
		r.m.results[r.id].Exit = f.deadAt
		if r.m.tracing {
			r.record(report.EventCrash, f.deadAt, report.NoPeer, nil)
		}
	}
	return (r.state == crashed || r.state == hung) && min(f.stoppedAt, f.deadAt) < now
}

// closeBooks settles what the rank's former life received, throws away what it left unread
// and notes which faults it has seen.
func (m *Machine) closeBooks(r *rank, now clock.Time) {
	f := r.extra.faults
	m.admitBefore(r, now)
	r.settle(min(f.deadAt, now))
	w := &m.workers[0]
	w.discard(r.arrived.Take())
	w.discard(r.queue.Take())
	for i := range m.schedule {
		if s := &m.schedule[i]; s.hits(r.id) && s.At.Anchor == faults.AtTime && s.At.Time <= now {
			s.fired = m.fired(s, now)
		}
	}
}

// admitBefore takes in all mail of a rank that arrives before an instant. At the barrier where
// that instant is the next one, everything that does has been sent.
func (m *Machine) admitBefore(r *rank, now clock.Time) {
	in, horizon := m.in, m.horizon
	m.in, m.horizon = m.out, now
	m.workers[0].admit(int(r.id))
	m.in, m.horizon = in, horizon
}

// restart lets the rank's program begin anew. It may act at once, like an initiator.
func (m *Machine) restart(r *rank, now clock.Time) {
	f := r.extra.faults
	f.begin(now, m.schedule, r.id)
	r.now, r.stalled, r.stopAt = now, 0, f.stopAt
	r.send, r.recv = clock.SendPort{}, clock.RecvPort{}
	r.state, r.call, r.want = dormant, callNone, mailbox.None
	m.random.restart(r.id)
	m.detector.forget(r.id)
	m.results[r.id].Exit = clock.Never
	if m.tracing {
		r.record(report.EventRejoin, now, report.NoPeer, nil)
	}
	m.wakeAt[r.id] = now
	word := int(r.id) >> 6
	m.refreshWord(word)
	m.refreshUnit(word >> m.shift)
}

// begin is the fault state at the beginning of a further life: instants that have passed do
// not count any more. A rank that was slow stays slow.
func (f *faultState) begin(now clock.Time, schedule []scheduled, id int32) {
	f.lives++
	f.since, f.received = now, now
	f.stopAt, f.deadAt, f.stoppedAt = clock.Never, clock.Never, clock.Never
	for i := range schedule {
		if s := &schedule[i]; s.hits(id) && s.At.Anchor == faults.AtTime && s.At.Time > now {
			f.stopOnTime(&s.Fault)
		}
	}
}

// hits reports whether a fault concerns this rank.
func (s *scheduled) hits(id int32) bool { return s.Kind != faults.Cut && s.Rank == int(id) }

// Life is how often the rank has been started before.
func (r *rank) Life() int {
	if !r.faulty {
		return 0
	}
	return r.extra.faults.lives
}
