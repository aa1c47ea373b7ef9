package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// membershipPromises are those of the service, and two that show in events only.
func membershipPromises(s line.Settings, service *membership.Service) []guarantee.Guarantee {
	patient := premises{patience(s), guarantee.NobodySlow, guarantee.InTime, guarantee.EveryMessageArrives}
	return append(Views(service), guarantee.Integrity{},
		guarantee.Promise{Guarantee: never("nobody begins a group of its own while a first member lives", membership.StepFound), Premises: append(patient, lastingGroup(s))},
		guarantee.Promise{Guarantee: never("nobody who lives is excluded", membership.StepExcluded), Premises: append(patient, guarantee.NobodyCameBack, oneGroup(service))},
	)
}

// patience is met if timeouts are long enough.
func patience(s line.Settings) guarantee.Premise {
	return guarantee.Premise{Says: "timeouts are long enough", Unmet: func(guarantee.Run) string {
		if isAuto(s, "timeout") {
			return ""
		}
		return "timeout=" + s.Text("timeout")
	}}
}

// lastingGroup is met if whoever asks to become a member gets an answer: one of those that were
// members at the start is there throughout.
func lastingGroup(s line.Settings) guarantee.Premise {
	first := line.AutoNumber(s, "members", s.Int("P"))
	return guarantee.Premise{Says: "a first member lives throughout", Unmet: func(run guarantee.Run) string {
		if minorities.Of(s, "minority") {
			return "minorities abort"
		}
		fallen := make(map[int]bool) // at any time: those that have come back are not among the failed
		for _, e := range run.Report.Events {
			if e.Kind == report.EventCrash || e.Kind == report.EventHang {
				fallen[e.Rank] = true
			}
		}
		for rank := range first {
			if !fallen[rank] {
				return ""
			}
		}
		return "all of them failed"
	}}
}

// oneGroup is met if nobody begins a group of its own: of two groups one gives in.
func oneGroup(service *membership.Service) guarantee.Premise {
	return guarantee.Premise{Says: "nobody begins a group of its own", Unmet: func(guarantee.Run) string {
		var ranks []int
		for rank, r := range service.Records() {
			if r.Founded > 0 {
				ranks = append(ranks, rank)
			}
		}
		if len(ranks) == 0 {
			return ""
		}
		return guarantee.ListRanks(ranks) + " did"
	}}
}

// never holds if nobody passes a step.
func never(name, step string) guarantee.Guarantee {
	return guarantee.Safety(guarantee.Func(name, true, func(run guarantee.Run) (held bool, evidence string) {
		for _, e := range run.Report.Events {
			if e.Step == step {
				return false, fmt.Sprintf("rank %d at t=%d", e.Rank, e.Time)
			}
		}
		return true, "no rank passes the step " + step
	}))
}
