package search

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
)

// A rank that comes back finds what was safe, and of its later changes those that the schedule keeps. What it finds is what
// matters: two sets of changes that leave the same values are the same.

// mostKept is up to how many changes that are not safe every set of them is tried. Of more, there are: the first one, the
// last one, all but either, and all.
const mostKept = 3

// keptOf lists what may be kept of changes to these records, besides nothing. Sets that leave the same are listed once.
func keptOf(changed []string) []faults.Group {
	n := len(changed)
	var sets [][]int
	if n <= mostKept {
		for set := uint(1); set < 1<<n; set++ {
			sets = append(sets, members(set))
		}
		slices.SortStableFunc(sets, func(a, b []int) int { return len(a) - len(b) })
	} else {
		every := make([]int, n)
		for i := range every {
			every[i] = i + 1
		}
		sets = [][]int{{1}, {n}, every[:n-1], every[1:], every}
	}
	var all []faults.Group
	var left []map[string]int
	for _, set := range sets {
		leaves := make(map[string]int)
		for _, change := range set {
			leaves[changed[change-1]] = change
		}
		if !slices.ContainsFunc(left, func(other map[string]int) bool { return sameLeft(leaves, other) }) {
			left, all = append(left, leaves), append(all, faults.GroupOf(set...))
		}
	}
	return all
}

// sameLeft reports whether each record has its value of the same change.
func sameLeft(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for name, change := range a {
		if b[name] != change {
			return false
		}
	}
	return true
}

// members are the changes of a set, from 1.
func members(set uint) (all []int) {
	for ; set != 0; set &= set - 1 {
		all = append(all, bits.TrailingZeros(set)+1)
	}
	return all
}

// someKept draws what a rank that fails keeps: often nothing.
func someKept(random *rand.Rand) faults.Group {
	switch random.IntN(8) {
	case 0:
		return faults.Others
	case 1, 2:
		return faults.GroupOf(members(1 + random.UintN(15))...)
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

// fewerKept lists nothing, each of the changes alone, and all that are kept.
func fewerKept(kept faults.Group) []faults.Group {
	all := []faults.Group{""}
	switch {
	case kept == "":
		return all
	case kept == faults.Others:
		all = append(all, "1", "2", "1-2")
	case kept.Size() > 1:
		for _, change := range kept.First(keptSizes) {
			all = append(all, faults.GroupOf(change))
		}
	}
	return append(all, kept)
}
