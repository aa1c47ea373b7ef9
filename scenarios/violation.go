package scenarios

import (
	"context"
	"slices"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
)

// Violation is one that a search has found, with the line that shows it.
type Violation struct {
	Line   string              `json:"line"`
	Found  string              `json:"found"`           // the line before it was made smaller
	Count  int64               `json:"count"`           // runs
	Check  bool                `json:"check,omitempty"` // it takes two runs to see it: they are not the same
	Broken []guarantee.Verdict `json:"broken"`
	Why    *cause.Explanation  `json:"why,omitempty"` // if asked for, see [Run.ExplainAll]
}

// Violations puts what a search has found into lines.
func (r *Run) Violations(found []search.Violation) []Violation {
	list := []Violation{}
	for _, v := range found {
		line := r.withSeed(v.Seed).WithFaults(v.Schedule)
		differs := slices.ContainsFunc(v.Broken, func(g guarantee.Verdict) bool { return g.Name == search.Repeats })
		list = append(list, Violation{Line: line, Found: line, Count: v.Count, Check: differs, Broken: v.Broken})
	}
	return list
}

// ShrinkAll makes the lines of violations smaller, with so many runs each, and reports whether
// it has done so. Those that become the same are counted together. What cannot be made
// smaller, as it does not happen again or there is no time, stays as it was found; so do runs
// that are not the same each time, of which a smaller one would prove nothing.
func (r *Run) ShrinkAll(ctx context.Context, all []Violation, runs int) (list []Violation, done bool) {
	list = []Violation{}
	for _, v := range all {
		if runs > 0 && !v.Check && ctx.Err() == nil {
			done = true
			r.shrinkViolation(ctx, &v, runs)
		}
		same := slices.IndexFunc(list, func(other Violation) bool { return other.Line == v.Line && other.Check == v.Check })
		if same >= 0 {
			list[same].Count += v.Count
			continue
		}
		list = append(list, v)
	}
	return list, done
}

func (r *Run) shrinkViolation(ctx context.Context, v *Violation, runs int) {
	found, err := r.protocol.ParseLine(v.Found)
	if err != nil {
		return
	}
	small, _ := found.Shrink(ctx, ShrinkOptions{Runs: runs})
	if len(small.Broken) > 0 {
		v.Line, v.Broken = small.Line, small.Broken
	}
}
