package guarantee

import (
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// Guarantee is a promise of a protocol that can be checked after a run.
type Guarantee interface {
	// Name is the promise in a few words.
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

// Verdict is what became of a guarantee in a run.
type Verdict struct {
	Name     string `json:"name"`
	Held     bool   `json:"held"`
	Evidence string `json:"evidence"` // which rank, when and why
	// NotClaimed says that nothing was promised in such a run: it held for want of a claim.
	NotClaimed bool `json:"-"`
}

// NothingPromised reports whether one of the guarantees held only because it promises nothing
// in such a run: more ranks failed than it stands, for example, or links were cut.
func NothingPromised(all []Verdict) bool {
	return slices.ContainsFunc(all, func(v Verdict) bool { return v.NotClaimed })
}

// Broken returns the verdicts that did not hold.
func Broken(all []Verdict) []Verdict {
	var broken []Verdict
	for _, v := range all {
		if !v.Held {
			broken = append(broken, v)
		}
	}
	return broken
}

// Check checks all guarantees. Those that need events are left out if there are none.
func Check(run Run, all ...Guarantee) []Verdict {
	verdicts := slices.Grow([]Verdict(nil), len(all)) // nil if there is nothing to check
	for _, g := range all {
		if !g.NeedsEvents() || run.Report.Events != nil {
			verdicts = append(verdicts, g.Check(run))
		}
	}
	return verdicts
}
