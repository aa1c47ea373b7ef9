package samplesort

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// Source is the numbers to sort. Seed 0 is a seed like any other. A Source is safe for
// concurrent use.
type Source struct {
	Seed uint64
	// Elements is how many numbers all tasks have together.
	Elements int
	// Distinct is how many different values there are: numbers are drawn from 0 to Distinct-1,
	// all equally likely. If it is 0, they are drawn from all of int64, without repetition.
	Distinct int64
}

// Validate says all that is wrong.
func (s Source) Validate() error {
	var bad problems.List
	bad.Check(s.Elements >= 0, "elements = %d, want >= 0", s.Elements)
	bad.Check(s.Distinct >= 0, "distinct = %d, want >= 1, or 0 for no two that are equal", s.Distinct)
	return bad.Err("samplesort")
}

// Numbers is the share of a task, from 0, of so many tasks. Shares differ by one at most: the
// first ones have one number more. If there are more tasks than numbers, the last have none.
func (s Source) Numbers(task, tasks int) []int64 {
	if task < 0 || task >= tasks {
		panic(fmt.Sprintf("samplesort: task %d of %d, want 0 to %d", task, tasks, tasks-1))
	}
	each, more := s.Elements/tasks, s.Elements%tasks
	first := func(task int) int { return task*each + min(task, more) }
	numbers := make([]int64, first(task+1)-first(task))
	for i := range numbers {
		numbers[i] = s.at(first(task) + i)
	}
	return numbers
}

// Sorted is all numbers in order: the reference that sample sort is compared with.
func (s Source) Sorted() []int64 {
	all := s.Numbers(0, 1)
	slices.Sort(all)
	return all
}

// Rand is the random stream with which a task samples, from its beginning.
func (s Source) Rand(task int) *rand.Rand {
	return rand.New(rand.NewPCG(splitmix.Scramble(s.Seed), splitmix.Scramble(uint64(task))))
}

// at is the number at a place among all. It is the one of that place in SplitMix64, which does
// not repeat itself in 2^64 numbers. As a fraction of 2^64, times Distinct, its integer part is
// a value below Distinct.
func (s Source) at(place int) int64 {
	number := splitmix.At(splitmix.Scramble(s.Seed), uint64(place+1))
	if s.Distinct > 0 {
		integer, _ := bits.Mul64(number, uint64(s.Distinct))
		return int64(integer)
	}
	return int64(number)
}
