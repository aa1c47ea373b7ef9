package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// Cuts leave classes of failures as they are: running one schedule of each class covers as many
// as running every one, and finds the same.
func TestClassesLoseNothingUnderCuts(t *testing.T) {
	for _, c := range []struct {
		correction  correction.Correction
		ranks, upTo int
		cuts        []clock.Time
		sets        []faults.Group
	}{
		{correction.None{}, 5, 2, []clock.Time{0, 4}, nil},
		{correction.Checked{}, 4, 2, []clock.Time{2, 6, 2}, nil},
		{correction.Checked{}, 5, 2, []clock.Time{4}, []faults.Group{"1-2", "3-4", "1-2"}},
		{&correction.Opportunistic{Messages: 1}, 4, 3, []clock.Time{5}, []faults.Group{"0+3"}},
	} {
		s := spread(t, c.ranks, tree.InOrder, c.correction)
		options := ExploreOptions{Faults: c.upTo, Cuts: c.cuts, CutSets: c.sets}
		some := explore(t, s, options)
		plain := explore(t, s, ExploreOptions{Faults: c.upTo})
		options.Every = true
		all := explore(t, s, options)
		require.Equal(t, all.Covered, some.Covered, "%+v", c)
		require.Equal(t, all.Covered, all.Runs)
		require.Less(t, 4*some.Runs, all.Runs, "%+v", c)
		require.Greater(t, some.Covered, plain.Covered)
		require.NotEmpty(t, all.Violations)
		for i := range all.Violations {
			require.Equal(t, all.Violations[i].Schedule, some.Violations[i].Schedule)
		}
	}
}

// Nothing is missed: each cut with each failure, of either kind at every point there is, looks
// to the ranks that live like one of the runs of the exploration.
func TestNoFailureUnderACutIsMissed(t *testing.T) {
	const ranks = 4
	m := &memory{seen: make(map[string]bool)}
	s := subject(ranks, babble(ranks), m.judge)
	s.Events, s.Seed = true, 3
	options := ExploreOptions{Faults: 2, Cuts: []clock.Time{0, 3, 8, 13}, CutSets: []faults.Group{"0", "2", "1+3"}}
	found := explore(t, s, options)

	machine, err := emu.New(emu.Config{LogP: s.Machine.LogP, Trace: emu.TraceEvents})
	require.NoError(t, err)
	run := func(schedule faults.Schedule) *report.Report {
		rep, err := machine.Run(t.Context(), s.mustTrial(t).Program, emu.Options{Faults: schedule, Seed: s.Seed})
		require.NoError(t, err)
		return rep
	}
	tried := 0
	for _, set := range options.CutSets {
		for _, at := range options.Cuts {
			cut := faults.CutBetween(set, faults.Others, at)
			calm := run(faults.Schedule{cut})
			for rank := range ranks {
				for _, point := range pointsOf(calm, rank) {
					pair := faults.Schedule{cut, {Kind: faults.Hang, Rank: rank, At: point}}
					tried++
					require.True(t, known(m, run, pair, run(pair)), "%v", pair)
				}
			}
		}
	}
	require.Greater(t, tried, 500)
	require.Less(t, found.Runs, int64(tried)*2)
}

// An instant or a set that is named twice is one.
func TestCutsCountOnce(t *testing.T) {
	s := restlessSubject(3, 1)
	once := explore(t, s, ExploreOptions{Faults: 2, Cuts: []clock.Time{3, 8}, CutSets: []faults.Group{"0", "1-2"}})
	require.Equal(t, once, explore(t, s, ExploreOptions{Faults: 2, Cuts: []clock.Time{8, 3, 8}, CutSets: []faults.Group{"0", "1-2"}}))
	require.Equal(t, once, explore(t, s, ExploreOptions{Faults: 2, Cuts: []clock.Time{3, 8}, CutSets: []faults.Group{"1-2", "0", "1-2"}}))
}

// Who is cut off, if nothing is said about it: each rank that may fail, alone.
func TestEachRankIsCutOffAlone(t *testing.T) {
	s := question()
	s.Machine.Ranks, s.Roots = 3, []int{0}
	options := ExploreOptions{Kinds: []faults.Kind{faults.Crash}, Cuts: []clock.Time{6, 0}}
	require.Equal(t, []string{
		"cut:1|*@t0 shows 0, 1",
		"cut:2|*@t0 shows 0, 1",
		"cut:1|*@t6 shows 6, 1",
		"cut:2|*@t6 shows 6, 1",
		"crash:1@t0 shows 6, 5",
		"crash:1@after-send1 shows never, 1",
		"crash:2@t0 shows never, 1",
	}, candidatesOf(t, s, options))
	options.Roots, options.CutSets = true, []faults.Group{"0"}
	require.Contains(t, candidatesOf(t, s, options), "cut:0|*@t6 shows 6, 1")
}
