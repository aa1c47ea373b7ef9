package faults

import (
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Expand replaces each Count and Rate item by explicit items, in ascending order of rank,
// for the ranks it draws; one on links by one item with all of them on the left side, or by none if
// that or the other side would be empty. Spared ranks, such as the root of a broadcast, are
// never drawn; explicit items may still name them. Rejoins draw from the ranks that items
// before them let crash or hang, spared or not. The error lists everything that
// [Schedule.Validate] does, spared ranks that do not exist, and draws of more ranks than
// there are to draw from.
//
// The result is a function of the arguments. An item's draw depends on its position in
// the schedule and not on the other items, save that of a rejoin on those before it. So more
// items at the end change nothing before them. Where two items come to the same fault of the
// same rank, the result has it once.
func (s Schedule) Expand(ranks int, seed uint64, spare ...int) (Schedule, error) {
	spared := slices.Compact(slices.Sorted(slices.Values(spare)))
	wrong := s.problems(ranks)
	if ranks > 0 {
		wrong = append(wrong, s.drawProblems(ranks, spared)...)
	}
	if err := wrong.Err("faults"); err != nil {
		return nil, err
	}
	return s.expand(ranks, seed, spared)
}

// drawProblems lists what is wrong with the spared ranks and, once these are right, with
// the draws from the other ranks.
func (s Schedule) drawProblems(ranks int, spared []int) (wrong problems.List) {
	for _, rank := range spared {
		if all := rankSpan(ranks); !all.has(int64(rank)) {
			wrong.Add("spared %w", all.problem(int64(rank)))
		}
	}
	if wrong != nil {
		return wrong
	}
	free := ranks - len(spared)
	for _, f := range s {
		if f.Select == Count && f.Kind != Rejoin && f.Number > free && f.numberSpan(ranks).has(int64(f.Number)) {
			wrong.Add("%s: %d ranks to draw, want at most the %d that are not spared", f, f.Number, free)
		}
	}
	return wrong
}

// expand does the work of Expand once all is known to be right that can be known before.
func (s Schedule) expand(ranks int, seed uint64, spared []int) (Schedule, error) {
	var expanded Schedule
	var wrong problems.List
	for i, f := range s {
		random := stream(seed, i)
		switch {
		case f.Select == One:
			expanded = append(expanded, f)
		case f.Kind == Rejoin:
			expanded = f.appendEach(expanded, f.drawOf(expanded.stopped(), random, &wrong))
		case f.OfLinks():
			if drawn := f.drawFree(ranks, spared, random); len(drawn) > 0 && len(drawn) < ranks {
				expanded = append(expanded, f.off(drawn))
			}
		default:
			expanded = f.appendEach(expanded, f.drawFree(ranks, spared, random))
		}
	}
	if err := wrong.Err("faults"); err != nil {
		return nil, err
	}
	if len(s) < 2 || s.Explicit() {
		return expanded, nil // one draw has no repeats, and Validate has refused others
	}
	return withoutRepeats(expanded), nil
}

// appendEach adds the same fault for each of these ranks.
func (f Fault) appendEach(s Schedule, ranks []int) Schedule {
	s = slices.Grow(s, len(ranks))
	for _, rank := range ranks {
		s = append(s, f.on(rank))
	}
	return s
}

// drawFree draws from the ranks that are not spared.
func (f Fault) drawFree(ranks int, spared []int, random *rand.Rand) []int {
	drawn := f.draw(ranks-len(spared), random)
	skipSpared(drawn, spared)
	return drawn
}

// drawOf draws from the given ranks, if there are enough.
func (f Fault) drawOf(ranks []int, random *rand.Rand, wrong *problems.List) []int {
	if f.Select == Count && f.Number > len(ranks) {
		tooFew(wrong, &f, len(ranks))
		return nil
	}
	drawn := f.draw(len(ranks), random)
	for i, place := range drawn {
		drawn[i] = ranks[place]
	}
	return drawn
}

// draw returns the drawn places, ascending, in a line of so many ranks.
func (f Fault) draw(ranks int, random *rand.Rand) []int {
	if f.Select == Count {
		return drawCount(f.Number, ranks, random)
	}
	return drawRate(f.Rate, ranks, random)
}

// skipSpared turns places in the line of the ranks that are not spared into ranks. Both
// lists are ascending.
func skipSpared(places, spared []int) {
	passed := 0
	for i, place := range places {
		for passed < len(spared) && spared[passed] <= place+passed {
			passed++
		}
		places[i] = place + passed
	}
}

// withoutRepeats keeps the first of equal faults.
func withoutRepeats(s Schedule) Schedule {
	seen := make(map[Fault]struct{}, len(s))
	return slices.DeleteFunc(s, func(f Fault) bool {
		_, repeated := seen[f]
		seen[f] = struct{}{}
		return repeated
	})
}
