package launch

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// judge is a line that has been run on the processes of a job.
type judge struct {
	line *scenarios.Run
	job  tcp.Job
}

// decide puts what processes have left into an experiment, and decides about its guarantees.
func (j judge) decide(res *tcp.Result) (*scenarios.Outcome, error) {
	j.line.Prepare()
	for rank, r := range res.Ranks {
		if r == nil {
			continue
		}
		if err := j.line.Load(rank, r.State); err != nil {
			return nil, fmt.Errorf("launch: what rank %d has left: %w", rank, err)
		}
	}
	rep := j.report(res)
	outcome := j.line.Judge(rep)
	outcome.Processes = j.job.Processes
	outcome.Late = j.late(res)
	if !outcome.Held() && outcome.Late > 0 {
		outcome.Notes = append(outcome.Notes, fmt.Sprintf("processes were up to %s behind the model, so deadlines may have been missed; a longer tick may help", outcome.Unit.Span(outcome.Late)))
	}
	for _, d := range res.Deaths {
		if d.Fault < 0 {
			outcome.Notes = append(outcome.Notes, fmt.Sprintf("rank %d: its process was killed or stopped by somebody else, or has ended", d.Rank))
		}
	}
	return outcome, nil
}

// late is how far processes were behind the model at most. Without a pace they do not try to keep up.
func (j judge) late(res *tcp.Result) (most clock.Time) {
	if j.job.Pace == tcp.Free {
		return 0
	}
	for _, d := range res.Deaths {
		most = max(most, d.Late)
	}
	for _, r := range res.Ranks {
		if r != nil {
			most = max(most, r.Late)
		}
	}
	return most
}

// report puts the reports of all ranks together.
func (j judge) report(res *tcp.Result) *report.Report {
	rep := &report.Report{
		LogP: j.job.LogP, Seed: j.job.Seed, Faults: j.job.Faults, Wall: res.Wall,
		Ranks: make([]report.RankResult, j.job.Ranks), Failed: []report.Failure{}, Unreached: []int{}, Deadlocks: []report.Deadlock{},
	}
	initiators := j.line.Experiment().Program.Initiators
	add := func(rank int, t tcp.Traffic) *report.RankResult {
		r := &rep.Ranks[rank]
		r.Coloured = t.Coloured
		if slices.Contains(initiators, rank) {
			r.Coloured = 0
		}
		rep.Messages += t.Sends
		rep.Quiescence = max(rep.Quiescence, t.Quiet)
		if r.Coloured != clock.Never {
			rep.Coloring = max(rep.Coloring, r.Coloured)
		}
		return r
	}
	for _, d := range res.Deaths {
		own := add(d.Rank, d.Traffic)
		own.Outcome, own.Exit = outcomes[d.Outcome], d.Time
	}
	for rank, r := range res.Ranks {
		if r == nil {
			failed := rep.Ranks[rank]
			rep.Failed = append(rep.Failed, report.Failure{Rank: rank, Outcome: failed.Outcome, Time: failed.Exit})
			continue
		}
		own := add(rank, r.Traffic)
		own.Outcome, own.Exit = report.Finished, r.Exit
		if r.Outcome == tcp.Finished {
			rep.Exit = max(rep.Exit, r.Exit)
		} else {
			own.Outcome = report.Deadlocked
		}
		if own.Coloured == clock.Never {
			rep.Unreached = append(rep.Unreached, rank)
		}
	}
	for _, back := range res.Rejoins {
		rep.Rejoined = append(rep.Rejoined, report.Rejoin{Rank: back.Rank, Time: back.Time})
	}
	slices.SortStableFunc(rep.Rejoined, func(a, b report.Rejoin) int { return cmp.Compare(a.Time, b.Time) })
	rep.Unfired = j.unfired(res, max(rep.Quiescence, rep.Exit))
	rep.Explain(waits(res))
	return rep
}

// outcomes are those of package emu.
var outcomes = map[tcp.Outcome]report.Outcome{tcp.Finished: report.Finished, tcp.Crashed: report.Crashed, tcp.Hung: report.Hung, tcp.Running: report.Deadlocked}

// unfired are the faults that did not happen by the end.
func (j judge) unfired(res *tcp.Result, last clock.Time) faults.Schedule {
	fired := make(map[int]bool)
	for _, d := range res.Deaths {
		fired[d.Fault] = true
		for _, i := range d.Slowed {
			fired[i] = true
		}
	}
	for _, r := range res.Ranks {
		if r != nil {
			for _, i := range r.Counts.Slowed {
				fired[i] = true
			}
		}
	}
	unfired := faults.Schedule{}
	for i, f := range j.job.Faults {
		happened := fired[i]
		switch {
		case f.Kind == faults.Rejoin:
			happened = slices.ContainsFunc(res.Rejoins, func(r tcp.Rejoin) bool { return r.Rank == f.Rank && r.Time >= f.At.Time })
		case f.At.Anchor == faults.AtTime && !f.Kind.Stops():
			happened = f.At.Time <= last
		}
		if !happened {
			unfired = append(unfired, f)
		}
	}
	return unfired
}

// waits are the ranks that still waited when nothing could happen any more.
func waits(res *tcp.Result) (all []report.Wait) {
	for rank, r := range res.Ranks {
		if r != nil && r.Outcome == tcp.Running {
			all = append(all, report.Wait{Rank: rank, Call: r.Call, Want: r.Want, From: r.From, Since: r.Since})
		}
	}
	return all
}
