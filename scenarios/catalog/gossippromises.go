package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// gossipPromises are those of a gossip. It reaches all live ranks or, if the root failed, all or none (Corrected
// Gossip, claims 3 and 4, corollary 3). Whoever fails before correction begins does
// no harm. After that, checked correction stands no failure, failure-proof correction f.
//
// Slow ranks do no harm. They may gossip after T, and others whom they tell of the time as
// well, but nobody corrects before L+o after T; and these corrections do not depend on when
// others begin. Where correction begins at T, the root corrects in any case; but whoever gossip reaches after
// that does not correct, so if the root fails, only some ranks may have the message.
func gossipPromises(s line.Settings, plan tuning.Plan) []guarantee.Guarantee {
	begin := correctionBegin(s, plan)
	switch gossipVariants.Of(s, "variant") {
	case tuning.Checked:
		stands := premises{failOnceCorrecting(0, begin)}
		if isSharp(s) {
			stands = append(stands, guarantee.RootsLive)
		}
		return spread(nil, stands)
	case tuning.FailureProof:
		f := s.Int("f")
		return append(spread(premises{failOnceCorrecting(f, begin)}, nil), guarantee.Promise{Guarantee: sendsNoSOS, Premises: premises{guarantee.NobodySlow, guarantee.InTime, enoughGNodes(f)}})
	case tuning.Opportunistic:
		return append(spread(nil, premises{byChance}), neighboursReached(plan.Corrections))
	}
	return spread(nil, premises{byChance})
}

// byChance is never met: there is no run in which it is certain that gossip alone reaches everybody.
var byChance = guarantee.Premise{Says: "never for certain", Unmet: func(guarantee.Run) string { return "gossip chooses ranks at random" }}

// correctionBegin is when ranks begin to correct that gossip for a time. With rounds, each begins in its own time.
func correctionBegin(s line.Settings, plan tuning.Plan) clock.Time {
	switch {
	case inRounds(s):
		return 0
	case isSharp(s):
		return plan.GossipEnd
	}
	return plan.GossipEnd + s.LogP().Latency + s.Ticks("o")
}

// failOnceCorrecting is met if no more than f ranks failed after that instant. Whoever has sent no correction message
// by then might as well have failed before: nobody counts on it. But that is known only where events are
// recorded.
func failOnceCorrecting(f int, begin clock.Time) guarantee.Premise {
	says := "nobody fails once correction has begun"
	if f > 0 {
		says = fmt.Sprintf("at most %s once correction has begun", text.Count(f, "failure"))
	}
	return guarantee.Premise{Says: says, Unmet: func(run guarantee.Run) string {
		var late []int
		for _, failure := range run.Report.Failed {
			if at, _ := fell(run.Report, failure); at > begin && mayHaveCorrected(run.Report, failure.Rank) {
				late = append(late, failure.Rank)
			}
		}
		if len(late) <= f {
			return ""
		}
		return guarantee.ListRanks(late) + " did"
	}}
}

// mayHaveCorrected reports whether a rank has sent a correction message, as far as is known.
func mayHaveCorrected(rep *report.Report, rank int) bool {
	return rep.Events == nil || slices.ContainsFunc(rep.Events, func(e report.Event) bool {
		return e.Rank == rank && e.Kind == report.EventSend && correction.IsCorrection(e.Msg)
	})
}

// enoughGNodes is met if failure-proof correction needs no help (claim 5): f*f+f+1 ranks begin
// to correct, and no more than f of them fail at that.
func enoughGNodes(f int) guarantee.Premise {
	return guarantee.Premise{
		Says: fmt.Sprintf("%d or more ranks begin to correct and at most %d of them fail", f*f+f+1, f),
		Unmet: func(run guarantee.Run) string {
			nodes, failed := passing(run.Report, gossip.StepCorrection), 0
			for _, rank := range nodes {
				if run.Report.Ranks[rank].Outcome.Failed() {
					failed++
				}
			}
			if len(nodes) < f*f+f+1 || failed > f {
				return fmt.Sprintf("%d did, of which %d failed", len(nodes), failed)
			}
			return ""
		},
	}
}

// sendsNoSOS holds if nobody asks for help.
var sendsNoSOS = guarantee.Safety(guarantee.Func("nobody sends SOS", true, func(run guarantee.Run) (held bool, evidence string) {
	for _, e := range run.Report.Events {
		if e.Msg == correction.SOS && (e.Kind == report.EventSend || e.Kind == report.EventSendLost) {
			return false, fmt.Sprintf("rank %d at t=%d", e.Rank, e.Time)
		}
	}
	return true, "no such message"
}))

// neighboursReached holds if nobody was left without the message who is the neighbour of a live rank
// that corrects with so many messages, half of them to the left, rounded down (section III-B).
func neighboursReached(messages int) guarantee.Guarantee {
	return guarantee.VerdictFunc("the neighbours of ranks that correct are reached", true, func(run guarantee.Run) guarantee.Verdict {
		rep, looked := run.Report, 0
		for _, rank := range passing(rep, gossip.StepCorrection) {
			if rep.Ranks[rank].Outcome.Failed() {
				continue
			}
			for away := -(messages / 2); away <= messages-messages/2; away++ {
				near := ((rank+away)%len(rep.Ranks) + len(rep.Ranks)) % len(rep.Ranks)
				if slices.Contains(rep.Unreached, near) {
					return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d never reached, %d away from rank %d, which sends %d messages", near, away, rank, messages)}
				}
				looked++
			}
		}
		if looked == 0 {
			return notClaimed("no rank has come to correct")
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%d neighbours, all reached", looked)}
	})
}
