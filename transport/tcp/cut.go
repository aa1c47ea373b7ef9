package tcp

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// cut is a cut of links. Nothing is done to connections: what would go over a cut link is thrown
// away by its sender.
type cut struct {
	from  clock.Time
	sides []uint8 // by rank: 1, 2, or 0 for neither
}

func cutsOf(schedule faults.Schedule, ranks int) (all []cut) {
	for _, f := range schedule {
		if f.Kind == faults.Cut {
			all = append(all, cut{f.At.Time, f.Sides(ranks)})
		}
	}
	return all
}

// severed reports whether a message that leaves its sender at t does not get through.
func severed(cuts []cut, from, to int, t clock.Time) bool {
	for _, c := range cuts {
		if a, b := c.sides[from], c.sides[to]; c.from <= t && a != 0 && b != 0 && a != b {
			return true
		}
	}
	return false
}
