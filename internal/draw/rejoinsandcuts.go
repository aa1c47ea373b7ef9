package draw

import (
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Rejoins lets some of the ranks come back that these faults let fail. Not all of them will
// have failed by then.
func (p Points) Rejoins(t *rapid.T, failures faults.Schedule) faults.Schedule {
	var s faults.Schedule
	seen := make(map[faults.Fault]bool)
	for _, f := range failures {
		if !f.Kind.Stops() || !rapid.Bool().Draw(t, "comes back") {
			continue
		}
		back := faults.Fault{Kind: faults.Rejoin, Rank: f.Rank, At: faults.OnTime(Ticks(t, "back at", 1, max(1, int(p.Until))))}
		if !seen[back] {
			s = append(s, back)
		}
		seen[back] = true
	}
	return s
}

// Cuts parts ranks from each other, at most twice: each is on one of two sides or on neither.
func (p Points) Cuts(t *rapid.T, ranks int) faults.Schedule {
	var s faults.Schedule
	for range rapid.IntRange(0, 2).Draw(t, "cuts") {
		sides := rapid.SliceOfN(rapid.IntRange(0, 2), ranks, ranks).Draw(t, "sides")
		at := Ticks(t, "cut at", 0, int(p.Until))
		if f, parted := cut(sides, at); parted && (len(s) == 0 || s[0] != f) {
			s = append(s, f)
		}
	}
	return s
}

// cut is between the ranks of sides 1 and 2, if both have any.
func cut(sides []int, at clock.Time) (f faults.Fault, parted bool) {
	var ranks [3][]int
	for rank, side := range sides {
		ranks[side] = append(ranks[side], rank)
	}
	left, right := faults.GroupOf(ranks[1]...), faults.GroupOf(ranks[2]...)
	if len(ranks[0]) == 0 {
		right = faults.Others
	}
	return faults.CutBetween(left, right, at), len(ranks[1]) > 0 && len(ranks[2]) > 0
}
