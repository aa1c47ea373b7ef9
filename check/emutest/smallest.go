package emutest

import (
	"context"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
)

// shrinkRuns is how many runs it may cost to make a schedule smaller.
const shrinkRuns = 400

// smallest reports each broken promise once: with the first class that breaks it, made
// smaller. A promise that such a schedule breaks along with another needs none of its own.
func (s *hunt) smallest(ctx context.Context, classes []search.Violation) ([]Violation, error) {
	counts := make(map[string]int64)
	for _, class := range classes {
		for _, verdict := range class.Broken {
			counts[verdict.Name] += class.Count
		}
	}
	var all []Violation
	reported := make(map[string]bool)
	for _, class := range classes {
		for _, verdict := range class.Broken {
			if reported[verdict.Name] {
				continue
			}
			small, err := s.shrink(ctx, class, verdict.Name)
			if err != nil {
				return all, err
			}
			small.Runs = counts[verdict.Name]
			all = append(all, small)
			for _, broken := range small.Broken {
				reported[broken.Name] = true
			}
		}
	}
	return all, nil
}

// shrink makes the schedule of a class smaller that breaks the promise of that name.
func (s *hunt) shrink(ctx context.Context, class search.Violation, name string) (Violation, error) {
	v := Violation{Schedule: class.Schedule, Broken: slices.Clone(class.Broken)}
	if len(class.Schedule) > 0 {
		small, err := search.Shrink(ctx, s.subject(), class.Schedule, search.Breaks(name), shrinkRuns)
		if err != nil {
			return v, err
		}
		v.Schedule, v.Broken = small.Schedule, small.Broken
	}
	first := slices.IndexFunc(v.Broken, func(b guarantee.Verdict) bool { return b.Name == name })
	v.Broken[0], v.Broken[first] = v.Broken[first], v.Broken[0]
	return v, nil
}
