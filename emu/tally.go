package emu

import (
	"github.com/mangrove-emu/mangrove/clock"

	"github.com/mangrove-emu/mangrove/report"
)

// tally is the sum over some ranks. It is taken in one pass and by all workers, because
// at a million ranks every pass counts.
type tally struct {
	messages       int64
	coloring, exit clock.Time
	failed         []report.Failure
	unreached      []int
	waiting        []int32 // ranks that are deadlocked
}

// tally adds up the results of all ranks and returns those that still wait.
func (m *Machine) tally(rep *report.Report) (waiting []int32) {
	parts := make([]tally, len(m.workers))
	m.share(func(worker, lo, hi int) {
		for i := lo; i < hi; i++ {
			parts[worker].add(&m.ranks[i], &m.results[i])
		}
	})
	for i := range parts {
		t := &parts[i]
		rep.Messages += t.messages
		rep.Coloring = max(rep.Coloring, t.coloring)
		rep.Exit = max(rep.Exit, t.exit)
		rep.Failed = append(rep.Failed, t.failed...)
		rep.Unreached = append(rep.Unreached, t.unreached...)
		waiting = append(waiting, t.waiting...)
	}
	if m.tracing {
		rep.Hash = report.Hash(mix(uint64(len(m.ranks)), 0)) // not 0 even if nothing happens
	}
	for _, h := range m.hashes {
		rep.Hash += report.Hash(h)
	}
	return waiting
}

// add counts one rank.
func (t *tally) add(r *rank, res *report.RankResult) {
	t.messages += int64(r.sends)
	if res.Coloured != clock.Never {
		t.coloring = max(t.coloring, res.Coloured)
	}
	switch r.state {
	case crashed, hung:
		res.Outcome = report.Crashed
		if r.state == hung {
			res.Outcome = report.Hung
		}
		t.failed = append(t.failed, report.Failure{Rank: int(r.id), Outcome: res.Outcome, Time: res.Exit})
		return
	case finished:
		t.exit = max(t.exit, res.Exit)
	default:
		res.Outcome = report.Deadlocked
		t.waiting = append(t.waiting, r.id)
	}
	if res.Coloured == clock.Never {
		t.unreached = append(t.unreached, int(r.id))
	}
}
