package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// A rank that has failed may be started again by schedule. That happens at a barrier: no
// window reaches beyond the instant of a rejoin, so what a rank was and had before it is
// known, and all mail that arrives from then on is still to be received.

// rejoins are the restarts of a run, in their order.
type rejoins struct {
	waiting []*faults.Fault
	done    []report.Rejoin
	lives   map[int32]life // of ranks that have been started again
}

// life is that of a rank that has been started again.
type life struct {
	number int32      // how often it has been
	began  clock.Time // the last time
}

// note takes note of a rank that is started again.
func (j *rejoins) note(rank int, now clock.Time) {
	if j.lives == nil {
		j.lives = make(map[int32]life)
	}
	j.lives[int32(rank)] = life{j.lives[int32(rank)].number + 1, now}
	j.done = append(j.done, report.Rejoin{Rank: rank, Time: now})
}

// next is when the next rank is to be started again.
func (j *rejoins) next() clock.Time {
	if len(j.waiting) == 0 {
		return clock.Never
	}
	return j.waiting[0].At.Time
}

// restartDue starts those ranks again whose time has come, if they have failed before. All parts come to know of it.
func (m *Machine) restartDue(now clock.Time) {
	for m.rejoins.next() == now {
		f := m.rejoins.waiting[0]
		m.rejoins.waiting = m.rejoins.waiting[1:]
		r := m.own(f.Rank)
		if failed := r != nil && r.failedBefore(now); !m.anywhere(failed) {
			continue
		}
		if r != nil {
			m.endLife(r, now)
			m.restart(r, now)
		}
		m.detector.forget(int32(f.Rank))
		m.rejoins.note(f.Rank, now)
	}
}

// failedBefore reports whether the rank was down by then. A send that was begun before may have
// taken the rank past that instant, and a rank whose program had returned may have crashed
// afterwards, which takes effect only when somebody asks.
func (r *rank) failedBefore(now clock.Time) bool {
	f := r.extra.faults
	if r.state == finished && f.DeadAt() < now {
		r.crashLate()
	}
	return (r.state == crashed || r.state == hung) && f.FailedBefore(now)
}

// endLife settles what the rank received in the life that has ended, and throws away what it left unread.
func (m *Machine) endLife(r *rank, now clock.Time) {
	m.admitBefore(r, now)
	r.settle(min(r.extra.faults.DeadAt(), now))
	w := &m.workers[0]
	w.discard(r.arrived.Take())
	w.discard(r.queue.Take())
}

// admitBefore takes in all mail of a rank that arrives before an instant. At the barrier where
// that instant is the next one, everything that does has been sent.
func (m *Machine) admitBefore(r *rank, now clock.Time) {
	in, horizon := m.in, m.horizon
	m.in, m.horizon = m.out, now
	m.workers[0].admit(r.place())
	m.in, m.horizon = in, horizon
}

// restart lets the rank's program begin anew. It may act at once, like an initiator.
func (m *Machine) restart(r *rank, now clock.Time) {
	f := r.extra.faults
	f.Restart(now)
	f.received = now
	r.now, r.stalled, r.stopAt = now, 0, f.StopsAt()
	r.send, r.recv = clock.SendPort{}, clock.RecvPort{}
	r.state, r.call, r.want = dormant, callNone, mailbox.None
	m.random.restart(r.place())
	m.results[r.place()].Exit = clock.Never
	if m.tracing {
		r.record(report.EventRejoin, now, report.NoPeer, nil)
	}
	m.wakeAt[r.place()] = now
	word := r.place() >> 6
	m.refreshWord(word)
	m.refreshUnit(word >> m.shift)
}

// Life is how often the rank has been started before.
func (r *rank) Life() int {
	if r.stopAt == gone {
		exit() // a life that is over has no number
	}
	if !r.faulty {
		return 0
	}
	return r.extra.faults.Life()
}
