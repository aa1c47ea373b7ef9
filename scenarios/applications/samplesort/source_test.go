package samplesort_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/applications/samplesort"
)

func TestAllProblemsOfASourceAreListed(t *testing.T) {
	require.NoError(t, samplesort.Source{}.Validate())
	require.NoError(t, samplesort.Source{Elements: 5, Distinct: math.MaxInt64}.Validate())
	require.EqualError(t, samplesort.Source{Elements: -1, Distinct: -2}.Validate(),
		"samplesort: elements = -1, want >= 0; distinct = -2, want >= 1, or 0 for no two that are equal")
}

func TestFirstTasksHaveOneNumberMore(t *testing.T) {
	for _, row := range []struct {
		elements, tasks int
		want            []int
	}{
		{0, 3, []int{0, 0, 0}}, {2, 3, []int{1, 1, 0}}, {3, 3, []int{1, 1, 1}}, {11, 4, []int{3, 3, 3, 2}}, {7, 1, []int{7}},
	} {
		source := samplesort.Source{Elements: row.elements}
		for task, want := range row.want {
			require.Len(t, source.Numbers(task, row.tasks), want, "task %d of %d, %d numbers", task, row.tasks, row.elements)
		}
	}
}

func TestTasksThatDoNotExistPanic(t *testing.T) {
	source := samplesort.Source{Elements: 10}
	require.PanicsWithValue(t, "samplesort: task 2 of 2, want 0 to 1", func() { source.Numbers(2, 2) })
	require.PanicsWithValue(t, "samplesort: task -1 of 2, want 0 to 1", func() { source.Numbers(-1, 2) })
	require.PanicsWithValue(t, "samplesort: pivots between 0 tasks, want >= 1", func() { samplesort.Pivots(nil, 0) })
}

func TestNumbersDoNotRepeatUnlessAskedTo(t *testing.T) {
	all := samplesort.Source{Seed: 3, Elements: 100_000}.Sorted()
	require.Len(t, slices.Compact(all), 100_000)
}

// Each eighth of the range has about an eighth of the numbers.
func TestNumbersAreUniform(t *testing.T) {
	const elements, parts = 80_000, 8
	const mean, far = elements / parts, 5 * 94 // five standard deviations
	for _, source := range []samplesort.Source{
		{Seed: 5, Elements: elements}, {Seed: 6, Elements: elements, Distinct: parts}, {Seed: 7, Elements: elements, Distinct: math.MaxInt64},
	} {
		var counts [parts]int
		for _, number := range source.Numbers(0, 1) {
			switch source.Distinct {
			case 0:
				counts[uint64(number)>>61]++ // the three bits that make eight parts
			case parts:
				counts[number]++
			default:
				counts[number>>60]++
			}
		}
		for part, count := range counts {
			require.InDelta(t, mean, count, far, "part %d, distinct %d", part, source.Distinct)
		}
	}
}

func TestTasksSampleWithStreamsOfTheirOwn(t *testing.T) {
	source := samplesort.Source{Seed: 1}
	require.Equal(t, source.Rand(4).Uint64(), source.Rand(4).Uint64())
	require.NotEqual(t, source.Rand(4).Uint64(), source.Rand(5).Uint64())
	require.NotEqual(t, source.Rand(4).Uint64(), samplesort.Source{Seed: 2}.Rand(4).Uint64())
}
