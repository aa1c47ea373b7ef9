package search

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// Fuzzing finds what is there, makes it small, and does the same for any number of
// workers.
func TestFuzzFindsAndShrinks(t *testing.T) {
	s := spread(t, 16, tree.Interleaved, &correction.Opportunistic{Messages: 2})
	options := FuzzOptions{Runs: 3000, Faults: 6, Seed: 7, Workers: 1, ShrinkRuns: 500}
	want, err := Fuzz(t.Context(), s, options)
	require.NoError(t, err)
	require.EqualValues(t, 3000, want.Runs)
	require.Len(t, want.Violations, 1)
	require.LessOrEqual(t, len(want.Violations[0].Schedule), 3)
	require.Positive(t, want.Steps["coloured"])
	require.Positive(t, want.Steps["correction"])
	options.Workers = 3
	got, err := Fuzz(t.Context(), s, options)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestFuzzFindsNothingWhereNothingIs(t *testing.T) {
	s := spread(t, 12, tree.Interleaved, correction.Checked{})
	found, err := Fuzz(t.Context(), s, FuzzOptions{Runs: 2000, Faults: 1})
	require.NoError(t, err)
	require.Empty(t, found.Violations)
	require.Positive(t, found.Faults)
}

// What is broken without any fault is broken by as many runs as there are, and not by one more.
func TestTheRunWithoutFaultsIsNotOneOfThem(t *testing.T) {
	s := spread(t, 8, tree.Interleaved, correction.Checked{})
	newTrial := s.NewTrial
	s.NewTrial = func() (Trial, error) {
		trial, err := newTrial()
		trial.Judge = func(*report.Report) []guarantee.Verdict { return []guarantee.Verdict{{Name: "never held"}} }
		return trial, err
	}
	found, err := Fuzz(t.Context(), s, FuzzOptions{Runs: 20, Faults: 1, ShrinkRuns: 10})
	require.NoError(t, err)
	require.Len(t, found.Violations, 1)
	require.EqualValues(t, 20, found.Violations[0].Count)
	require.Empty(t, found.Violations[0].Schedule)
}

func TestFuzzEndsInTime(t *testing.T) {
	s := spread(t, 8, tree.Interleaved, correction.Checked{})
	found, err := Fuzz(t.Context(), s, FuzzOptions{Time: 50 * time.Millisecond, Faults: 1})
	require.NoError(t, err)
	require.Positive(t, found.Runs)
}

func TestFuzzRefusesWhatMakesNoSense(t *testing.T) {
	s := spread(t, 4, tree.Interleaved, correction.None{})
	_, err := Fuzz(t.Context(), s, FuzzOptions{Runs: 5})
	require.EqualError(t, err, "search: schedules of up to 0 faults, want 1 or more")
	_, err = Fuzz(t.Context(), s, FuzzOptions{Faults: 1})
	require.EqualError(t, err, "search: 0 runs in 0s, want a limit of either")
	_, err = Fuzz(t.Context(), s, FuzzOptions{Faults: 1, Runs: 5, Kinds: []faults.Kind{faults.Rejoin, faults.Slow}})
	require.ErrorContains(t, err, "search: rejoins without failures, want crash or hang among the kinds")
	_, err = Fuzz(t.Context(), subject(1, babble(1), nil), FuzzOptions{Faults: 1, Runs: 5, Kinds: []faults.Kind{faults.Cut}})
	require.ErrorContains(t, err, "search: cuts on one rank, want two or more")
}

// Schedules are valid, spare roots, and some leave out a whole kind.
func TestDrawnSchedulesAreValid(t *testing.T) {
	s := spread(t, 9, tree.Interleaved, correction.Checked{})
	r, err := newRunner(s)
	require.NoError(t, err)
	_, _, err = r.judge(t.Context(), r.tracing, nil)
	require.NoError(t, err)
	d := newDrawer(&r.report, s, FuzzOptions{Faults: 5, Kinds: []faults.Kind{faults.Crash, faults.Hang, faults.Slow}})
	longest := 0
	pure := make(map[faults.Kind]int)
	anchored := make(map[faults.Anchor]int)
	for seed := range uint64(2000) {
		schedule := d.schedule(rand.New(rand.NewPCG(seed, 0)))
		require.NoError(t, schedule.Validate(9))
		require.NotEmpty(t, schedule)
		longest = max(longest, len(schedule))
		kinds := make(map[faults.Kind]bool)
		for _, f := range schedule {
			require.NotZero(t, f.Rank, "the root is spared")
			kinds[f.Kind] = true
			anchored[f.At.Anchor]++
		}
		if len(kinds) == 1 && len(schedule) > 3 {
			pure[schedule[0].Kind]++
		}
	}
	require.Equal(t, 5, longest)
	require.Len(t, pure, 3)
	require.Len(t, anchored, len(anchors))
}

// Only faults that took effect count.
func TestFuzzCountsFaultsThatTookEffect(t *testing.T) {
	var effective, atSteps int64
	s := subject(4, babble(4), func(rep *report.Report) []guarantee.Verdict {
		for _, f := range rep.Faults {
			if slices.Contains(rep.Unfired, f) {
				continue
			}
			effective++
			if f.At.Anchor == faults.AtStep {
				atSteps++
			}
		}
		return nil
	})
	found, err := Fuzz(t.Context(), s, FuzzOptions{Faults: 4, Runs: 500, Workers: 1})
	require.NoError(t, err)
	require.Equal(t, effective, found.Faults)
	require.Equal(t, map[string]int64{"round": atSteps}, found.Steps)
}

// Of runs that break the same, the one with the lowest number is kept, whichever ends first.
func TestTheEarliestRunIsKept(t *testing.T) {
	f := &fuzzer{found: make(map[string]finding)}
	broken := []guarantee.Verdict{{Name: "a"}}
	for _, run := range []int64{7, 3, 5, 9, 4, 8} {
		f.note(run, faults.Schedule{{Rank: int(run)}}, uint64(run), broken)
	}
	others := []Found{{faults.MustParse("crash:4"), 4, 4}, {faults.MustParse("crash:5"), 5, 5}, {faults.MustParse("crash:7"), 7, 7}}
	want := finding{3, Violation{Broken: broken, Schedule: faults.MustParse("crash:3"), Seed: 3, Count: 6, Others: others}}
	require.Equal(t, want, f.found["a"])
	// In parts, and in another order.
	parts := &fuzzer{found: make(map[string]finding)}
	for _, runs := range [][]int64{{8, 5}, {7, 3, 9, 4}} {
		part := &fuzzer{found: make(map[string]finding)}
		for _, run := range runs {
			part.note(run, faults.Schedule{{Rank: int(run)}}, uint64(run), broken)
		}
		parts.keep(part.found["a"].run, part.found["a"].violation)
	}
	require.Equal(t, want, parts.found["a"])
}

// Violations are listed in the same order each time, also if the same schedule breaks several
// guarantees in one run and fewer in another.
func TestViolationsHaveAnOrder(t *testing.T) {
	for range 20 {
		f := &fuzzer{found: make(map[string]finding), subject: subject(2, babble(2), nil), meter: newMeter(nil)}
		for i, name := range []string{"b", "d", "a", "c"} {
			f.note(int64(i), faults.MustParse("crash:1"), 0, []guarantee.Verdict{{Name: name}})
		}
		f.note(9, nil, 0, []guarantee.Verdict{{Name: "e"}})
		sum, err := f.conclude(t.Context())
		require.NoError(t, err)
		var names []string
		for i := range sum.Violations {
			names = append(names, sum.Violations[i].name())
		}
		require.Equal(t, []string{"e", "a", "b", "c", "d"}, names)
	}
}
