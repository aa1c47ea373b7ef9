package search

import (
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// What comes from outside, rejoins and cuts, is drawn in other ways than what happens to a
// rank in its program.

// checkKinds refuses kinds that cannot be drawn.
func (o *FuzzOptions) checkKinds(ranks int) error {
	if slices.Contains(o.Kinds, faults.Rejoin) && !slices.ContainsFunc(o.Kinds, faults.Kind.Stops) {
		return errors.New("search: rejoins without failures, want crash or hang among the kinds: nobody else comes back")
	}
	if slices.Contains(o.Kinds, faults.Cut) && ranks < 2 {
		return errors.New("search: cuts on one rank, want two or more: nobody else is there to be cut off from")
	}
	return nil
}

// rejoin lets a rank come back that an earlier fault of the schedule lets fail, some time
// between then and the end. It is not ok if there is no such fault.
func (d *drawer) rejoin(random *rand.Rand, s faults.Schedule) (f faults.Fault, ok bool) {
	failures := slices.DeleteFunc(slices.Clone(s), func(f faults.Fault) bool { return !f.Kind.Stops() })
	if len(failures) == 0 {
		return f, false
	}
	failure := pick(random, failures)
	first := d.when(failure) + 1
	last := max(first, d.quiet+1)
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

// cut cuts off one rank, or about half of all.
func (d *drawer) cut(random *rand.Rand) faults.Fault {
	at := clock.Time(random.Int64N(int64(d.quiet) + 2))
	off := []int{pick(random, d.ranks)}
	if random.IntN(2) == 0 {
		if half := d.half(random); len(half) > 0 && len(half) < len(d.lives) {
			off = half
		}
	}
	return faults.CutBetween(faults.GroupOf(off...), faults.Others, at)
}

// half draws each rank with probability one half. Roots are among them: they do not fail.
func (d *drawer) half(random *rand.Rand) []int {
	var ranks []int
	for rank := range d.lives {
		if random.IntN(2) == 0 {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}
