package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/report"
)

// bfbPromises are those of a broadcast that is begun again after failures.
func bfbPromises(d emu.Detection, root int, completed *completion) []guarantee.Guarantee {
	needs := premises{noticedInTime(d, root)}
	all := guarantee.Spreading(append(needs, guarantee.RootsLive), nil)
	return append(all,
		guarantee.Promise{Guarantee: guarantee.ReachedRanksReturn{}, Premises: needs},
		guarantee.Promise{Guarantee: completedInTime(completed), MayLose: true},
		guarantee.Promise{Guarantee: fewAttempts(d, completed), MayLose: true})
}

// noticedInTime is met if nobody waits in vain for a rank that has failed or left.
//
// The detector has to notice every failure. Nobody waits for the root, so that one may hang.
//
// Ranks linger long enough if all are as fast as they should be, messages as well, and failures are noticed in
// time. If not, nothing is promised once somebody has left too soon. That cannot happen as long
// as nobody fails in the course of the broadcast: then there is no other attempt to linger for.
func noticedInTime(d emu.Detection, root int) guarantee.Premise {
	return guarantee.Premise{Says: "failures are noticed in time", Unmet: func(run guarantee.Run) string {
		strained := ""
		slow := cmp.Or(guarantee.NobodySlow.Unmet(run), guarantee.InTime.Unmet(run))
		for _, failure := range run.Report.Failed {
			if failure.Rank == root {
				continue
			}
			at, hung := fell(run.Report, failure)
			unnoticed := !d.Hangs && (hung || alsoHangs(run.Report, failure.Rank))
			switch {
			case unnoticed && failure.Outcome == report.Hung: // it did not crash later
				return failure.String()
			case unnoticed:
				strained = fmt.Sprintf("%s, after it had hung unnoticed", failure)
			case at > 0 && slow != "":
				strained = fmt.Sprintf("%s, with %s", failure, slow)
			}
		}
		if strained != "" && mayHaveLeftTooSoon(run.Report, root) {
			return strained
		}
		return ""
	}}
}

// alsoHangs reports whether a rank that crashed may have hung before. Events say whether it did.
func alsoHangs(rep *report.Report, rank int) bool {
	return rep.Events == nil && slices.ContainsFunc(rep.Faults, func(f faults.Fault) bool { return f.Rank == rank && f.Kind == faults.Hang })
}

// mayHaveLeftTooSoon reports whether something came to a rank that had returned, as far as is known. The root returns
// when all is over.
func mayHaveLeftTooSoon(rep *report.Report, root int) bool {
	return rep.Events == nil || slices.ContainsFunc(rep.Events, func(e report.Event) bool {
		r := rep.Ranks[e.Rank]
		return e.Kind == report.EventReceive && e.Rank != root && r.Outcome == report.Finished && e.Time > r.Exit
	})
}

// completedInTime holds if all live ranks had the message when the root said so.
func completedInTime(completed *completion) guarantee.Guarantee {
	return guarantee.Safety(guarantee.VerdictFunc("when the root says so, all live ranks have the message", false, func(run guarantee.Run) guarantee.Verdict {
		at := min(completed.At, firstPassed(run.Report, buntinas.StepComplete))
		if at == clock.Never {
			return notClaimed("the root never says so")
		}
		late := run.Report.Find(func(_ int, r *report.RankResult) bool { return !r.Outcome.Failed() && r.Coloured > at })
		if late.Count > 0 {
			rank := late.First[0]
			return guarantee.Verdict{Evidence: fmt.Sprintf("complete at t=%d, rank %d reached at t=%s", at, rank, run.Report.ResultOf(rank).Coloured)}
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("complete at t=%d", at)}
	}))
}

// fewAttempts holds if there are no more attempts than failures meanwhile, and one. Who is down from the start costs
// none, nor does a rank that hangs unnoticed until it crashes. Attempts are those that the root has noted and those that show in
// events, where these are recorded.
func fewAttempts(d emu.Detection, completed *completion) guarantee.Guarantee {
	return guarantee.Safety(guarantee.Func("no more attempts than failures meanwhile, and one", false, func(run guarantee.Run) (held bool, evidence string) {
		failures, complete := 0, min(completed.At, firstPassed(run.Report, buntinas.StepComplete))
		for _, failure := range run.Report.Failed {
			at, hung := fell(run.Report, failure)
			if hung && !d.Hangs {
				at = failure.Time
			}
			if at > 0 && (at <= complete || d.Hangs && alsoHangs(run.Report, failure.Rank)) {
				failures++
			}
		}
		attempts := max(completed.Attempts, 1+len(passing(run.Report, buntinas.StepRestart)))
		return attempts <= 1+failures, fmt.Sprintf("%s, %s", text.Count(attempts, "attempt"), text.Count(failures, "failure"))
	}))
}

// firstPassed is when a step was passed first, as far as events were recorded.
func firstPassed(rep *report.Report, step string) clock.Time {
	for _, e := range rep.Events {
		if e.Step == step {
			return e.Time
		}
	}
	return clock.Never
}
