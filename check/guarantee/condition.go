package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/report"
)

// Condition is what a guarantee presupposes. If a run does not meet it, it says why.
type Condition func(Run) (met bool, whyNot string)

// When promises g only in runs that meet the condition. In others it holds, and the evidence
// says that nothing was promised and why. It keeps the name of g.
func When(condition Condition, g Guarantee) Guarantee { return when{g, condition} }

type when struct {
	Guarantee
	condition Condition
}

// Check looks at the condition first.
func (g when) Check(run Run) Verdict {
	if met, whyNot := g.condition(run); !met {
		return Verdict{Name: g.Name(), Held: true, Evidence: whyNot + ": nothing promised", NotClaimed: true}
	}
	return g.Guarantee.Check(run)
}

// NoFailureMeanwhile is met if all ranks that failed did so at t=0, before the run. It is
// what checked correction presupposes (Corrected Gossip, claim 3; Corrected Trees, section
// 3.1).
//
// Whatever fails at t=0 has completed no send, as that takes a tick at least: to the others
// it looks the same whether the rank failed before the run or in its first steps.
func NoFailureMeanwhile(run Run) (met bool, whyNot string) { return atMost(run, 0) }

// AtMostFailures is met if no more than f ranks failed after t=0; any number may have failed
// before. It is what failure-proof correction presupposes (Corrected Gossip, claim 4).
func AtMostFailures(f int) Condition {
	return func(run Run) (met bool, whyNot string) { return atMost(run, f) }
}

// RootsLive is met if no root failed, at whatever time.
func RootsLive(run Run) (met bool, whyNot string) {
	if root, failed := run.FailedRoot(); failed {
		return false, "root failed (" + root.String() + ")"
	}
	return true, ""
}

// atMost counts failures during the run.
func atMost(run Run, f int) (met bool, whyNot string) {
	var during []report.Failure
	for _, failure := range run.Report.Failed {
		if failure.Time > 0 {
			during = append(during, failure)
		}
	}
	if len(during) <= f {
		return true, ""
	}
	names := listAll(during, ", ")
	if f == 0 {
		return false, "failures during the run (" + names + ")"
	}
	return false, fmt.Sprintf("more than f=%d failures during the run (%s)", f, names)
}
