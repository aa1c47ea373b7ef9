package emutest

import (
	"context"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// varies reports whether the timing of messages varies from run to run.
func (test *Test) varies() bool { return !test.Exact && test.Machine.Ranks > 1 }

// fewDelays is how many runs with one late message there may be in any case.
const fewDelays = 1_000

// delays runs every schedule in which one message is late, as far as its receiver and others can tell the difference. In long programs these are
// many: then it stops after as many runs as the test has otherwise.
func (s *hunt) delays(ctx context.Context, result *Result) ([]search.Violation, error) {
	if !s.varies() {
		return nil, nil
	}
	x, err := search.Explore(ctx, s.subject(), search.ExploreOptions{
		Delays: 1, KnowsPlain: true, Given: s.Given, Runs: max(fewDelays, result.Runs, int64(s.Random)),
	})
	if x == nil {
		return nil, err
	}
	result.Runs += x.Tally.Runs
	result.Delayed, result.AllDelays = int64(len(x.Cases)), x.Complete()
	result.saw(x.Hashes)
	result.Judged.Merge(x.Tally)
	return x.Violations, err
}

// checkTiming looks at what varies without anybody failing.
func (test *Test) checkTiming(wrong *problems.List) {
	if test.NoFailures && test.Faults > 0 {
		wrong.Add("NoFailures with Faults = %d, want 0", test.Faults)
	}
	if test.NoFailures && test.Exact && test.Random > 0 {
		wrong.Add("NoFailures with Exact and Random = %d: nothing would differ, want Random 0", test.Random)
	}
	if test.NoFailures && len(test.Rejoins)+len(test.Cuts) > 0 {
		wrong.Add("NoFailures with Rejoins or Cuts, want neither")
	}
}
