package proctest_test

import (
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// What plain makes of faults. Trackers say what happens; the flaws are in what it makes of that.

// arm gives ranks with faults their trackers.
func (m *plain) arm(schedule faults.Schedule) {
	m.schedule = schedule
	m.links, m.rejoins = m.misread(schedule).Links(m.Ranks), schedule.Rejoins()
	m.ghosts = make(map[[2]int]clock.Time)
	read := slices.Clone(schedule)
	for i := range read {
		if m.midIsBefore && read[i].At.Anchor == faults.MidSend {
			read[i].At.Anchor = faults.BeforeSend
		}
	}
	for id, r := range m.ranks {
		r.tracker = faults.NewTracker(read, id)
	}
}

// passPoint lets happen what does at a point of the program.
func (r *plainRank) passPoint(at faults.Anchor, step string) {
	if r.tracker == nil {
		return
	}
	for s := r.tracker.Next(at, step, r.now); s != nil; s = r.tracker.Next(at, step, r.now) {
		if s.Kind != faults.Slow {
			r.fail(s, r.now)
			runtime.Goexit()
		}
		r.tracker.Happens(s, r.now)
		r.stubborn = clock.Time(s.Factor)
		r.m.receive(r) // what starts from now on takes longer
	}
}

// passMiddle is passPoint in a send that starts now.
func (r *plainRank) passMiddle() {
	if r.tracker == nil {
		return
	}
	s := r.tracker.Next(faults.MidSend, "", r.now)
	for ; s != nil && s.Kind == faults.Slow; s = r.tracker.Next(faults.MidSend, "", r.now) {
		r.tracker.Happens(s, r.now)
		r.stubborn = clock.Time(s.Factor)
	}
	if s != nil && !r.m.lateToMiddle {
		r.waitOn(r.now + r.m.Overhead*r.factorAt(r.now)/2)
		if r.m.failedSendCounts {
			defer r.tracker.Sent()
		}
		r.passPoint(faults.MidSend, "")
	}
}

// factorAt is how slow the rank is.
func (r *plainRank) factorAt(t clock.Time) clock.Time {
	switch {
	case r.tracker == nil:
		return 1
	case r.m.stubbornSlow && r.stubborn > 0:
		return r.stubborn
	}
	return clock.Time(r.tracker.FactorAt(t))
}

// stopsAt is when the clock stops the rank.
func (r *plainRank) stopsAt() clock.Time {
	if r.tracker == nil {
		return clock.Never
	}
	return r.tracker.StopsAt()
}

func (r *plainRank) fail(s *faults.Scheduled, t clock.Time) {
	r.tracker.Happens(s, t)
	r.forget(s.Fault)
	r.end(report.Hung, t)
	if s.Kind == faults.Crash || r.m.hangIsCrash {
		r.end(report.Crashed, t)
	}
}

func (r *plainRank) end(outcome report.Outcome, t clock.Time) {
	r.result.Outcome, r.result.Exit = outcome, t
}

// rejoin lets the next rank begin again whose time has come, if it has failed.
func (m *plain) rejoin() {
	f := m.rejoins[0]
	m.rejoins = m.rejoins[1:]
	r, t := m.ranks[f.Rank], f.At.Time
	if !r.done || !r.tracker.FailedBefore(t) {
		return
	}
	if late := r.tracker.LateCrash(); late != nil && r.result.Outcome == report.Finished && !m.returnedKeepAll {
		r.forget(late.Fault)
	}
	if m.forgetfulRejoin {
		r.tracker = faults.NewTracker(m.schedule, r.id)
	}
	r.tracker.Restart(t)
	if h := r.tracker.History(); m.countsEachLife {
		h.Writes, h.Syncs = 0, 0
		r.tracker = faults.NewTracker(m.schedule, r.id)
		r.tracker.Resume(h)
	}
	if m.healingRejoin {
		r.stubborn = 1
	}
	r.mail = slices.DeleteFunc(r.mail, func(p *post) bool { return p.arrival < t || m.lateIsGone && p.sent < t })
	m.receive(r)
	r.now, r.sendFree, r.done = t, 0, false
	r.random = rand.New(rand.NewPCG(m.seed, uint64(r.id)))
	r.end(report.Deadlocked, clock.Never)
	go r.main(m.program)
	<-m.parked
}

// Life is how often the rank has begun again.
func (r *plainRank) Life() int {
	if r.tracker == nil {
		return 0
	}
	return r.tracker.Life()
}

// report says how the run went.
func (m *plain) report() *report.Report {
	rep := &report.Report{LogP: m.LogP, Seed: m.seed, Faults: m.schedule}
	end := clock.Time(0)
	for _, r := range m.ranks {
		if r.result.Exit != clock.Never {
			end = max(end, r.result.Exit)
		}
		for _, p := range r.mail {
			end = max(end, p.received)
		}
	}
	for _, r := range m.ranks {
		over := r.result.Outcome == report.Finished || r.result.Outcome == report.Hung
		if r.tracker != nil && over && r.tracker.DeadAt() <= end && !m.hangsForEver {
			r.end(report.Crashed, r.tracker.DeadAt())
		}
		rep.Ranks = append(rep.Ranks, r.result)
	}
	rep.Unfired = m.schedule.AppendUnfired(nil, end, func(rank int) *faults.Tracker { return m.ranks[rank].tracker })
	return rep
}
