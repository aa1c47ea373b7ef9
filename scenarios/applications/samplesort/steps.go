package samplesort

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Splitters is a random sample of the numbers of a task, each at most once, or all of them if
// there are not as many as asked for. Every sample is equally likely.
func Splitters(numbers []int64, count int, random *rand.Rand) []int64 {
	rest := slices.Clone(numbers)
	count = max(0, min(count, len(rest)))
	for i := range count {
		other := i + random.IntN(len(rest)-i)
		rest[i], rest[other] = rest[other], rest[i]
	}
	return slices.Clone(rest[:count]) // does not keep all numbers in memory
}

// Pivots is the tasks-1 limits between tasks, in ascending order: those that divide the
// splitters of all tasks evenly. They do not depend on the order of the splitters. Without any
// splitters there is nothing to tell from, and all limits are 0.
func Pivots(splitters []int64, tasks int) []int64 {
	if tasks < 1 {
		panic(fmt.Sprintf("samplesort: pivots between %d tasks, want >= 1", tasks))
	}
	pivots := make([]int64, tasks-1)
	if len(splitters) == 0 {
		return pivots
	}
	sorted := slices.Clone(splitters)
	slices.Sort(sorted)
	for i := range pivots {
		pivots[i] = sorted[(i+1)*len(sorted)/tasks]
	}
	return pivots
}

// Group divides the numbers of a task by the task that they go to. A task gets what is larger
// than the pivot before it and not larger than its own; the last gets all that is larger. So
// equal numbers go to the same task, also where pivots are equal. Within a group numbers stay
// in the order in which they came.
func Group(numbers, pivots []int64) [][]int64 {
	groups := make([][]int64, len(pivots)+1)
	for _, number := range numbers {
		task, _ := slices.BinarySearch(pivots, number) // the first pivot that is not smaller
		groups[task] = append(groups[task], number)
	}
	return groups
}

// Join is all numbers that a task was given, in order. It does not depend on the order of the
// groups.
func Join(groups ...[]int64) []int64 {
	part := slices.Concat(groups...)
	slices.Sort(part)
	return part
}
