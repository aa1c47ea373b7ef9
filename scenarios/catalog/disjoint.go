package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// noDisjointViews is what minorities abort for: no two ranks go on in views without a common member.
// It takes time until a partition is found out, so it is promised of all instants at which no
// partition is in unrest, nor aborting.
func noDisjointViews(s *membership.Service) guarantee.Guarantee {
	check := guarantee.Func("when all is calm, no two views without a common member go on", false, func(run guarantee.Run) (held bool, evidence string) {
		instants := calmInstants(run.Report, s)
		for _, at := range instants {
			if wrong := disjointAt(run.Report, s, at); wrong != "" {
				return false, fmt.Sprintf("%s, at t=%d", wrong, at)
			}
		}
		return true, fmt.Sprintf("looked at %s, the last at t=%d", text.Count(len(instants), "instant"), instants[len(instants)-1])
	})
	calm := guarantee.Premise{Says: "all is calm at some instant", Unmet: func(run guarantee.Run) string {
		if len(calmInstants(run.Report, s)) > 0 {
			return ""
		}
		return fmt.Sprintf("the service ends at t=%d", s.Options().Until)
	}}
	return guarantee.Promise{Guarantee: check, Premises: append(punctual(s), calm), Safety: true}
}

// calmInstants are when each calm of all partitions begins, and the end of the service if it is calm.
func calmInstants(rep *report.Report, s *membership.Service) []clock.Time {
	var unrests []membership.Unrest
	groups, _ := partitions(rep, s)
	for _, p := range groups {
		unrests = append(unrests, p.unsafe(s)...)
	}
	return calmsBetween(unrests, s.Options().Until)
}

// calmsBetween are when no unrest goes on any more, up to an end.
func calmsBetween(unrests []membership.Unrest, until clock.Time) (instants []clock.Time) {
	for _, u := range append(unrests, membership.Unrest{To: until}) {
		covered := func(other membership.Unrest) bool { return other.From <= u.To && u.To < other.To }
		if u.To <= until && !slices.ContainsFunc(unrests, covered) && !slices.Contains(instants, u.To) {
			instants = append(instants, u.To)
		}
	}
	slices.Sort(instants)
	return instants
}

// unsafe is when some of a partition may go on who will abort.
func (p *partition) unsafe(s *membership.Service) []membership.Unrest {
	all, outcomes := slices.Clone(p.unrest), p.outcomes(s)
	for i := range all {
		all[i].To = outcomes[i].at
	}
	return all
}

// disjointAt says who holds two views without a common member at an instant; or "".
func disjointAt(rep *report.Report, s *membership.Service, at clock.Time) string {
	holders := make(map[membership.Changes]int)
	var views []membership.Changes
	for rank := range s.Records() {
		view, member := holdsAt(s, rank, at)
		if !member || !livesAt(rep, rank, at) {
			continue
		}
		if _, known := holders[view]; known {
			continue
		}
		for _, other := range views {
			if !shareMember(s, view, other) {
				return fmt.Sprintf("rank %d holds %s and rank %d %s", holders[other], describe(s, other), rank, describe(s, view))
			}
		}
		holders[view], views = rank, append(views, view)
	}
	return ""
}

// livesAt reports whether a rank surely lives at an instant: one that comes back later may be away.
func livesAt(rep *report.Report, rank int, at clock.Time) bool {
	failure, failed := rep.FailureOf(rank)
	return !(failed && failure.Time <= at) && !comesBack(rep, rank, at)
}

func shareMember(s *membership.Service, a, b membership.Changes) bool {
	v, w := membership.View{Group: s.Group(), Changes: a}, membership.View{Group: s.Group(), Changes: b}
	for rank := range v.Ranks {
		if v.Has(rank) && w.Has(rank) {
			return true
		}
	}
	return false
}
