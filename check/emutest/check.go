package emutest

import (
	"context"
	"fmt"
	"strings"
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
	// Kept is how many schedules were run that an earlier test had kept in a file. Only [Run] does that.
	Kept int64
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
	idle   []keptFile // what of them never happened
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

	file   string // that it was kept in; "" if it was found
	listed bool   // it was not searched for: any run of the test meets it

	because []string // lines of the message that explain it, see [Why]
}

// String says what is broken, and by what: "broken: check: no leader; faults: crash:0@t0, seed: 7".
func (v Violation) String() string {
	var said []string
	for _, b := range v.Broken {
		said = append(said, b.String())
	}
	return fmt.Sprintf("%s; faults: %v, seed: %d", strings.Join(said, "; "), v.Schedule, v.Seed)
}

// Check runs a test, as [Run] does, outside of go test. The error is not nil if the test is
// not valid, if its runs cannot be repeated ([ErrNotRepeatable]), or if the context ended. In
// that last case the result so far is returned, too.
func Check(ctx context.Context, test Test) (*Result, error) {
	if err := test.Validate(); err != nil {
		return nil, err
	}
	return newHunt(test, nil).check(ctx)
}

// check runs a test that is valid.
func (s *hunt) check(ctx context.Context) (*Result, error) {
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
func (s *hunt) searchApart(ctx context.Context, result *Result) (found []finding, err error) {
	var wait sync.WaitGroup
	wait.Go(func() { found, err = s.search(ctx, result) })
	wait.Wait()
	if misused := s.misused(); misused != nil {
		return nil, misused
	}
	return found, err
}

// finding is a schedule that breaks promises, as it was found.
type finding struct {
	search.Violation
	file   string
	listed bool
}

// search runs everything and returns classes of schedules that break promises, small ones
// first. On an error it returns those found before.
func (s *hunt) search(ctx context.Context, result *Result) ([]finding, error) {
	found, enough, err := s.beforeSearch(ctx, result)
	if err != nil || enough {
		return found, err
	}
	for _, phase := range []func(context.Context, *Result) ([]search.Violation, error){s.explore, s.delays, s.random} {
		more, err := phase(ctx, result)
		for _, v := range more {
			found = append(found, finding{Violation: v})
		}
		if err != nil || s.misused() != nil {
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
