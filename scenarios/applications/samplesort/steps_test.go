package samplesort_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/applications/samplesort"
)

func TestPivotsDivideSplittersEvenly(t *testing.T) {
	for _, row := range []struct {
		splitters []int64
		tasks     int
		want      []int64
	}{
		{[]int64{6, 5, 4, 3, 2, 1}, 3, []int64{3, 5}},
		{[]int64{1, 2, 3, 4, 5, 6}, 3, []int64{3, 5}},
		{[]int64{7, 7, 7, 1}, 4, []int64{7, 7, 7}},
		{[]int64{9, 8}, 4, []int64{8, 9, 9}},
		{[]int64{-3}, 3, []int64{-3, -3}},
		{nil, 3, []int64{0, 0}},
		{[]int64{1, 2}, 1, []int64{}},
	} {
		require.Equal(t, row.want, samplesort.Pivots(row.splitters, row.tasks), "%v, %d tasks", row.splitters, row.tasks)
	}
}

func TestNumbersEqualToAPivotStayBelowIt(t *testing.T) {
	groups := samplesort.Group([]int64{9, 5, 4, 5, 6, 1, 7}, []int64{5, 5, 7})
	require.Equal(t, [][]int64{{5, 4, 5, 1}, nil, {6, 7}, {9}}, groups)
	require.Equal(t, [][]int64{{2, 1}}, samplesort.Group([]int64{2, 1}, nil), "one task")
	require.Equal(t, [][]int64{nil, nil}, samplesort.Group(nil, []int64{0}), "no numbers")
}

// Of four numbers there are six pairs, and each is sampled about as often as the others.
func TestEverySampleIsEquallyLikely(t *testing.T) {
	const rounds = 6000
	random := samplesort.Source{Seed: 1}.Rand(0)
	counts := map[int64]int{}
	for range rounds {
		pair := samplesort.Splitters([]int64{1, 2, 4, 8}, 2, random)
		counts[pair[0]|pair[1]]++
	}
	require.Len(t, counts, 6)
	for pair, count := range counts {
		require.InDelta(t, rounds/6, count, 5*29, "pair %04b", pair) // five standard deviations
	}
}

func TestSamplesAreNotLargerThanTheirNumbers(t *testing.T) {
	random := samplesort.Source{}.Rand(0)
	require.ElementsMatch(t, []int64{1, 2, 3}, samplesort.Splitters([]int64{1, 2, 3}, 10, random))
	require.Empty(t, samplesort.Splitters(nil, 10, random))
	require.Empty(t, samplesort.Splitters([]int64{1, 2, 3}, 0, random))
	require.Empty(t, samplesort.Splitters([]int64{1, 2, 3}, -1, random))
}

func TestJoinSortsWhatCameFromAll(t *testing.T) {
	require.Equal(t, []int64{-1, 2, 2, 3}, samplesort.Join([]int64{3, 2}, nil, []int64{2, -1}))
	require.Empty(t, samplesort.Join())
}
