package samplesort_test

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios/applications/samplesort"
)

// Three tasks sort twenty numbers. Between the steps they would send to each other what is
// handed over in variables here.
func Example() {
	const tasks = 3
	source := samplesort.Source{Seed: 1, Elements: 20, Distinct: 100}

	var splitters []int64 // gathered from all tasks
	for task := range tasks {
		numbers := source.Numbers(task, tasks)
		fmt.Println("task", task, "has", numbers)
		splitters = append(splitters, samplesort.Splitters(numbers, 3, source.Rand(task))...)
	}
	pivots := samplesort.Pivots(splitters, tasks)
	fmt.Println("splitters", splitters, "pivots", pivots)

	given := make([][][]int64, tasks) // sent from each task to each
	for task := range tasks {
		for to, group := range samplesort.Group(source.Numbers(task, tasks), pivots) {
			given[to] = append(given[to], group)
		}
	}
	parts := make([][]int64, tasks)
	for task := range tasks {
		parts[task] = samplesort.Join(given[task]...)
		fmt.Println("task", task, "ends with", parts[task])
	}
	fmt.Println("in order:", slices.Equal(slices.Concat(parts...), source.Sorted()))
	// Output:
	// task 0 has [74 37 43 95 20 59 45]
	// task 1 has [18 31 88 51 53 92 20]
	// task 2 has [15 54 8 50 50 47]
	// splitters [37 59 45 20 51 92 50 54 8] pivots [45 54]
	// task 0 ends with [8 15 18 20 20 31 37 43 45]
	// task 1 ends with [47 50 50 51 53 54]
	// task 2 ends with [59 74 88 92 95]
	// in order: true
}
