package search

import (
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// rejoin lets a rank come back that an earlier fault of the schedule lets fail, some time
// between then and the end. It is not ok if there is no such fault.
func (d *drawer) rejoin(random *rand.Rand, s faults.Schedule) (f faults.Fault, ok bool) {
	failures := slices.DeleteFunc(slices.Clone(s), func(f faults.Fault) bool { return !f.Kind.Stops() })
	if len(failures) == 0 {
		return f, false
	}
	failure := pick(random, failures)
	first := d.when(failure) + 1
	last := max(first, d.quiescence+1)
	back := first + clock.Time(random.Int64N(int64(last-first)+1))
	return faults.Fault{Kind: faults.Rejoin, Rank: failure.Rank, At: faults.OnTime(back)}, true
}

// when is the time of a fault in the run without faults; 0 if that does not get to its point.
func (d *drawer) when(f faults.Fault) clock.Time {
	if f.At.Anchor == faults.AtTime {
		return f.At.Time
	}
	for _, p := range d.lives[f.Rank].pieces {
		if i := slices.Index(p.points, f.At); i >= 0 {
			return p.times[i]
		}
	}
	return 0
}
