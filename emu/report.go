package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/hugepages"
	"github.com/mangrove-emu/mangrove/report"
)

// reset empties a report for a run of that many ranks.
func reset(rep *report.Report, ranks int) {
	if cap(rep.Ranks) < ranks {
		rep.Ranks = make([]report.RankResult, ranks)
		hugepages.Advise(rep.Ranks)
	}
	*rep = report.Report{
		Ranks:     rep.Ranks[:ranks],
		Failed:    append([]report.Failure{}, rep.Failed[:0]...),
		Unreached: append([]int{}, rep.Unreached[:0]...),
		Deadlocks: append([]report.Deadlock{}, rep.Deadlocks[:0]...),
		Unfired:   append(faults.Schedule{}, rep.Unfired[:0]...),
	}
}

// report gathers the results of a run that is over.
func (m *Machine) report(rep *report.Report, opts Options) error {
	rep.LogP, rep.Disk, rep.Seed, rep.Faults = m.cfg.LogP, m.cfg.Disk, opts.Seed, opts.Faults
	rep.Network, rep.Jitter, rep.Noise = m.cfg.Network, m.cfg.Jitter, m.cfg.Noise
	rep.Windows = m.windows
	for i := range m.workers {
		rep.Quiescence = max(rep.Quiescence, m.workers[i].quiescence)
		rep.Wakes += m.workers[i].wakes
	}
	if len(m.schedule) > 0 {
		m.settleFaulty(rep)
		m.over = m.latest(max(rep.Quiescence, report.LastExit(m.results)))
		m.applyLateCrashes(m.over)
	}
	waiting := m.tally(rep)
	m.deadlocked = len(waiting) > 0
	if m.cfg.Trace >= TraceEvents {
		rep.Events = m.events()
	}
	left := leftovers{bytes: m.bytes()}
	if m.abroad == nil {
		left.waits, left.losses, rep.Unlisted.Deadlocks = m.waits(waiting, longestList), m.losses(waiting), max(0, len(waiting)-longestList)
	} else if err := m.gather(rep, &left, waiting); err != nil || !m.reportsAll() {
		return err
	}
	if len(m.schedule) > 0 {
		m.reportFaults(rep)
	}
	rep.Explain(left.waits, left.losses)
	rep.BytesPerRank = int64(left.bytes) / int64(m.cfg.Ranks)
	if rep.Share != nil {
		return rep.Share.Lost
	}
	return nil
}

// leftovers are what is needed of all ranks to complete a report.
type leftovers struct {
	waits  []report.Wait
	losses []report.Loss
	bytes  memory
}

// reportFaults says which faults have stopped ranks, and which took no effect.
func (m *Machine) reportFaults(rep *report.Report) {
	if m.cfg.Trace >= TraceEvents {
		rep.Stopped = m.stopped()
	}
	rep.Unfired = m.schedule.AppendUnfired(rep.Unfired, m.over, m.tracker)
}

// tracker says how far a rank with faults has come.
func (m *Machine) tracker(rank int) *faults.Tracker {
	if r := m.own(rank); r != nil {
		return &r.extra.faults.Tracker
	}
	return m.abroad.trackers[rank]
}

// stopped lists the faults that have stopped ranks.
func (m *Machine) stopped() (all []report.Stopped) {
	for place := range m.schedule {
		if f := &m.schedule[place]; f.Kind.Stops() {
			if at, ok := m.tracker(f.Rank).Happened(place); ok {
				all = append(all, report.Stopped{Place: place, Time: at})
			}
		}
	}
	return all
}

// settleFaulty counts what the ranks with faults have received and lost.
func (m *Machine) settleFaulty(rep *report.Report) {
	rep.Quiescence = max(rep.Quiescence, clock.Time(m.ways.quiescence.Load()))
	rep.Rejoined = m.rejoins.done
	for r := range m.faultyRanks() {
		f := r.extra.faults
		r.settle(f.DeadAt())
		rep.Quiescence = max(rep.Quiescence, f.quiescence)
	}
}

// applyLateCrashes lets ranks count as crashed whose crash was due after their program
// had returned or hung, but before the run was over.
func (m *Machine) applyLateCrashes(last clock.Time) {
	for r := range m.faultyRanks() {
		if (r.state == finished || r.state == hung) && r.extra.faults.DeadAt() <= last {
			r.crashLate()
		}
	}
}

// crashLate notes the crash of a rank whose program had ended before.
func (r *rank) crashLate() {
	t := r.extra.faults.DeadAt()
	r.state = crashed
	r.m.results[r.place()].Exit = t
	if r.m.tracing {
		r.record(report.EventCrash, t, report.NoPeer, nil)
	}
	if s := r.extra.faults.LateCrash(); s != nil {
		r.forget(s.Fault, t)
	}
}
