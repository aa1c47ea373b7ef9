package main

import (
	"context"
	"errors"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios"
)

var errFaultsTyped = errors.New("faults=: the faults are what is searched for; want --max-faults for how many")

// smallest makes the lines of violations smaller, with so many runs each, and reports whether
// it has done so. Those that become the same are counted together. What cannot be made
// smaller, as it does not happen again or there is no time, stays as it was found; so do runs
// that are not the same each time, of which a smaller one would prove nothing.
func (a *app) smallest(ctx context.Context, all []violation, runs int) (list []violation, done bool) {
	list = []violation{}
	for _, v := range all {
		if runs > 0 && !v.Check && ctx.Err() == nil {
			done = true
			a.shrinkViolation(ctx, &v, runs)
		}
		same := slices.IndexFunc(list, func(other violation) bool { return other.Line == v.Line && other.Check == v.Check })
		if same >= 0 {
			list[same].Count += v.Count
			continue
		}
		list = append(list, v)
	}
	return list, done
}

func (a *app) shrinkViolation(ctx context.Context, v *violation, runs int) {
	run, err := a.registry.ParseLine(v.Found)
	if err != nil {
		return
	}
	small, _ := run.Shrink(ctx, scenarios.ShrinkOptions{Runs: runs})
	if len(small.Broken) > 0 {
		v.Line, v.Broken = small.Line, small.Broken
	}
}
