package search

import (
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
)

// A rank that comes back finds what was safe, and of its later changes those that the schedule keeps. What it finds is what
// matters: two sets of changes that leave the same values are the same.

// mostKept is up to how many changes that are not safe every set of them is tried, and mostPaired up to how many there are: each alone, all but each, each
// two, all beginnings, all ends, and all. Of more, there are the first one, the last one, both, all but either, and all.
const (
	mostKept   = 4
	mostPaired = 8
)

// keptOf lists what may be kept of changes to these records, besides nothing. Sets that leave the same are listed once.
func keptOf(changed []string) []faults.Group {
	var all []faults.Group
	var left []map[string]int
	for _, set := range setsOf(len(changed)) {
		leaves := make(map[string]int)
		for _, change := range set {
			leaves[changed[change-1]] = change
		}
		if !slices.ContainsFunc(left, func(other map[string]int) bool { return maps.Equal(leaves, other) }) {
			left, all = append(left, leaves), append(all, faults.GroupOf(set...))
		}
	}
	return all
}

// setsOf are the sets of so many changes that are tried, small ones first.
func setsOf(n int) (sets [][]int) {
	every := make([]int, n)
	for i := range every {
		every[i] = i + 1
	}
	switch {
	case n == 0:
	case n <= mostKept:
		for set := uint(1); set < 1<<n; set++ {
			sets = append(sets, members(set))
		}
	case n <= mostPaired:
		for i, one := range every {
			sets = append(sets, []int{one}, slices.Delete(slices.Clone(every), i, i+1), every[:i+1], every[i:])
			for _, other := range every[i+1:] {
				sets = append(sets, []int{one, other})
			}
		}
	default:
		sets = [][]int{{1}, {n}, {1, n}, every[:n-1], every[1:], every}
	}
	slices.SortStableFunc(sets, func(a, b []int) int { return len(a) - len(b) })
	return sets
}

// members are the changes of a set, from 1.
func members(set uint) (all []int) {
	for ; set != 0; set &= set - 1 {
		all = append(all, bits.TrailingZeros(set)+1)
	}
	return all
}

// mostDrawn is how many changes there are at most of which some are drawn.
const mostDrawn = 16

// someKept draws what a rank that fails keeps of so many changes: often nothing.
func someKept(random *rand.Rand, changes int) faults.Group {
	if changes == 0 {
		return ""
	}
	switch random.IntN(8) {
	case 0:
		return faults.Others
	case 1, 2:
		return faults.GroupOf(members(1 + random.UintN(1<<min(changes, mostDrawn)-1))...)
	}
	return ""
}

// keptSizes is how many values keptSize has.
const keptSizes = 16

// keptSize orders sets of changes that are kept: nothing before few before many before all.
func keptSize(kept faults.Group) int {
	if kept == faults.Others {
		return keptSizes - 1
	}
	return min(kept.Size(), keptSizes-2)
}

// fewerKept lists nothing, each of the changes alone, all but each, those of the first few that there may be, and all that are kept.
func fewerKept(kept faults.Group) []faults.Group {
	all := []faults.Group{""}
	switch first := kept.First(keptSizes); {
	case kept == "":
		return all
	case kept == faults.Others:
		all = append(all, "1", "2", "1-2")
	case kept.Size() > 1:
		for _, change := range first {
			all = append(all, faults.GroupOf(change))
		}
		if kept.Size() > len(first) {
			all = append(all, faults.GroupOf(first[:keptSizes/2]...))
			break
		}
		for i := range first {
			if len(first) > 2 {
				all = append(all, faults.GroupOf(slices.Delete(slices.Clone(first), i, i+1)...))
			}
		}
	}
	return append(all, kept)
}
