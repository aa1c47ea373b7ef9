package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// premises is a list of them.
type premises = []guarantee.Premise

// failOnceHeard is met if no more than f ranks fail after they may have sent something. For all others it
// is the same as if the rank had been down from the start. unheard are the steps that a rank passes before it
// sends anything that others take for a sign of life.
func failOnceHeard(f int, unheard ...string) guarantee.Premise {
	says := "nobody fails once it has sent something"
	if f > 0 {
		says = fmt.Sprintf("at most %s of ranks that have sent something", text.Count(f, "failure"))
	}
	return guarantee.Premise{Says: says, Unmet: func(run guarantee.Run) string {
		var heard []int
		for _, failure := range run.Report.Failed {
			if !silent(run, failure.Rank, unheard) {
				heard = append(heard, failure.Rank)
			}
		}
		if len(heard) <= f {
			return ""
		}
		return guarantee.ListRanks(heard) + " did"
	}}
}

// silent reports whether a rank would have failed before it sent anything of a broadcast,
// whatever else the schedule has for it.
func silent(run guarantee.Run, rank int, unheard []string) bool {
	return slices.ContainsFunc(run.Report.Faults, func(f faults.Fault) bool {
		return f.Rank == rank && f.Kind.Stops() && silences(f, slices.Contains(run.Roots, rank), unheard)
	})
}

// silences reports whether a rank cannot get past the point of a crash or hang before it
// sends anything of a broadcast. Who is not the root receives before that. The root may pass
// them all.
func silences(f faults.Fault, root bool, unheard []string) bool {
	if f.At == faults.OnTime(0) {
		return true
	}
	if root {
		return false
	}
	switch f.At.Anchor {
	case faults.BeforeSend, faults.MidSend, faults.AtRecv:
		return f.At.N == 1
	case faults.AtStep:
		return f.At.N == 1 && slices.Contains(unheard, f.At.Step)
	}
	return false
}

// othersFail is met if no more than f ranks fail, at any time, and the root is none of them.
func othersFail(f int) premises { return premises{guarantee.RootsLive, guarantee.AtMostFailures(f)} }

// passing are the ranks that pass a step, each as often as it does. It needs events.
func passing(rep *report.Report, step string) []int {
	var ranks []int
	for _, e := range rep.Events {
		if e.Step == step {
			ranks = append(ranks, e.Rank)
		}
	}
	return ranks
}

// fell is when a rank that has failed did so, for the first time if it hung and crashed later, and whether it
// hung. A report has the crash only; events have both.
func fell(rep *report.Report, failure report.Failure) (at clock.Time, hung bool) {
	for _, e := range rep.Events {
		if e.Rank == failure.Rank && (e.Kind == report.EventCrash || e.Kind == report.EventHang) {
			return e.Time, e.Kind == report.EventHang
		}
	}
	return failure.Time, failure.Outcome == report.Hung
}
