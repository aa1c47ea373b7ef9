package guarantee

import (
	"slices"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// partitions splits ranks into the groups between which no message passes at the end of a run.
// It says no if the cuts leave no clear groups: two ranks of one group that cannot talk to each
// other, though both can talk to a third.
func partitions(rep *emu.Report, ranks []int) (groups [][]int, clear bool) {
	cuts := lastingCuts(rep)
	if len(ranks) == 0 {
		return nil, true
	}
	if len(cuts) == 0 {
		return [][]int{ranks}, true
	}
	for _, rank := range ranks {
		i := slices.IndexFunc(groups, func(group []int) bool { return connected(cuts, rank, group[0]) })
		if i < 0 {
			groups = append(groups, []int{rank})
		} else {
			groups[i] = append(groups[i], rank)
		}
	}
	return groups, areClear(cuts, groups)
}

// lastingCuts returns the sides of the cuts that took effect.
func lastingCuts(rep *emu.Report) (cuts [][]uint8) {
	for _, f := range rep.Faults {
		if f.Kind == faults.Cut && !slices.Contains(rep.Unfired, f) {
			cuts = append(cuts, f.Sides(len(rep.Ranks)))
		}
	}
	return cuts
}

// connected reports whether two ranks can talk to each other.
func connected(cuts [][]uint8, a, b int) bool {
	for _, side := range cuts {
		if side[a] != side[b] && side[a] != 0 && side[b] != 0 {
			return false
		}
	}
	return true
}

// areClear reports whether all within a group are connected, and nobody with another group.
func areClear(cuts [][]uint8, groups [][]int) bool {
	for i, group := range groups {
		for _, a := range group {
			for j, other := range groups {
				for _, b := range other {
					if connected(cuts, a, b) != (i == j) {
						return false
					}
				}
			}
		}
	}
	return true
}
