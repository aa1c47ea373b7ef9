package guarantee

import (
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// Guarantee is something that must hold of a run, and can be checked after it.
type Guarantee interface {
	// Name says what must hold, in a few words.
	Name() string
	// Check decides whether a run kept it.
	Check(run Run) Verdict
	// NeedsEvents reports whether Check looks at the events of the run, which are recorded
	// only if the machine is asked to.
	NeedsEvents() bool
}

// Run is what a guarantee is checked against.
type Run struct {
	Report *report.Report
	// Roots are the ranks that begin. Most protocols promise less if one of them fails.
	Roots []int
}

// Check checks all guarantees. Those that need events are left out if there are none.
func Check(run Run, all ...Guarantee) []Verdict {
	verdicts := slices.Grow([]Verdict(nil), len(all)) // nil if there is nothing to check
	for _, g := range all {
		if !g.NeedsEvents() || run.Report.Events != nil {
			verdicts = append(verdicts, PromiseOf(g).Check(run))
		}
	}
	return verdicts
}
