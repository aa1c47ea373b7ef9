package tcp

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Result is what a run on processes leaves behind.
type Result struct {
	*report.Report
	// States are what the program has left on each rank; nil for ranks that have failed.
	States [][]byte
	// Late is how far processes were behind the model at most.
	Late clock.Time
	// Paced says that they tried to keep up with it.
	Paced bool
	// Unscheduled are failures that the schedule does not know of, in the order in which they happened:
	// somebody else has killed or stopped the process, or it has ended.
	Unscheduled []report.Failure
	// Unrecorded are ranks whose events are not all there, if events were asked for: they ended with their processes.
	Unrecorded []int
}

// failure is one of a rank, with what the rank had done until then.
type failure struct {
	rankReport
	fault int // which of the schedule it was, or unscheduled
}

const unscheduled = -1

// unheard is what is known of a rank that has failed without last words.
func unheard(rank int, outcome report.Outcome, t clock.Time) rankReport {
	return rankReport{Rank: rank, RankResult: report.RankResult{Outcome: outcome, Coloured: clock.Never, Exit: t}}
}

// complete reports whether all is there that will come.
func (c *Coordinator) complete() bool {
	return c.over && !slices.ContainsFunc(c.members, func(m *member) bool { return m.state == joined })
}

// result puts together what ranks have said, or others have found out about them.
func (c *Coordinator) result() *Result {
	res := &Result{Report: c.emptyReport(), States: make([][]byte, c.cfg.Ranks)}
	var waits []report.Wait
	var losses []report.Loss
	for _, f := range c.failures {
		res.add(&f.rankReport)
		losses = append(losses, f.Losses...)
		if f.fault == unscheduled {
			res.Unscheduled = append(res.Unscheduled, report.Failure{Rank: f.Rank, Outcome: f.Outcome, Time: f.Exit})
		}
	}
	for _, r := range c.survivors() {
		res.add(r)
		res.States[r.Rank] = r.State
		c.histories[r.Rank] = r.History
		losses = append(losses, r.Losses...)
		if r.Wait != nil {
			waits = append(waits, *r.Wait)
		}
	}
	res.Paced = c.cfg.Pace != Free
	res.ClockError = c.clocksDiffer()
	end := max(res.Quiescence, report.LastExit(res.Ranks))
	c.crashLate(res, end)
	c.addEvents(res)
	var all report.Tally
	for rank := range res.Ranks {
		all.Add(rank, &res.Ranks[rank])
	}
	res.Include(&all)
	res.Rejoined = slices.Clone(c.rejoins)
	slices.SortStableFunc(res.Rejoined, func(a, b report.Rejoin) int { return cmp.Compare(a.Time, b.Time) })
	res.Unfired = c.cfg.Faults.AppendUnfired(faults.Schedule{}, end, c.follow)
	res.Explain(waits, losses)
	return res
}

// emptyReport is that of a run in which nothing has happened.
func (c *Coordinator) emptyReport() *report.Report {
	rep := &report.Report{
		LogP: c.cfg.LogP, Disk: c.cfg.Disk, Seed: c.cfg.Seed, Faults: c.cfg.Faults, Wall: c.wall, Processes: true,
		Ranks: make([]report.RankResult, c.cfg.Ranks), Failed: []report.Failure{}, Unreached: []int{}, Deadlocks: []report.Deadlock{},
	}
	for rank := range rep.Ranks {
		rep.Ranks[rank].Coloured = clock.Never
	}
	for _, rank := range c.cfg.Initiators {
		rep.Ranks[rank].Coloured = 0
	}
	return rep
}

// survivors are the reports about ranks that have not failed, or have come back, ordered by rank.
func (c *Coordinator) survivors() (all []*rankReport) {
	for _, m := range c.members {
		for i := range m.report {
			if r := &m.report[i]; !c.down[r.Rank] {
				all = append(all, r)
			}
		}
	}
	return all
}

// add notes how a life of a rank went. Its last life decides how it has ended, its first message when
// it was coloured.
func (res *Result) add(r *rankReport) {
	own := &res.Ranks[r.Rank]
	own.Outcome, own.Exit = r.Outcome, r.Exit
	own.Coloured = min(own.Coloured, r.Coloured)
	res.Messages += r.Sends
	res.Quiescence = max(res.Quiescence, r.Quiescence)
	res.Late = max(res.Late, r.Late)
}

// crashLate lets ranks count as crashed whose crash was due after their program had returned or hung,
// but before the end: their processes may not have got round to it.
func (c *Coordinator) crashLate(res *Result, end clock.Time) {
	for i := range c.cfg.Faults {
		f := &c.cfg.Faults[i]
		if f.Kind != faults.Crash || f.At.Anchor != faults.AtTime {
			continue
		}
		own := &res.Ranks[f.Rank]
		if dead := c.follow(f.Rank).DeadAt(); dead <= end && (own.Outcome == report.Finished || own.Outcome == report.Hung) {
			own.Outcome, own.Exit = report.Crashed, dead
			res.States[f.Rank] = nil
		}
	}
}
