package emutest

import (
	"context"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// beforeSearch runs the schedules that need not be searched for: none, those that were kept, those of the list, and a
// sample to see that runs can be repeated. If it is enough, nothing else is worth looking at: what breaks without
// faults breaks with any, and what broke once and does so again is to be mended first.
func (s *hunt) beforeSearch(ctx context.Context, result *Result) (found []finding, enough bool, err error) {
	r, err := newRepeater(s)
	if err != nil {
		return nil, false, err
	}
	u := &unsearched{hunt: s, repeater: r, result: result}
	if broken, err := u.run(ctx, s.Given, s.Seed, ""); err != nil || broken {
		return u.found, true, err
	}
	for _, kept := range s.kept {
		if _, err := u.run(ctx, kept.schedule, kept.seed, kept.path); err != nil {
			return u.found, true, err
		}
		result.Kept++
	}
	if len(u.found) > 0 {
		return u.found, true, nil
	}
	enough, err = u.list(ctx)
	return u.found, enough, err
}

// unsearched runs schedules that need not be searched for.
type unsearched struct {
	*hunt
	*repeater
	result *Result
	found  []finding
}

// list runs the schedules of the list and the sample. It is enough if something is broken without faults.
func (u *unsearched) list(ctx context.Context) (enough bool, err error) {
	for i, seed := range append([]uint64{u.Seed}, u.Seeds...) {
		if i > 0 {
			if broken, err := u.run(ctx, u.Given, seed, ""); err != nil || broken {
				return true, err
			}
		}
		for _, schedule := range u.Schedules {
			if _, err := u.run(ctx, schedule, seed, ""); err != nil {
				return true, err
			}
		}
	}
	for _, schedule := range u.sample() {
		if _, err := u.play(ctx, schedule, u.Seed); err != nil {
			return true, err
		}
	}
	return false, nil
}

// run runs a schedule, twice, counts it once, and says whether it breaks anything.
func (u *unsearched) run(ctx context.Context, schedule faults.Schedule, seed uint64, file string) (broken bool, err error) {
	run, err := u.play(ctx, schedule, seed)
	if err != nil {
		return false, err
	}
	u.result.Runs++
	if run.report != nil {
		u.result.saw([]report.Hash{run.report.Hash})
		u.noteIdle(file, run.report.Unfired)
	}
	u.result.Judged.Add(run.verdicts)
	verdicts := guarantee.OnlyBroken(run.verdicts)
	if len(verdicts) > 0 {
		u.found = append(u.found, finding{search.Violation{Broken: verdicts, Schedule: schedule, Seed: seed, Count: 1}, file, file == ""})
	}
	return len(verdicts) > 0, nil
}

// noteIdle notes what of a kept schedule has not happened. What is given may well not: ranks that come back whoever fails.
func (u *unsearched) noteIdle(file string, unfired faults.Schedule) {
	unfired = slices.DeleteFunc(slices.Clone(unfired), func(f faults.Fault) bool { return slices.Contains(u.Given, f) })
	if file != "" && len(unfired) > 0 {
		u.result.idle = append(u.result.idle, keptFile{path: file, schedule: unfired})
	}
}
