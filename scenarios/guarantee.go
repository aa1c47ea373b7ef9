package scenarios

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// Guarantee is a promise of a protocol, and whether a run kept it.
type Guarantee = guarantee.Verdict

// check decides about all guarantees of the experiment. Whoever says nothing about deadlocks
// promises that there are none, so that the verdicts alone say whether all is well.
func (e *Experiment) check(rep *report.Report) []Guarantee {
	run := guarantee.Run{Report: rep, Roots: e.Roots}
	verdicts := guarantee.Check(run, e.promises(run)...)
	if len(rep.Deadlocks) > 0 && !slices.ContainsFunc(verdicts, isAboutDeadlock) {
		verdicts = append(verdicts, e.onTerms(guarantee.NoDeadlock{}).Check(run))
	}
	return verdicts
}

func isAboutDeadlock(g Guarantee) bool { return g.Name == guarantee.NoDeadlock{}.Name() }

// NothingPromised reports whether one of the guarantees held only because it promises nothing
// in such a run: more ranks failed than it stands, for example, or links were cut.
func NothingPromised(verdicts []Guarantee) bool {
	return slices.ContainsFunc(verdicts, func(g Guarantee) bool {
		return g.Held && (strings.HasPrefix(g.Evidence, noResult) || strings.HasSuffix(g.Evidence, nothingPromised))
	})
}

// How the evidence of such guarantees begins in reductions, and ends in [guarantee.When].
const noResult, nothingPromised = "no result is promised", ": nothing promised"
