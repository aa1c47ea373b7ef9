package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const mostTasks = 65

func TestEveryPairOfTasksMeetsOnce(t *testing.T) {
	for tasks := 1; tasks <= mostTasks; tasks++ {
		meetings := make(map[[2]int]int)
		for round := range rounds(tasks) {
			for task := range tasks {
				other := partner(task, round, tasks)
				require.True(t, 0 <= other && other < tasks, "%d tasks, round %d: %d meets %d", tasks, round, task, other)
				require.Equal(t, task, partner(other, round, tasks), "%d tasks, round %d: %d meets %d", tasks, round, task, other)
				meetings[[2]int{task, other}]++
			}
		}
		for a := range tasks {
			for b := range tasks {
				want := 1
				if a == b && tasks%2 == 0 {
					want = 0
				}
				require.Equal(t, want, meetings[[2]int{a, b}], "%d tasks: %d and %d", tasks, a, b)
			}
		}
	}
}

// An odd number of tasks needs one round more, in which each task has nobody to meet once.
func TestRoundsAreAsFewAsThereCanBe(t *testing.T) {
	for tasks := 1; tasks <= mostTasks; tasks++ {
		idle := 0
		for round := range rounds(tasks) {
			for task := range tasks {
				if partner(task, round, tasks) == task {
					idle++
				}
			}
		}
		if tasks%2 == 0 {
			require.Equal(t, tasks-1, rounds(tasks))
			require.Zero(t, idle)
		} else {
			require.Equal(t, tasks, rounds(tasks))
			require.Equal(t, tasks, idle)
		}
	}
}

// Figure 3.7: "in iteration 0 Process 0 and 5, 1 and 4, 2 and 3 are communicating".
func TestFirstIterationOfSixIsThatOfTheThesis(t *testing.T) {
	require.Equal(t, 5, rounds(6))
	for task, other := range []int{5, 4, 3, 2, 1, 0} {
		require.Equal(t, other, partner(task, 0, 6))
	}
}

// Erratum: algorithm 5 has idle := ((ProcessID / 2) * k) mod (p - 1). Tasks then do not agree on who
// meets whom, for any even number of them but 2; the figure is right, and so is the original
// algorithm, with p / 2.
func TestTheThesisFormulaForIdleDoesNotMatchTasks(t *testing.T) {
	asWritten := func(task, round, tasks int) int {
		odd := tasks - 1
		idle := task / 2 * round % odd
		switch task {
		case odd:
			return idle
		case idle:
			return odd
		}
		return (round - task + odd) % odd
	}
	for tasks := 4; tasks <= mostTasks; tasks += 2 {
		wrong := 0
		for round := range rounds(tasks) {
			for task := range tasks {
				if other := asWritten(task, round, tasks); asWritten(other, round, tasks) != task {
					wrong++
				}
			}
		}
		require.Positive(t, wrong, "%d tasks", tasks)
	}
	// The smallest example: 4 tasks, iteration 1. Task 3 goes to 1, task 2 waits for itself.
	require.Equal(t, 1, asWritten(3, 1, 4))
	require.Equal(t, 0, asWritten(1, 1, 4))
	require.Equal(t, 2, asWritten(2, 1, 4))
	require.Equal(t, 2, partner(3, 1, 4))
}
