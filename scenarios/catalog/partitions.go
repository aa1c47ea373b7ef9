package catalog

import (
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// partitions splits ranks into the groups between which no message passes at the end of a run.
// It says no if the cuts leave no clear groups: two ranks of one group that cannot talk to each
// other, though both can talk to a third.
func partitions(rep *report.Report, ranks []int) (groups [][]int, clear bool) {
	cuts := lastingCuts(rep)
	places := make(map[string]int) // of the groups, by the sides that their first ranks are on
	for _, rank := range ranks {
		sides := sidesOf(cuts, rank)
		place, known := places[sides]
		if !known {
			place = groupOf(places, sides, len(groups))
			places[sides] = place
		}
		if place == len(groups) {
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], rank)
	}
	return groups, areClear(places)
}

// lastingCuts returns the sides of the cuts that took effect.
func lastingCuts(rep *report.Report) (cuts [][]uint8) {
	for f := range rep.Fired() {
		if f.Kind == faults.Cut {
			cuts = append(cuts, f.Sides(len(rep.Ranks)))
		}
	}
	return cuts
}

// sidesOf is on which sides of all cuts a rank is. Ranks with the same sides are in the same
// position; there are few different ones.
func sidesOf(cuts [][]uint8, rank int) string {
	sides := make([]byte, len(cuts))
	for i := range cuts {
		sides[i] = cuts[i][rank]
	}
	return string(sides)
}

// groupOf is the first group whose ranks can talk to those on these sides, or a new one.
func groupOf(places map[string]int, sides string, next int) int {
	for other, place := range places {
		if connected(sides, other) {
			next = min(next, place)
		}
	}
	return next
}

// connected reports whether ranks on these sides can talk to each other.
func connected(a, b string) bool {
	for i := range len(a) {
		if a[i] != b[i] && a[i] != 0 && b[i] != 0 {
			return false
		}
	}
	return true
}

// areClear reports whether all within a group are connected, and nobody with another group.
func areClear(places map[string]int) bool {
	for a, place := range places {
		for b, other := range places {
			if connected(a, b) != (place == other) {
				return false
			}
		}
	}
	return true
}
