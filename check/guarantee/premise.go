package guarantee

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// Premise is what a promise presupposes of a run.
type Premise struct {
	// Says is the premise in a few words, as a table has it: "at most 2 failures".
	Says string
	// Unmet says how a run does not meet it; "" if it does.
	Unmet func(Run) (why string)
}

// unmet says which of the premises a run does not meet, the first of them, and why; "" if it meets all.
func unmet(all []Premise, run Run) string {
	for _, p := range all {
		if why := p.Unmet(run); why != "" {
			return p.Says + " (" + why + ")"
		}
	}
	return ""
}

// RootsLive is met if no root failed, at whatever time.
var RootsLive = Premise{"the root lives", func(run Run) string {
	if root, failed := run.FailedRoot(); failed {
		return root.String()
	}
	return ""
}}

// NobodyFails is met if nobody does, at whatever time; who came back had failed.
var NobodyFails = Premise{"nobody fails", func(run Run) string {
	if run.Report.NobodyFailed() {
		return ""
	}
	return cmp.Or(moreThan(0, run.Report.Failed), NobodyCameBack.Unmet(run))
}}

// NobodySlow is met if no rank was slowed down, by a fault or by noise.
var NobodySlow = Premise{"nobody is slow", func(run Run) string {
	if slow := fired(run, faults.Slow); slow != "" || run.Report.Noise == nil {
		return slow
	}
	return fmt.Sprintf("noise=%s", run.Report.Noise)
}}

// fired is the first fault of one of these kinds that took effect, or "".
func fired(run Run, kinds ...faults.Kind) string {
	for f := range run.Report.Fired() {
		if slices.Contains(kinds, f.Kind) {
			return f.String()
		}
	}
	return ""
}

// AtMostFailures is met if no more than f ranks failed, at whatever time.
func AtMostFailures(f int) Premise {
	return Premise{"at most " + text.Count(f, "failure"), func(run Run) string { return moreThan(f, run.Report.Failed) }}
}

// AtMostFailuresMeanwhile is met if no more than f ranks failed after t=0; any number may have failed
// before. It is what failure-proof correction presupposes (Corrected Gossip, claim 4).
//
// Whatever fails at t=0 has completed no send, as that takes a tick at least: to the others
// it looks the same whether the rank failed before the run or in its first steps.
func AtMostFailuresMeanwhile(f int) Premise {
	return Premise{fmt.Sprintf("at most %s after t=0", text.Count(f, "failure")), func(run Run) string { return moreThan(f, meanwhile(run)) }}
}

// NoFailureMeanwhile is met if all ranks that failed did so at t=0, before the run. It is
// what checked correction presupposes (Corrected Gossip, claim 3; Corrected Trees, section
// 3.1).
var NoFailureMeanwhile = Premise{"nobody fails after t=0", func(run Run) string { return moreThan(0, meanwhile(run)) }}

// meanwhile are the failures during the run.
func meanwhile(run Run) (during []report.Failure) {
	for _, failure := range run.Report.Failed {
		if failure.Time > 0 {
			during = append(during, failure)
		}
	}
	return during
}

// moreThan says how many of these have failed, if they are too many.
func moreThan(f int, failed []report.Failure) string {
	switch {
	case len(failed) <= f:
		return ""
	case len(failed) == 1:
		return failed[0].String()
	}
	return fmt.Sprintf("%d ranks failed", len(failed))
}

// NobodyCameBack is met if no rank that had failed was started again. Most protocols presuppose
// that a rank is either there from the beginning or gone.
var NobodyCameBack = Premise{"nobody comes back", func(run Run) string {
	var ranks []int
	for _, r := range run.Report.Rejoined {
		ranks = append(ranks, r.Rank)
	}
	if len(ranks) == 0 {
		return ""
	}
	slices.Sort(ranks)
	return ListRanks(slices.Compact(ranks)) + " came back"
}}

// Undisturbed is met if [EveryMessageArrives] and [NobodyCameBack] are.
var Undisturbed = Premise{"every message arrives, and nobody comes back", func(run Run) string {
	return cmp.Or(EveryMessageArrives.Unmet(run), NobodyCameBack.Unmet(run))
}}
