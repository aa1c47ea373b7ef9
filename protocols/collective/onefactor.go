package collective

// rounds is the number of rounds in which every task meets every other one (1-factor algorithm,
// algorithm 5): tasks - 1 if they are even in number, else one more, as one task has nobody to
// meet in each round.
func rounds(tasks int) int {
	if tasks%2 == 0 {
		return tasks - 1
	}
	return tasks
}

// partner is whom a task meets in a round; itself if nobody.
//
// The thesis computes who is idle in an even number of tasks by half the task's own number; it is
// half the number of tasks.
func partner(task, round, tasks int) int {
	if tasks%2 == 1 {
		return (round - task + tasks) % tasks
	}
	odd := tasks - 1
	idle := tasks / 2 * round % odd
	switch task {
	case odd:
		return idle
	case idle:
		return odd
	}
	return (round - task + odd) % odd
}
