package collective

import (
	"fmt"
	"slices"
)

// Blocks are blocks of elements, one for each task or of each, one after the other in a single list, as the buffers of MPI's
// calls are. On many ranks a list of lists takes more memory than what is in it.
type Blocks[T any] struct {
	all   []T
	ends  []int // of the blocks; nil: all are of the same length
	count int
}

// EvenBlocks are so many blocks of the same length.
func EvenBlocks[T any](count int, all []T) Blocks[T] {
	if count < 1 || len(all)%count != 0 {
		panic(fmt.Sprintf("collective: %d elements in %d blocks of the same length", len(all), count))
	}
	return Blocks[T]{all: all, count: count}
}

// UnevenBlocks are blocks of any lengths, of which each ends before the element with the number given.
func UnevenBlocks[T any](all []T, ends []int) Blocks[T] {
	if len(ends) == 0 || !slices.IsSorted(ends) || ends[0] < 0 || ends[len(ends)-1] != len(all) {
		panic(fmt.Sprintf("collective: blocks that end at %v, want ascending numbers up to %d, the number of elements", ends, len(all)))
	}
	return Blocks[T]{all: all, ends: ends, count: len(ends)}
}

// Len is the number of blocks.
func (b Blocks[T]) Len() int { return b.count }

// All are the elements of all blocks.
func (b Blocks[T]) All() []T { return b.all }

// Of is the block of a task. It is part of the list of all.
func (b Blocks[T]) Of(task int) []T {
	if b.ends == nil {
		length := len(b.all) / b.count
		return b.all[task*length : (task+1)*length : (task+1)*length]
	}
	begin := 0
	if task > 0 {
		begin = b.ends[task-1]
	}
	return b.all[begin:b.ends[task]:b.ends[task]]
}
