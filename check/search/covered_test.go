package search

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

func TestCombinations(t *testing.T) {
	for _, c := range []struct {
		points []int64
		most   int
		want   int64
	}{
		{nil, 3, 0},
		{[]int64{2, 3, 5}, 0, 0},
		{[]int64{2, 3, 5}, 1, 2 + 3 + 5},
		{[]int64{2, 3, 5}, 2, 2 + 3 + 5 + 6 + 10 + 15},
		{[]int64{2, 3, 5}, 3, 2 + 3 + 5 + 6 + 10 + 15 + 30},
		{[]int64{2, 3, 5}, 9, 2 + 3 + 5 + 6 + 10 + 15 + 30},
		{[]int64{math.MaxInt64, 2}, 2, math.MaxInt64},
		{[]int64{math.MaxInt64 / 2, 3}, 2, math.MaxInt64},
	} {
		require.Equal(t, c.want, combinations(c.points, c.most), "%v", c)
	}
}

// Running one schedule of each class covers as many as running every one, and finds the same.
func TestClassesLoseNothing(t *testing.T) {
	for _, c := range []struct {
		correction  correction.Correction
		ranks, upTo int
		violations  int
		standsFor   int64 // how many schedules a run stands for, at least
	}{
		{correction.None{}, 6, 1, 1, 3},
		{correction.Checked{}, 6, 1, 0, 3},
		{&correction.Opportunistic{Messages: 2}, 6, 1, 0, 3},
		{correction.None{}, 5, 2, 1, 8},
		{&correction.Opportunistic{Messages: 1}, 4, 2, 1, 8},
		{correction.None{}, 4, 3, 1, 20},
		{correction.Checked{}, 4, 3, 0, 20},
	} {
		s := spread(t, c.ranks, tree.InOrder, c.correction)
		some := explore(t, s, ExploreOptions{Faults: c.upTo})
		all := explore(t, s, ExploreOptions{Faults: c.upTo, Every: true})
		require.Equal(t, all.Covered, some.Covered, "%+v", c)
		require.Equal(t, all.Covered, all.Runs)
		require.Less(t, some.Runs*c.standsFor, all.Runs, "%+v", c)
		require.Len(t, some.Violations, c.violations, "%+v", c)
		require.Len(t, all.Violations, c.violations)
		for i := range all.Violations {
			require.Equal(t, some.Violations[i].Schedule, all.Violations[i].Schedule)
		}
	}
}

// Numbers that are too large do not wrap around.
func TestCoveredHasALimit(t *testing.T) {
	found, err := exploreUpTo(t, spread(t, 64, tree.InOrder, correction.None{}), ExploreOptions{Faults: 60}, 100)
	require.Error(t, err)
	require.EqualValues(t, math.MaxInt64, found.Covered)
}
