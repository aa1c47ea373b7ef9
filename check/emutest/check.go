package emutest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Result is what a test has found.
type Result struct {
	Runs    int64 // made in all, without those that repeat others or make schedules smaller
	Covered int64 // schedules of up to Test.Faults faults that were run, or are the same as one that was
	Random  int64 // random schedules that were run
	// Delayed is how many cases there are with one late message: ranks take messages in another order, or see other deadlines pass. AllDelays
	// says whether these are all.
	Delayed   int64
	AllDelays bool
	// Different is how many of the runs went differently.
	Different int64
	// Judged says in how many of these runs each promise was judged: they met its premises, and there was something
	// to look at.
	Judged guarantee.Tally
	// Violations have the smallest schedule first found for each broken promise, and another one
	// if it is broken also beyond what is claimed. A promise that is broken by a schedule before
	// it in the list has none of its own.
	Violations []Violation

	hashes map[report.Hash]bool
}

// saw notes what happened in runs.
func (r *Result) saw(hashes []report.Hash) {
	if r.hashes == nil {
		r.hashes = make(map[report.Hash]bool)
	}
	for _, h := range hashes {
		r.hashes[h] = true
	}
	r.Different = int64(len(r.hashes))
}

// Violation is a schedule that breaks promises.
type Violation struct {
	Schedule faults.Schedule
	Seed     uint64
	Broken   []guarantee.Verdict // the first one is why the violation is in the list
	Runs     int64               // how many runs broke that first one
}

// Check runs a test, as [Run] does, outside of go test. The error is not nil if the test is
// not valid, if its runs cannot be repeated ([ErrNotRepeatable]), or if the context ended. In
// that last case the result so far is returned, too.
func Check(ctx context.Context, test Test) (*Result, error) {
	if err := test.Validate(); err != nil {
		return nil, err
	}
	s := &hunt{Test: test.withDefaults()}
	result := new(Result)
	found, err := s.searchApart(ctx, result)
	if len(found) > 0 {
		// What was found is worth reporting even if the context has ended.
		var failed error
		if result.Violations, failed = s.smallest(context.WithoutCancel(ctx), found); failed != nil {
			return nil, failed
		}
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("emutest: not complete after %d runs: %w", result.Runs, ctx.Err())
	}
	return result, err
}

// searchApart searches on a goroutine of its own, which a check may end by mistake.
func (s *hunt) searchApart(ctx context.Context, result *Result) (found []search.Violation, err error) {
	var wait sync.WaitGroup
	wait.Go(func() { found, err = s.search(ctx, result) })
	wait.Wait()
	if misused := s.misused(); misused != nil {
		return nil, misused
	}
	return found, err
}

// search runs everything and returns classes of schedules that break promises, small ones
// first. On an error it returns those found before.
func (s *hunt) search(ctx context.Context, result *Result) ([]search.Violation, error) {
	found, err := s.known(ctx, result)
	if err != nil || len(found) > 0 && slices.Equal(found[0].Schedule, s.Given) {
		return found, err // broken without faults: nothing else is worth looking at
	}
	for _, phase := range []func(context.Context, *Result) ([]search.Violation, error){s.explore, s.delays, s.random} {
		more, err := phase(ctx, result)
		found = append(found, more...)
		if err != nil || s.misused() != nil {
			return found, err
		}
	}
	return found, nil
}

// known runs the schedules that need not be searched for: none, those of the list, and a
// sample to see that runs can be repeated.
func (s *hunt) known(ctx context.Context, result *Result) ([]search.Violation, error) {
	r, err := newRepeater(s)
	if err != nil {
		return nil, err
	}
	var found []search.Violation
	for _, seed := range append([]uint64{s.Seed}, s.Seeds...) {
		for _, schedule := range append([]faults.Schedule{s.Given}, s.Schedules...) {
			run, err := r.play(ctx, schedule, seed)
			if err != nil {
				return found, err
			}
			result.Runs++
			if run.report != nil {
				result.saw([]report.Hash{run.report.Hash})
			}
			if broken := guarantee.OnlyBroken(run.verdicts); len(broken) > 0 {
				found = append(found, search.Violation{Broken: broken, Schedule: schedule, Seed: seed, Count: 1})
			}
			result.Judged.Add(run.verdicts)
			if slices.Equal(schedule, s.Given) && len(found) > 0 {
				return found, nil
			}
		}
	}
	for _, schedule := range s.sample() {
		if _, err := r.play(ctx, schedule, s.Seed); err != nil {
			return found, err
		}
	}
	return found, nil
}

// explore runs every schedule of up to so many faults, those with few before all that have more: what one crash shows is found soon.
func (s *hunt) explore(ctx context.Context, result *Result) (found []search.Violation, err error) {
	var x *search.Exploration
	for most := 1; most <= s.Faults && err == nil; most++ {
		var next *search.Exploration
		next, err = search.Explore(ctx, s.subject(), search.ExploreOptions{
			Faults: most, Kinds: stopping(s.Kinds), Every: !s.OnePerClass, KnowsPlain: true,
			Rejoins: s.Rejoins, Cuts: s.Cuts, CutSets: s.CutSets, Given: s.Given,
		})
		if next == nil {
			break
		}
		x = next // it has all that the one before has, unless it was interrupted
		if err != nil {
			found = append(found, x.Violations...)
		} else {
			found = x.Violations
		}
	}
	if x == nil {
		return nil, err
	}
	result.Runs += x.Runs
	result.Covered = x.Covered + 1 // the run without faults
	result.saw(x.Hashes)
	result.Judged.Merge(x.Tally)
	return found, err
}

// someRandom is how many schedules of failures on one timing there are for each random one at most, where timing varies.
const someRandom = 8

// random runs random schedules: as many as were asked for, and more if failures were tried much more often on a single timing.
func (s *hunt) random(ctx context.Context, result *Result) ([]search.Violation, error) {
	if s.Random == 0 {
		return nil, nil
	}
	runs := int64(s.Random)
	if s.varies() {
		runs = max(runs, result.Covered/someRandom)
	}
	c, err := search.Fuzz(ctx, s.subject(), search.FuzzOptions{
		Runs: runs, Seed: s.Seed, AnySeed: !s.Exact, Faults: s.RandomFaults, Kinds: s.Kinds,
		Rejoins: s.Rejoins, AmidUnrest: true,
	})
	if err != nil {
		return nil, err
	}
	result.Runs += c.Runs
	result.Random = c.Runs
	result.saw(c.Hashes)
	result.Judged.Merge(c.Tally)
	return c.Violations, nil
}
