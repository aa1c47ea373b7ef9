package search

import (
	"math/rand/v2"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// cut cuts off one rank, or about half of all.
func (d *drawer) cut(random *rand.Rand) faults.Fault {
	at := clock.Time(random.Int64N(int64(d.quiescence) + 2))
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
