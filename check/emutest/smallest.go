package emutest

import (
	"context"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
)

// shrinkRuns is how many runs it may cost to make a schedule smaller.
const shrinkRuns = 1500

// smallest reports each broken promise once, or twice if it is broken also beyond what is claimed: with the first
// schedule that does so, made smaller. A promise that such a schedule breaks along with another needs none of its own.
func (s *hunt) smallest(ctx context.Context, found []finding) ([]Violation, error) {
	counts := make(map[string]int64)
	for _, f := range found {
		for _, verdict := range f.Broken {
			counts[search.Class(verdict)] += f.Count
		}
	}
	var all []Violation
	reported := make(map[string]bool)
	for i, f := range found {
		if f.file != "" { // each file is to be mended, and is as small as could be
			all = append(all, Violation{Schedule: f.Schedule, Seed: f.Seed, Broken: f.Broken, Runs: 1, file: f.file})
			continue
		}
		for _, verdict := range f.Broken {
			class := search.Class(verdict)
			if reported[class] {
				continue
			}
			small, err := s.smallestOf(ctx, found[i:], class)
			if err != nil {
				return all, err
			}
			small.Runs = counts[class]
			all = append(all, small)
			for _, broken := range small.Broken {
				reported[search.Class(broken)] = true
			}
		}
	}
	return all, nil
}

// few is how many faults are few enough, and attempts how many of the schedules that were found are made smaller to get there: one that breaks other promises, too, may
// become the smaller one.
const (
	few      = 2
	attempts = 4
)

// smallestOf is the smallest schedule that breaks a promise of that class, of the first ones found that do so.
func (s *hunt) smallestOf(ctx context.Context, found []finding, class string) (best Violation, err error) {
	tried := 0
	for _, f := range found {
		if f.file != "" || !slices.ContainsFunc(f.Broken, func(v guarantee.Verdict) bool { return search.Class(v) == class }) {
			continue
		}
		for _, other := range append([]search.Found{{Schedule: f.Schedule, Seed: f.Seed}}, f.Others...) {
			f.Schedule, f.Seed = other.Schedule, other.Seed
			small, err := s.shrink(ctx, f, class)
			if err != nil {
				return best, err
			}
			if tried == 0 || len(small.Schedule) < len(best.Schedule) {
				best = small
			}
			if tried++; len(best.Schedule) <= few || tried == attempts || len(s.Given) > 0 {
				return best, nil
			}
		}
	}
	return best, nil
}

// shrink makes the schedule smaller that was found to break a promise of that class.
func (s *hunt) shrink(ctx context.Context, found finding, class string) (Violation, error) {
	v := Violation{Schedule: found.Schedule, Seed: found.Seed, Broken: slices.Clone(found.Broken), listed: found.listed}
	// What is given belongs to the test: without a rank that comes back a schedule might break the same, for another reason. Explorations find
	// schedules of few faults first.
	if len(s.Given) == 0 && (len(found.Schedule) > 0 || found.Seed != s.Seed) {
		small, err := search.ShrinkFound(ctx, s.subject(), found.Violation, search.Breaks(class), shrinkRuns)
		if err != nil {
			return v, err
		}
		v.Schedule, v.Seed, v.Broken = small.Schedule, small.Seed, small.Broken
	}
	first := slices.IndexFunc(v.Broken, func(b guarantee.Verdict) bool { return search.Class(b) == class })
	v.Broken[0], v.Broken[first] = v.Broken[first], v.Broken[0]
	return v, nil
}
