package search

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
)

func TestNumbersOfSchedulesEndAtTheLargest(t *testing.T) {
	const largest = math.MaxInt64
	require.EqualValues(t, 7, plus(3, 4))
	require.EqualValues(t, largest, plus(largest-4, 4))
	require.EqualValues(t, largest, plus(largest-4, 5))
	require.EqualValues(t, 12, times(3, 4))
	require.EqualValues(t, 0, times(largest, 0))
	require.EqualValues(t, largest, times(largest, 1))
	require.EqualValues(t, largest-1, times(largest/2, 2))
	require.EqualValues(t, largest, times(largest/2+1, 2))
	require.EqualValues(t, largest, times(largest, largest))
	require.EqualValues(t, 2+3+2*3, combinations([]int64{2, 3}, 2))
	require.EqualValues(t, 2+3, combinations([]int64{2, 3}, 1))
	require.EqualValues(t, largest, combinations([]int64{largest, 2}, 2))
}

// Shares of the whole are fractions, and their sum can be a little more than the whole.
func TestNoMoreThanAllIsDone(t *testing.T) {
	var told []Progress
	m := newMeter(func(p Progress) { told = append(told, p) })
	m.skip(0.75)
	m.flush()
	m.skip(0.5)
	m.flush()
	require.Equal(t, [2]float64{0.75, 1}, [2]float64{told[0].Done, told[1].Done})
}

func TestTwoRanksCanBeCutOffFromEachOther(t *testing.T) {
	o := FuzzOptions{Kinds: []faults.Kind{faults.Cut}}
	require.Error(t, o.checkKinds(1))
	require.NoError(t, o.checkKinds(2))
}
