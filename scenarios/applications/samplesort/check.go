package samplesort

import "fmt"

// Check says whether the parts of all tasks, one after the other, are exactly the numbers of
// the source in order. If not, the error says where they begin to differ, tasks and numbers
// being counted from 0. It sorts all numbers itself, which takes as long as that does.
func Check(parts [][]int64, source Source) error {
	want := source.Sorted()
	place := 0
	for task, part := range parts {
		for i, number := range part {
			if place == len(want) {
				return fmt.Errorf("samplesort: number %d of task %d is %d, want no more than %d numbers in all", i, task, number, len(want))
			}
			if number != want[place] {
				return fmt.Errorf("samplesort: number %d of task %d is %d, want %d, which is number %d of all", i, task, number, want[place], place)
			}
			place++
		}
	}
	if place < len(want) {
		return fmt.Errorf("samplesort: %d numbers in all, want %d; the next would be %d", place, len(want), want[place])
	}
	return nil
}
