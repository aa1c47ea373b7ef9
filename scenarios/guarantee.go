package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// check decides about all guarantees of an experiment. Whoever says nothing about deadlocks
// promises that there are none, so that the verdicts alone say whether all is well.
func (p Protocol) check(e *Experiment, rep *report.Report) []guarantee.Verdict {
	run := guarantee.Run{Report: rep, Roots: e.Roots}
	verdicts := guarantee.Check(run, p.promises(e.Checks, run)...)
	if len(rep.Deadlocks) > 0 && !slices.ContainsFunc(verdicts, isAboutDeadlock) {
		verdicts = append(verdicts, p.onTerms(guarantee.NoDeadlock{}).Check(run))
	}
	return verdicts
}

func isAboutDeadlock(v guarantee.Verdict) bool { return v.Name == guarantee.NoDeadlock{}.Name() }
