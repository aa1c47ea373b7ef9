package search

import (
	"context"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// step is a schedule on the way through all of them.
type step struct {
	schedule faults.Schedule
	last     *candidate   // its last fault
	shows    []clock.Time // when each of its faults does
	points   int64        // how many schedules it stands for
	share    float64      // of the whole exploration, with all that begins with it, as estimated
}

// walk goes through all schedules that begin with one, deeper ones first.
type walk struct {
	*explorer
	ctx    context.Context
	runner *runner
	found  *Exploration
}

// all runs a schedule and all that begin with it.
func (w *walk) all(s step) error {
	followers, err := w.run(s)
	for i := range followers {
		if err == nil {
			err = w.all(followers[i])
		}
	}
	return err
}

// run runs a schedule and returns those to go on with, which are one fault longer.
func (w *walk) run(s step) ([]step, error) {
	if w.bounds.ofMessages() {
		return w.sweep(s)
	}
	more := w.options.Faults - len(s.schedule)
	machine := w.runner.quick
	if more > 0 {
		machine = w.runner.tracing
	}
	broken, ended, err := w.runner.judge(w.ctx, machine, s.schedule)
	if err != nil {
		return nil, err
	}
	covered := w.found.Covered
	w.found.add(w.whole(s.schedule), w.runner.seed, broken, s.points)
	if ended {
		w.found.saw(w.runner.report.Hash)
	}
	w.found.Tally.Add(w.runner.all)
	var followers []step
	if more > 0 && ended {
		followers = w.followers(s, more-1)
	}
	w.meter.ran(w.found.Covered-covered, s.divide(followers), broken)
	return followers, nil
}

// followers adds one fault to a schedule that was just run, in every way that shows later.
// Up to so many more may follow.
func (w *walk) followers(s step, more int) []step {
	all := w.candidates(&w.runner.report)
	weights := w.weigh(all, more)
	var steps []step
	var unnoticed []int64 // points of each rank
	for i := range all {
		c := &all[i]
		switch {
		case c.compareShows(s.last) <= 0:
		case !w.shows(c):
			unnoticed = append(unnoticed, c.points)
		default:
			longer := s.longer(c)
			longer.share = weights[i]
			steps = append(steps, longer)
		}
	}
	// What nobody notices, alone or several together, is as without these faults.
	w.found.Covered = plus(w.found.Covered, times(s.points, combinations(unnoticed, 1+more)))
	return steps
}

// longer is a schedule with one fault more.
func (s *step) longer(c *candidate) step {
	n := len(s.schedule)
	return step{
		schedule: append(s.schedule[:n:n], c.fault), last: c, shows: append(s.shows[:n:n], c.shows),
		points: times(s.points, c.points),
	}
}

// divide turns the weights of followers into parts of the schedule's own share, and returns
// what is left for the schedule itself, which is one run.
func (s *step) divide(followers []step) float64 {
	total := 1.0
	for i := range followers {
		total += followers[i].share
	}
	for i := range followers {
		followers[i].share *= s.share / total
	}
	return s.share / total
}
