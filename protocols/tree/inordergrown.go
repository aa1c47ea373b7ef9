package tree

import (
	"sort"

	"github.com/mangrove-emu/mangrove/clock"
)

// inOrderGrown numbers a growth depth first. Up to the end of the ranks it is
// T_t = T_(t-step) • T_(t-delay) for the least t that gives enough of them: a rank keeps the
// numbers after its own for later children and sends first to the one behind these, who
// has the largest subtree. Children that would stand beyond the last rank do not exist and
// cost no time.
type inOrderGrown struct {
	*growth
	// below has, by phase and slot, the number of ranks in the subtrees of one child in
	// that wave and of one in each later wave of the phase: all that a rank reaches whose
	// first child is in that wave.
	below [][]int32
}

func newInOrderGrown(g *growth) *inOrderGrown {
	below := foldBack(g, func(child, later int32) int32 { return 1 + child + later })
	return &inOrderGrown{g, below}
}

// foldBack computes, from the last wave to the first, a value for what a rank reaches
// whose first child is in a wave: from what that child reaches and what the rank reaches
// after it. Nobody gives the zero value, which also stands at the end of each phase.
func foldBack[T any](g *growth, join func(child, later T) T) [][]T {
	folded := make([][]T, len(g.phases))
	for phase, waves := range g.phases {
		folded[phase] = make([]T, len(waves)+1)
	}
	for i := len(g.places) - 1; i > 0; i-- {
		w := g.place(i)
		folded[w.phase][w.slot] = join(at(folded, g.targets(w)), folded[w.phase][w.slot+1])
	}
	return folded
}

// at is a folded value, or that for nobody if the wave comes too late to be listed.
func at[T any](folded [][]T, w place) (value T) {
	if w.phase < len(folded) && w.slot < len(folded[w.phase]) {
		value = folded[w.phase][w.slot]
	}
	return value
}

// Child counts from the first child that exists.
func (t *inOrderGrown) Child(rank, i int) (int, bool) {
	to := t.firstChild(rank, t.find(rank).place)
	if to.phase >= len(t.below) || i >= len(t.below[to.phase])-1-to.slot {
		return 0, false
	}
	return t.child(rank, place{to.phase, to.slot + i}), true
}

// firstChild is the wave of the first child of rank, who is in wave w, that exists.
func (t *inOrderGrown) firstChild(rank int, w place) place {
	return t.lastBefore(rank, t.targets(w), t.ranks-1)
}

// lastBefore is the wave, from first on, of the last child of rank that is at most limit.
func (t *inOrderGrown) lastBefore(rank int, first place, limit int) place {
	if first.phase >= len(t.below) || first.slot >= len(t.below[first.phase]) {
		return first
	}
	later := t.below[first.phase][first.slot+1:]
	skip := sort.Search(len(later), func(i int) bool { return rank+1+int(later[i]) <= limit })
	return place{first.phase, first.slot + skip}
}

// child is the child of rank in a wave: behind all that rank reaches later.
func (t *inOrderGrown) child(rank int, w place) int {
	return rank + 1 + int(t.below[w.phase][w.slot+1])
}

// Parent is the last rank before this one on the way down.
func (t *inOrderGrown) Parent(rank int) (int, bool) { return t.find(rank).parent, rank != 0 }

// Depth is the length of the way down.
func (t *inOrderGrown) Depth(rank int) int { return t.find(rank).depth }

// grownSpot is what the way from the root to a rank tells about the rank.
type grownSpot struct {
	place
	depth, parent int
}

// find goes down to a rank, one message a step. That is a long way only if the step is so
// much longer than the delay that the tree is close to a chain.
func (t *inOrderGrown) find(rank int) grownSpot {
	var spot grownSpot
	for here := 0; here < rank; spot.depth++ {
		spot.place = t.lastBefore(here, t.targets(spot.place), rank)
		spot.parent = here
		here = t.child(here, spot.place)
	}
	return spot
}

// Latency goes down the edge of the tree, from each rank to its first child. All other
// children on that edge have whole subtrees.
func (t *inOrderGrown) Latency(p clock.LogP) clock.Time {
	spacing, delivery := p.Costs().Spacing, p.Delivery()
	below := foldBack(t.growth, func(child, later clock.Time) clock.Time {
		return max(delivery+child, wait(spacing, later))
	})
	var latest, reached clock.Time
	for rank, w := 0, (place{}); ; {
		w = t.firstChild(rank, w)
		if at(t.below, w) == 0 {
			return latest
		}
		latest = max(latest, reached+wait(spacing, at(below, place{w.phase, w.slot + 1})))
		reached += delivery
		latest = max(latest, reached)
		rank = t.child(rank, w)
	}
}

// wait is the latency of later children, if there are any.
func wait(spacing, later clock.Time) clock.Time {
	if later == 0 {
		return 0
	}
	return spacing + later
}
