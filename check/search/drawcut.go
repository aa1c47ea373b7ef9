package search

import (
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
)

// cut cuts off one rank, or about half of all; where links are mended, also one way.
func (d *drawer) cut(random *rand.Rand) faults.Fault {
	at := d.instant(random)
	off := []int{pick(random, d.ranks)}
	if random.IntN(2) == 0 {
		if half := d.half(random); len(half) > 0 && len(half) < len(d.lives) && (len(half) > 1 || slices.Contains(d.ranks, half[0])) {
			off = half
		}
	}
	cut := faults.CutBetween(faults.GroupOf(off...), faults.Others, at)
	if !slices.Contains(d.options.Kinds, faults.Mend) {
		return cut // what a seed draws of the other kinds stays what it is
	}
	switch random.IntN(6) {
	case 0:
		return faults.CutOneWay(cut.Left, cut.Right, at)
	case 1:
		return faults.CutOneWay(cut.Right, cut.Left, at)
	}
	return cut
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
