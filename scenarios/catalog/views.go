package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// Views are the guarantees of a membership service, which notes what each of its ranks has done.
func Views(s *membership.Service) []guarantee.Guarantee {
	all := []guarantee.Guarantee{
		agreement(s), stability(s), selfInclusion(s), sameView(s), viewsAscend(s), guarantee.NoDeadlock{},
		guarantee.When(guarantee.ArrivesOnce, guarantee.SentOnce{}), // who is asked twice answers twice (thesis, section 2.1: message uniqueness)
	}
	if s.Options().Abort {
		all = append(all, noneSideBySide(s), noDisjointViews(s))
	}
	return all
}

// everyView makes a guarantee of a look at each view that a rank has installed.
func everyView(s *membership.Service, name string, problem func(rank int, v, before *membership.Installed) string) guarantee.Guarantee {
	return guarantee.Safety(guarantee.VerdictFunc(name, false, func(guarantee.Run) guarantee.Verdict {
		views := 0
		for rank := range s.Records() {
			var before *membership.Installed
			for i := range s.Records()[rank].Installed {
				v := &s.Records()[rank].Installed[i]
				if what := problem(rank, v, before); what != "" {
					return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d at t=%d: %s", rank, v.At, what)}
				}
				before = v
				views++
			}
		}
		return counted(views, text.Count(views, "view")+" installed")
	}))
}

// counted is the verdict on so many things that are all right; of none there is nothing to say.
func counted(things int, evidence string) guarantee.Verdict {
	if things == 0 {
		return notClaimed(evidence)
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: evidence}
}

// selfInclusion is the first safety property of Varma's thesis, section 2.1.
func selfInclusion(s *membership.Service) guarantee.Guarantee {
	return everyView(s, "a rank is a member of its own view", func(rank int, v, _ *membership.Installed) string {
		if view := (membership.View{Group: s.Group(), Changes: v.View}); !view.Has(rank) {
			return "installs " + shortened(view)
		}
		return ""
	})
}

// sameView is the third: whoever takes up a message does so in the same view.
func sameView(s *membership.Service) guarantee.Guarantee {
	return everyView(s, "whoever takes up a message of a view change has the same view", func(_ int, v, _ *membership.Installed) string {
		if v.View != v.Message {
			return fmt.Sprintf("is told of %s and installs %s", describe(s, v.Message), describe(s, v.View))
		}
		return ""
	})
}

// viewsAscend is part of the second, no duplication: no view comes twice or goes back.
func viewsAscend(s *membership.Service) guarantee.Guarantee {
	return everyView(s, "no view comes twice", func(_ int, v, before *membership.Installed) string {
		if before == nil || before.Term != v.Term || v.View.Includes(before.View) && v.View != before.View {
			return ""
		}
		return fmt.Sprintf("installs %s after %s", describe(s, v.View), describe(s, before.View))
	})
}

func describe(s *membership.Service, c membership.Changes) string {
	return shortened(membership.View{Group: s.Group(), Changes: c})
}

// shortened leaves out the middle of a long list of members.
func shortened(v membership.View) string {
	list, rest, _ := strings.Cut(v.String(), " ")
	if ranges := strings.Split(list, "+"); len(ranges) > 8 {
		list = strings.Join(ranges[:4], "+") + "+...+" + strings.Join(ranges[len(ranges)-4:], "+")
	}
	return list + " " + rest
}

// stability is what the word means: when a root takes a view for stable, all its live members have it,
// however short timeouts are.
func stability(s *membership.Service) guarantee.Guarantee {
	check := guarantee.VerdictFunc("all live members of a stable view have installed it", false, func(run guarantee.Run) guarantee.Verdict {
		stable := 0
		for root := range s.Records() {
			for _, led := range s.Records()[root].Led {
				if !led.Stable {
					continue
				}
				stable++
				if rank := withoutView(run.Report, s, led); rank >= 0 {
					return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d has not installed %s when its root %d takes it for stable at t=%d", rank, describe(s, led.Changes), root, led.At)}
				}
			}
		}
		return counted(stable, text.Count(stable, "stable view"))
	})
	return guarantee.Safety(check)
}

// withoutView is a live member of a stable view that has not installed it, or -1. Ranks that come back later
// may be away at that time.
func withoutView(rep *report.Report, s *membership.Service, led membership.Led) int {
	view := membership.View{Group: s.Group(), Changes: led.Changes}
	for rank := range s.Records() {
		failure, failed := rep.FailureOf(rank)
		if !view.Has(rank) || failed && failure.Time <= led.At || comesBack(rep, rank, led.At) {
			continue
		}
		if !slices.ContainsFunc(s.Records()[rank].Installed, func(v membership.Installed) bool { return v.View == led.Changes && v.At <= led.At }) {
			return rank
		}
	}
	return -1
}

// comesBack reports whether a rank does so after an instant.
func comesBack(rep *report.Report, rank int, at clock.Time) bool {
	return slices.ContainsFunc(rep.Rejoined, func(r report.Rejoin) bool { return r.Rank == rank && r.Time > at })
}
