package emu_test

import (
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// nextRejoin is when the rank is next to be started again.
func (r *refRank) nextRejoin() clock.Time {
	t := clock.Never
	for _, f := range r.faults {
		if f.Kind == faults.Rejoin && f.At.Time > r.m.now {
			t = min(t, f.At.Time)
		}
	}
	return t
}

// rejoin starts the rank again if it is time and it has failed before.
func (r *refRank) rejoin() {
	for _, f := range r.faults {
		if f.Kind == faults.Rejoin && f.At.Time == r.m.now && r.stopped && r.isDown() {
			r.restart()
		}
	}
}

// isDown reports whether the rank has failed before now. If its program had returned or hung
// before it crashed, the crash is noted.
func (r *refRank) isDown() bool {
	late := r.deadAt < r.m.now
	if late && !r.failed {
		r.m.note(r.deadAt, r.id, report.EventCrash, -1, mailbox.Message{})
		r.crashedLate()
	}
	return r.failed || late
}

// Life is how often the rank has been started again.
func (r *refRank) Life() int { return r.lives }

// restart begins the next life. What the former one had received by now counts, what was in
// its port is lost.
func (r *refRank) restart() {
	m := r.m
	for len(r.receives) > 0 && r.receives[0].at <= m.now {
		d := r.receives[0]
		r.receives = r.receives[1:]
		m.busy(d.at, d.msg)
		m.note(m.now, r.id, receipt(d.msg), d.from, d.msg)
	}
	r.die()
	m.note(m.now, r.id, report.EventRejoin, -1, mailbox.Message{})
	r.lives++
	r.upSince, r.now = m.now, m.now
	r.deadAt = r.nextOnTime(faults.Crash)
	r.random = rand.New(rand.NewPCG(r.seed, uint64(r.id)))
	r.sendFree, r.recvFree, r.mailbox = 0, 0, nil
	r.stopped, r.failed, r.lingers, r.suspect = false, false, false, clock.Never
	r.until, r.want = m.now, mailbox.None
	go r.main(r.program)
}
