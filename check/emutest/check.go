package emutest

import (
	"context"
	"fmt"
	"sync"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
)

// Result is what a test has found.
type Result struct {
	Runs    int64 // made in all, without those that repeat others or make schedules smaller
	Covered int64 // schedules of up to Test.Faults faults that were run, or are the same as one that was
	Random  int64 // random schedules that were run
	// Judged says in how many of these runs each promise was judged: they met its premises, and there was something
	// to look at.
	Judged guarantee.Tally
	// Violations have the smallest schedule first found for each broken promise, and another one
	// if it is broken also beyond what is claimed. A promise that is broken by a schedule before
	// it in the list has none of its own.
	Violations []Violation
}

// Violation is a schedule that breaks promises.
type Violation struct {
	Schedule faults.Schedule
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
	if err != nil || len(found) > 0 && len(found[0].Schedule) == 0 {
		return found, err // broken without faults: nothing else is worth looking at
	}
	for _, phase := range []func(context.Context, *Result) ([]search.Violation, error){s.explore, s.random} {
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
	for i, schedule := range append([]faults.Schedule{nil}, s.Schedules...) {
		run, err := r.play(ctx, schedule)
		if err != nil {
			return found, err
		}
		result.Runs++
		if broken := guarantee.OnlyBroken(run.verdicts); len(broken) > 0 {
			found = append(found, search.Violation{Broken: broken, Schedule: schedule, Count: 1})
		}
		explored := i == 0 && s.Faults > 0 && len(found) == 0 // again, and counted then
		if !explored {
			result.Judged.Add(run.verdicts)
		}
		if len(schedule) == 0 && len(found) > 0 {
			return found, nil
		}
	}
	for _, schedule := range s.sample() {
		if _, err := r.play(ctx, schedule); err != nil {
			return found, err
		}
	}
	return found, nil
}

// explore runs every schedule of up to so many faults.
func (s *hunt) explore(ctx context.Context, result *Result) ([]search.Violation, error) {
	if s.Faults == 0 {
		return nil, nil
	}
	x, err := search.Explore(ctx, s.subject(), search.ExploreOptions{
		Faults: s.Faults, Kinds: stopping(s.Kinds), Every: !s.OnePerClass,
		Rejoins: s.Rejoins, Cuts: s.Cuts, CutSets: s.CutSets,
	})
	if x == nil {
		return nil, err
	}
	result.Runs += x.Runs - 1 // that without faults is known
	result.Covered = x.Covered
	result.Judged.Merge(x.Tally)
	return x.Violations, err
}

// random runs random schedules.
func (s *hunt) random(ctx context.Context, result *Result) ([]search.Violation, error) {
	if s.Random == 0 {
		return nil, nil
	}
	c, err := search.Fuzz(ctx, s.subject(), search.FuzzOptions{
		Runs: int64(s.Random), Seed: s.Seed, Faults: s.RandomFaults, Kinds: s.Kinds,
	})
	if err != nil {
		return nil, err
	}
	result.Runs += c.Runs
	result.Random = c.Runs
	result.Judged.Merge(c.Tally)
	return c.Violations, nil
}
