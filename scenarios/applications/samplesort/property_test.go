package samplesort_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/scenarios/applications/samplesort"
)

// anySource has from none to many more numbers than there are tasks, often with duplicates.
func anySource(t *rapid.T) samplesort.Source {
	return samplesort.Source{
		Seed:     rapid.Uint64().Draw(t, "seed"),
		Elements: rapid.OneOf(rapid.IntRange(0, 50), rapid.IntRange(0, 3000)).Draw(t, "elements"),
		Distinct: rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 20), rapid.Int64Min(1)).Draw(t, "distinct"),
	}
}

func anyTasks(t *rapid.T) int { return rapid.IntRange(1, 70).Draw(t, "tasks") }

// sortAll takes all steps, as if tasks were one.
func sortAll(source samplesort.Source, tasks, sample int) [][]int64 {
	var splitters []int64
	for task := range tasks {
		splitters = append(splitters, samplesort.Splitters(source.Numbers(task, tasks), sample, source.Rand(task))...)
	}
	pivots := samplesort.Pivots(splitters, tasks)
	given := make([][][]int64, tasks)
	for task := range tasks {
		for to, group := range samplesort.Group(source.Numbers(task, tasks), pivots) {
			given[to] = append(given[to], group)
		}
	}
	parts := make([][]int64, tasks)
	for task := range tasks {
		parts[task] = samplesort.Join(given[task]...)
	}
	return parts
}

// Whatever the samples are; they may be empty, and then all goes to the ends.
func TestAllStepsTogetherSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, tasks := anySource(t), anyTasks(t)
		parts := sortAll(source, tasks, rapid.IntRange(0, 40).Draw(t, "sample"))
		require.True(t, slices.Equal(source.Sorted(), slices.Concat(parts...)))
	})
}

func TestNumbersDoNotDependOnTasks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, tasks := anySource(t), anyTasks(t)
		all := []int64{}
		for task := range tasks {
			all = append(all, source.Numbers(task, tasks)...)
		}
		require.Equal(t, source.Numbers(0, 1), all)
		require.Len(t, all, source.Elements)
		for _, number := range all {
			require.True(t, source.Distinct == 0 || number >= 0 && number < source.Distinct)
		}
	})
}

func TestSplittersAreNumbersOfTheTask(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.Int64Range(0, 9)).Draw(t, "numbers")
		before := slices.Clone(numbers)
		random := samplesort.Source{Seed: rapid.Uint64().Draw(t, "seed")}.Rand(0)
		sample := samplesort.Splitters(numbers, rapid.IntRange(0, 30).Draw(t, "count"), random)
		require.Equal(t, before, numbers)
		for _, splitter := range sample { // each at most as often as there
			at := slices.Index(before, splitter)
			require.GreaterOrEqual(t, at, 0)
			before = slices.Delete(before, at, at+1)
		}
	})
}

func TestGroupsFollowEachOtherAndLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.Int64Range(-5, 5)
		numbers := rapid.SliceOf(few).Draw(t, "numbers")
		pivots := samplesort.Pivots(rapid.SliceOf(few).Draw(t, "splitters"), anyTasks(t))
		require.True(t, slices.IsSorted(pivots))
		groups := samplesort.Group(numbers, pivots)
		require.Len(t, groups, len(pivots)+1)
		require.ElementsMatch(t, numbers, slices.Concat(groups...))
		seen := map[int64]int{} // the group of a value
		largest := int64(-6)
		for task, group := range groups {
			for _, number := range group {
				first, known := seen[number]
				require.True(t, !known || first == task, "%d is in groups %d and %d", number, first, task)
				require.GreaterOrEqual(t, number, largest)
				seen[number] = task
			}
			largest = max(largest, slices.Max(append(slices.Clone(group), largest)))
		}
	})
}

// With many splitters, no task of 16 ends with more than twice its share of distinct numbers.
func TestPartsAreBalancedIfSamplesAreLarge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tasks, share = 16, 500
		source := samplesort.Source{Seed: rapid.Uint64().Draw(t, "seed"), Elements: tasks * share}
		for _, part := range sortAll(source, tasks, 64) {
			require.Less(t, len(part), 2*share)
		}
	})
}
