package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// agreement is what the service is for: whenever there was time enough since the last change, all live
// ranks hold the same view, which has all of them and nobody else; in each partition by itself. If
// minorities abort, those of a partition have done so, and nobody else.
func agreement(s *membership.Service) guarantee.Guarantee {
	check := guarantee.VerdictFunc("all live ranks hold the same view, of all live ranks", false, func(run guarantee.Run) guarantee.Verdict {
		var views []string
		groups, _ := partitions(run.Report, s)
		for _, group := range groups {
			view, wrong := group.judge(s)
			if wrong != "" {
				return guarantee.Verdict{Evidence: wrong}
			}
			views = append(views, view)
		}
		if len(views) == 0 {
			return notClaimed("no rank is left")
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: strings.Join(views, " and ")}
	})
	return guarantee.Promise{Guarantee: check, Premises: append(punctual(s), settled(s))}
}

// settled is met if there was time enough after some change in each partition.
func settled(s *membership.Service) guarantee.Premise {
	return guarantee.Premise{Says: "there is time enough after a change", Unmet: func(run guarantee.Run) string {
		groups, _ := partitions(run.Report, s)
		for _, group := range groups {
			if why := group.unclaimed(s); why != "" {
				return why
			}
		}
		return ""
	}}
}

// punctual are met if failures are found, and nobody has a reason to take a rank for failed that is not.
func punctual(s *membership.Service) premises {
	o := s.Options()
	return premises{
		longTimeouts(s),
		guarantee.NobodySlow,
		guarantee.InTime,
		guarantee.NothingLost,
		{Says: "ranks ask their successors", Unmet: func(run guarantee.Run) string {
			if rep := run.Report; o.Inquiry == membership.Successor || len(rep.Failed)+len(rep.Rejoined)+len(lastingCuts(rep, o.Until)) == 0 {
				return ""
			}
			return "failures are found by chance or not at all"
		}},
		{Says: "nobody stays away", Unmet: func(guarantee.Run) string {
			if o.Stay && slices.ContainsFunc(s.Records(), func(r membership.Record) bool { return r.Excluded > 0 }) {
				return "some were taken for failed, and do not come back"
			}
			return ""
		}},
		{Says: "what is cut stays cut", Unmet: func(run guarantee.Run) string { return mended(run.Report) }},
		{Says: "cuts leave clear partitions", Unmet: func(run guarantee.Run) string {
			if f := oneWay(run.Report, o.Until); f != "" {
				return f + " lets messages through one way"
			}
			if _, clear := partitions(run.Report, s); !clear {
				return "links are cut within partitions"
			}
			return ""
		}},
	}
}

// longTimeouts is met if answers come in time, unless somebody is slow.
func longTimeouts(s *membership.Service) guarantee.Premise {
	return guarantee.Premise{Says: "timeouts are long enough", Unmet: func(guarantee.Run) string {
		o := s.Options()
		if o.Timeout >= o.UsualTimeout() {
			return ""
		}
		return fmt.Sprintf("timeout=%d is shorter than answers may take, %d ticks", o.Timeout, o.UsualTimeout())
	}}
}
