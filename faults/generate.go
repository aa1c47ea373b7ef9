package faults

import (
	"math/rand/v2"
	"slices"
)

// UniformRanks returns a schedule in which k ranks, drawn uniformly without replacement,
// fail in the same way. It expands one Count item; for slow-downs, which need a factor,
// expand a schedule.
func UniformRanks(kind Kind, k int, at Point, ranks int, seed uint64, spare ...int) (Schedule, error) {
	return Schedule{{Kind: kind, Select: Count, Number: k, At: at}}.Expand(ranks, seed, spare...)
}

// RateOfRanks returns a schedule in which every rank fails in the same way with the given
// probability, independently of the others. It expands one Rate item; for slow-downs,
// which need a factor, expand a schedule.
func RateOfRanks(kind Kind, rate Percent, at Point, ranks int, seed uint64, spare ...int) (Schedule, error) {
	return Schedule{{Kind: kind, Select: Rate, Rate: rate, At: at}}.Expand(ranks, seed, spare...)
}

// Expand replaces each Count and Rate item by explicit items, in ascending order of rank,
// for the ranks it draws. Spared ranks, such as the root of a broadcast, are never drawn;
// explicit items may still name them. The error lists everything that [Schedule.Validate]
// does, spared ranks that do not exist, and draws of more ranks than are not spared.
//
// The result is a function of the arguments. An item's draw depends on its position in
// the schedule and not on the other items, so more items at the end change nothing before
// them. Where two items come to the same fault of the same rank, the result has it once.
func (s Schedule) Expand(ranks int, seed uint64, spare ...int) (Schedule, error) {
	spared := slices.Compact(slices.Sorted(slices.Values(spare)))
	wrong := s.problems(ranks)
	if ranks > 0 {
		wrong = append(wrong, s.drawProblems(ranks, spared)...)
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	return s.expand(ranks-len(spared), seed, spared), nil
}

// drawProblems lists what is wrong with the spared ranks and, once these are right, with
// the draws from the other ranks.
func (s Schedule) drawProblems(ranks int, spared []int) problems {
	var wrong problems
	for _, rank := range spared {
		if all := rankSpan(ranks); !all.has(int64(rank)) {
			wrong.add("spared %s", all.problem(int64(rank)))
		}
	}
	if wrong != nil {
		return wrong
	}
	free := ranks - len(spared)
	for _, f := range s {
		if f.Select == Count && f.Number > free && f.Number <= ranks {
			wrong.add("%s: %d ranks to draw, want at most the %d that are not spared", f, f.Number, free)
		}
	}
	return wrong
}

// expand does the work of Expand once all is known to be right.
func (s Schedule) expand(free int, seed uint64, spared []int) Schedule {
	var expanded Schedule
	for i, f := range s {
		if f.Select == One {
			expanded = append(expanded, f)
			continue
		}
		drawn := f.draw(free, stream(seed, i))
		skipSpared(drawn, spared)
		expanded = slices.Grow(expanded, len(drawn))
		for _, rank := range drawn {
			expanded = append(expanded, f.on(rank))
		}
	}
	if len(s) < 2 || s.Explicit() {
		return expanded // one draw has no repeats, and Validate has refused others
	}
	return withoutRepeats(expanded)
}

// draw returns the drawn places, ascending, in the line of the ranks that are not spared.
func (f Fault) draw(free int, random *rand.Rand) []int {
	if f.Select == Count {
		return drawCount(f.Number, free, random)
	}
	return drawRate(f.Rate, free, random)
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
