package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// Views are the guarantees of a membership service, which notes what each of its ranks has done.
func Views(s *membership.Service) []guarantee.Guarantee {
	return []guarantee.Guarantee{
		agreement(s), selfInclusion(s), sameView(s), viewsAscend(s), guarantee.NoDeadlock{}, guarantee.SentOnce{},
	}
}

// everyView makes a guarantee of a look at each view that a rank has installed.
func everyView(s *membership.Service, name string, problem func(rank int, v, before *membership.Installed) string) guarantee.Guarantee {
	return guarantee.Func(name, false, func(guarantee.Run) (held bool, evidence string) {
		views := 0
		for rank := range s.Records() {
			var before *membership.Installed
			for i := range s.Records()[rank].Installed {
				v := &s.Records()[rank].Installed[i]
				if what := problem(rank, v, before); what != "" {
					return false, fmt.Sprintf("rank %d at t=%d: %s", rank, v.At, what)
				}
				before = v
				views++
			}
		}
		return true, fmt.Sprintf("%d views installed", views)
	})
}

// selfInclusion is the first safety property of Varma's thesis, section 2.1.
func selfInclusion(s *membership.Service) guarantee.Guarantee {
	return everyView(s, "a rank is a member of its own view", func(rank int, v, _ *membership.Installed) string {
		if view := (membership.View{Group: s.Group(), Changes: v.View}); !view.Has(rank) {
			return "installs " + view.String()
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
	return membership.View{Group: s.Group(), Changes: c}.String()
}

// agreement is what the service is for: after the last change, within a bound, all live ranks
// hold the same view, which has all of them and nobody else; in each partition by itself.
func agreement(s *membership.Service) guarantee.Guarantee {
	check := guarantee.Func("all live ranks hold the same view, of all live ranks", false, func(run guarantee.Run) (held bool, evidence string) {
		groups, _ := partitions(run.Report, liveMembers(run.Report, s))
		var views []string
		for _, group := range groups {
			if wrong := disagreement(s, group); wrong != "" {
				return false, wrong
			}
			views = append(views, describe(s, s.Records()[group[0]].View))
		}
		if len(views) == 0 {
			return true, "no rank is left"
		}
		return true, strings.Join(views, " and ")
	})
	return guarantee.When(guarantee.Premise{Says: "there is time enough after the last change", Unmet: func(run guarantee.Run) string {
		_, whyNot := inTime(run.Report, s)
		return whyNot
	}}, check)
}

// liveMembers lists who should be a member at the end.
func liveMembers(rep *report.Report, s *membership.Service) (live []int) {
	o := s.Options()
	joins := make(map[int]bool)
	for _, j := range o.Joins {
		joins[j.Rank] = true
	}
	for rank := range rep.Live() {
		if rank < o.Members || joins[rank] || s.Records()[rank].Member {
			live = append(live, rank)
		}
	}
	return live
}

// disagreement says what is wrong with the views of a partition, or "".
func disagreement(s *membership.Service, group []int) string {
	in := make(map[int]bool, len(group))
	for _, rank := range group {
		in[rank] = true
	}
	right := make(map[membership.Changes]bool) // most hold the same
	for _, rank := range group {
		r := &s.Records()[rank]
		if !r.Member {
			return fmt.Sprintf("rank %d is live and no member", rank)
		}
		if right[r.View] {
			continue
		}
		if wrong := misfit(membership.View{Group: s.Group(), Changes: r.View}, in); wrong != "" {
			return fmt.Sprintf("rank %d %s", rank, wrong)
		}
		right[r.View] = true
		if len(right) > 1 {
			return fmt.Sprintf("ranks %d and %d have the same members in different views", group[0], rank)
		}
	}
	return ""
}

// misfit says who is in a view and should not be, or the other way round; or "".
func misfit(v membership.View, members map[int]bool) string {
	for rank := range v.Ranks {
		switch has := v.Has(rank); {
		case has && !members[rank]:
			return fmt.Sprintf("has rank %d in its view: %s", rank, v)
		case !has && members[rank]:
			return fmt.Sprintf("does not have rank %d in its view: %s", rank, v)
		}
	}
	return ""
}

// inTime is met if there was time enough after the last change, and nothing happened that the
// service does not promise to stand.
func inTime(rep *report.Report, s *membership.Service) (met bool, whyNot string) {
	o := s.Options()
	last, changes, lost := lastChange(rep, s)
	end := last + s.Bound(changes, lost)
	switch {
	case o.Inquiry != membership.Successor && changes+lost > 0:
		return false, "failures are found by chance or not at all"
	case o.Timeout < o.UsualTimeout():
		return false, fmt.Sprintf("timeout=%d is shorter than answers may take, %d ticks", o.Timeout, o.UsualTimeout())
	case rep.Faults.Has(faults.Slow):
		return false, "slow ranks may be taken for failed"
	case o.Abort || o.Stay:
		return false, "ranks may stay away"
	case end > o.Until:
		return false, fmt.Sprintf("the last change is at t=%d, views may differ until t=%d, and the service ends at t=%d", last, end, o.Until)
	}
	groups, clear := partitions(rep, liveMembers(rep, s))
	if !clear {
		return false, "links are cut within partitions"
	}
	for _, group := range groups {
		if !slices.ContainsFunc(group, func(rank int) bool { return rank < o.Members && !cameBack(rep, rank) }) {
			return false, "nobody has been a member throughout of those who now include " + guarantee.ListRanks(group)
		}
	}
	return true, ""
}

// lastChange is when somebody last failed, came, or was cut off, how often that was, and how many
// ranks were lost at once at most.
func lastChange(rep *report.Report, s *membership.Service) (last clock.Time, changes, lost int) {
	note := func(at clock.Time, n int) { last, changes = max(last, at), changes+n }
	for _, f := range rep.Failed {
		note(f.Time, 1)
	}
	for _, r := range rep.Rejoined {
		note(r.Time, 2)
	}
	for _, j := range s.Options().Joins {
		note(j.At, 1)
	}
	for _, f := range rep.Faults {
		if f.Kind == faults.Cut && f.At.Time <= s.Options().Until {
			note(f.At.Time, 1)
			lost = len(rep.Ranks)
		}
	}
	return last, changes, lost
}

// cameBack reports whether a rank had failed before.
func cameBack(rep *report.Report, rank int) bool {
	return slices.ContainsFunc(rep.Rejoined, func(r report.Rejoin) bool { return r.Rank == rank })
}
