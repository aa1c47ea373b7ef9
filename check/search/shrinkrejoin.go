package search

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// withoutOrphans leaves out rejoins of ranks that nothing lets fail any more. They have no
// effect, so that dropping a failure is dropping its rejoins, too.
func withoutOrphans(s faults.Schedule) faults.Schedule {
	return slices.DeleteFunc(s, func(back faults.Fault) bool {
		return back.Kind == faults.Rejoin && !slices.ContainsFunc(s, func(f faults.Fault) bool {
			return f.Kind.Stops() && f.Rank == back.Rank
		})
	})
}

// replaced is a schedule with another fault in the place of one. If it is one of another, smaller
// rank, all that happens to the rank moves there: a rejoin without its failure would have no
// effect. Cuts and what happens on links have no rank: where one message of a rank takes their place, nothing moves.
func replaced(s faults.Schedule, i int, f faults.Fault) faults.Schedule {
	from := s[i].Rank
	s = slices.Clone(s)
	s[i] = f
	for k := range s {
		if f.Rank < from && s[k].Rank == from {
			s[k].Rank = f.Rank
		}
	}
	return s
}

// earlier lists the same fault at smaller times, the smallest first.
func earlier(f faults.Fault) []faults.Fault {
	var all []faults.Fault
	least := clock.Time(0)
	if f.Kind == faults.Rejoin {
		least = 1
	}
	for _, t := range []clock.Time{least, f.At.Time / 2, f.At.Time - f.At.Time/4} {
		if g := f; t >= least && t < f.At.Time {
			g.At.Time = t
			all = append(all, g)
		}
	}
	return all
}
