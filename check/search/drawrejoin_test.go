package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// drawerOf draws for a subject, whose run without faults it returns as well.
func drawerOf(t *testing.T, s *Subject, options FuzzOptions) (*drawer, *report.Report) {
	t.Helper()
	r, err := newRunner(s)
	require.NoError(t, err)
	_, _, err = r.judge(t.Context(), r.tracing, nil)
	require.NoError(t, err)
	return newDrawer(&r.report, s, options), &r.report
}

var allKinds = []faults.Kind{faults.Crash, faults.Hang, faults.Slow, faults.Rejoin, faults.Cut}

// Rejoins are of ranks that fail because of a fault before them, and after it; cuts are of one
// rank that may fail or of about half of all.
func TestDrawnRejoinsAndCutsMakeSense(t *testing.T) {
	const ranks = 9
	d, calm := drawerOf(t, spread(t, ranks, tree.Interleaved, correction.Checked{}), FuzzOptions{Faults: 6, Kinds: allKinds})
	seen := make(map[faults.Kind]int)
	alone, halves, twice := make(map[faults.Group]int), 0, 0
	early, late := clock.Never, clock.Time(0)
	for seed := range uint64(3000) {
		schedule := d.schedule(rand.New(rand.NewPCG(seed, 0)))
		require.NoError(t, schedule.Validate(ranks))
		require.NotEmpty(t, schedule)
		lives := make(map[int]int)
		for i, f := range schedule {
			seen[f.Kind]++
			switch f.Kind {
			case faults.Rejoin:
				lives[f.Rank]++
				require.True(t, laterThanAFailure(d, schedule[:i], f), "%v", schedule)
				require.LessOrEqual(t, f.At.Time, calm.Quiescence+2)
			case faults.Cut:
				require.Equal(t, faults.Others, f.Right)
				require.LessOrEqual(t, f.At.Time, calm.Quiescence+1)
				early, late = min(early, f.At.Time), max(late, f.At.Time)
				if f.Left.Size() == 1 {
					alone[f.Left]++
				} else {
					halves++
				}
			}
		}
		for _, n := range lives {
			twice = max(twice, n)
		}
	}
	require.Len(t, seen, len(allKinds))
	require.Less(t, alone["0"], 10, "the root is spared, but may be a small half")
	for rank := 1; rank < ranks; rank++ {
		require.Greater(t, alone[faults.GroupOf(rank)], 50)
	}
	require.Greater(t, halves, 100)
	require.Zero(t, early)
	require.Equal(t, calm.Quiescence+1, late)
	require.Greater(t, twice, 1, "a rank may come back twice")
}

// laterThanAFailure reports whether some fault lets the rank fail before it comes back.
func laterThanAFailure(d *drawer, before faults.Schedule, back faults.Fault) bool {
	for _, f := range before {
		if f.Kind.Stops() && f.Rank == back.Rank && d.when(f) < back.At.Time {
			return true
		}
	}
	return false
}

// The first fault is never a rejoin: somebody fails, in one of the ways that were asked for.
func TestSomebodyFailsBeforeAnybodyComesBack(t *testing.T) {
	s := spread(t, 4, tree.Interleaved, correction.Checked{})
	d, _ := drawerOf(t, s, FuzzOptions{Faults: 1, Kinds: []faults.Kind{faults.Rejoin, faults.Hang}})
	for seed := range uint64(100) {
		schedule := d.schedule(rand.New(rand.NewPCG(seed, 0)))
		require.Len(t, schedule, 1)
		require.Equal(t, faults.Hang, schedule[0].Kind)
	}
}

// The time of a point is known from the run without faults.
func TestPointsHaveTimes(t *testing.T) {
	d, _ := drawerOf(t, question(), FuzzOptions{})
	for text, want := range map[string]clock.Time{
		"crash:1@t7": 7, "crash:1@recv1": 6, "hang:1@send1": 7, "hang:1@after-send1": 8, "crash:0@step:ask#2": 2, "crash:0@recv9": 0,
	} {
		require.Equal(t, want, d.when(faults.MustParse(text)[0]), text)
	}
}

// Fuzzing with all kinds finds what a rank that comes back breaks, and the same for any
// number of workers.
func TestFuzzFindsWhatARankThatComesBackBreaks(t *testing.T) {
	s := restlessSubject(4, 1)
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "stay away", Value: guarantee.ValueOf(len(rep.Rejoined) == 0)}}
	})
	options := FuzzOptions{Runs: 1000, Faults: 5, Kinds: allKinds, Workers: 1, ShrinkRuns: 300}
	want, err := Fuzz(t.Context(), s, options)
	require.NoError(t, err)
	require.Len(t, want.Violations, 1)
	require.Len(t, want.Violations[0].Schedule, 2)
	options.Workers = 3
	got, err := Fuzz(t.Context(), s, options)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
