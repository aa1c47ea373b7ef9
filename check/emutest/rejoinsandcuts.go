package emutest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// checkRejoinsAndCuts looks at ranks that come back, and cuts.
func (test *Test) checkRejoinsAndCuts(wrong *problems.List) {
	if len(test.Rejoins) > 0 && test.Faults == 1 {
		wrong.Add("Rejoins with Faults = 1: nobody would come back, as a failure and a rejoin are two faults; want Faults of 2 or more, or 0 for random schedules alone")
	}
	for _, delay := range test.Rejoins {
		wrong.Check(delay >= 1 && delay <= clock.MaxCost, "Rejoins: %d ticks after a failure, want 1 to %d", delay, clock.MaxCost)
	}
	for _, t := range test.Cuts {
		checkUpTo(wrong, "Cuts", int64(t), int64(clock.MaxCost), "ticks")
	}
	if len(test.CutSets) > 0 && len(test.Cuts) == 0 {
		wrong.Add("CutSets without Cuts, want instants at which these ranks are cut off")
	}
	for _, set := range test.CutSets {
		if err := (faults.Schedule{faults.CutBetween(set, faults.Others, 0)}).Validate(test.Machine.Ranks); err != nil {
			wrong.Add("CutSets: %w", err)
		}
	}
	if test.Machine.Ranks < 2 && (len(test.Cuts) > 0 || slices.Contains(test.Kinds, faults.Cut)) {
		wrong.Add("cuts on one rank, want two or more")
	}
	if test.Random > 0 && slices.Contains(test.Kinds, faults.Rejoin) && len(stopping(test.Kinds)) == 0 {
		wrong.Add("Kinds: rejoin without crash or hang: nobody would come back")
	}
}

// mostFaults is how many faults a schedule can have. A rank fails once, unless it comes back.
func (test *Test) mostFaults() (most int64, unit string) {
	if len(test.Rejoins)+len(test.Cuts) > 0 || slices.Contains(test.Kinds, faults.Rejoin) || slices.Contains(test.Kinds, faults.Cut) {
		return 1_000, "with rejoins and cuts"
	}
	spared := slices.Compact(slices.Sorted(slices.Values(test.Spare)))
	return int64(max(0, test.Machine.Ranks-len(spared))), "as many as ranks that are not spared"
}

// usualKinds are those of a test that names none.
func (test *Test) usualKinds() []faults.Kind {
	var kinds []faults.Kind
	if !test.NoFailures {
		kinds = append(kinds, faults.Crash, faults.Hang)
	}
	if test.varies() {
		kinds = append(kinds, faults.Slow, faults.Late)
	}
	return kinds
}

// withRejoinsAndCuts adds what Rejoins and Cuts say happens, too. Where nobody fails, nobody comes back.
func (test *Test) withRejoinsAndCuts(kinds []faults.Kind) []faults.Kind {
	all := slices.Clone(kinds)
	if len(test.Rejoins) > 0 && len(stopping(kinds)) > 0 && !slices.Contains(kinds, faults.Rejoin) {
		all = append(all, faults.Rejoin)
	}
	if len(test.Cuts) > 0 && !slices.Contains(kinds, faults.Cut) {
		all = append(all, faults.Cut)
	}
	return all
}
