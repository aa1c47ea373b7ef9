package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// partition is some ranks that can talk to each other and to nobody else at the end of a service, and
// when views may have differed among them.
type partition struct {
	ranks  []int // those that live
	unrest []membership.Unrest
}

// calm is that an unrest is over, and what has come of it.
type calm struct {
	at      clock.Time
	members []bool // who should be one
	fate    fate
}

// fate is what becomes of a partition. All but the first and the last are for minorities that abort.
type fate uint8

const (
	goesOn  fate = iota // it has kept more than half of its members
	aborts              // it has lost half of them at one instant, or more
	unclear             // what is half depends on how losses and new members followed on each other
	begins              // nobody was a member throughout: whoever comes may have to begin another group
)

// calms are when all should agree: after each unrest, and at the end of the service if it is calm.
// Once it is not sure any more that the partition goes on, there are none.
func (p *partition) calms(s *membership.Service) (all []calm) {
	for _, c := range p.outcomes(s) {
		if c.at > s.Options().Until {
			return all
		}
		if all = append(all, c); c.fate != goesOn {
			return all
		}
	}
	return all
}

// outcomes are what comes of each unrest, and of the whole service in the end. If some may abort, that
// takes longer.
func (p *partition) outcomes(s *membership.Service) (all []calm) {
	o := s.Options()
	members := make([]bool, s.Group().Ranks)
	for rank := range o.Members {
		members[rank] = true
	}
	var end calm
	for i, u := range p.unrest {
		if o.Abort {
			end.fate = max(end.fate, fateOf(u, members))
		}
		if !anybodyStays(u, members) {
			end.fate = begins
		}
		for _, e := range u.Events {
			members[e.Rank] = e.Comes
		}
		if end.at, end.members = u.To, slices.Clone(members); end.fate != goesOn {
			end.at = p.aborted(s, i, members)
		}
		all = append(all, end)
	}
	return append(all, calm{at: max(end.at, o.Until), members: members, fate: end.fate})
}

// anybodyStays reports whether a member does not leave in an unrest.
func anybodyStays(u membership.Unrest, members []bool) bool {
	stays := slices.Clone(members)
	for _, e := range u.Events {
		stays[e.Rank] = stays[e.Rank] && e.Comes
	}
	return slices.Contains(stays, true)
}

// fateOf says what becomes of those who agreed before an unrest. Who comes and leaves again in it
// counts against those who stay: its view may have been stable meanwhile.
func fateOf(u membership.Unrest, members []bool) fate {
	left, came, again, once := make(map[int]bool), make(map[int]bool), 0, true
	for _, e := range u.Events {
		once = once && e.At == u.From && e.Early == 0 && !e.Comes
		switch {
		case e.Comes:
			came[e.Rank] = true
		case came[e.Rank]:
			again++
		case members[e.Rank]:
			left[e.Rank] = true
		}
	}
	before := 0
	for _, member := range members {
		if member {
			before++
		}
	}
	switch kept := before - len(left); {
	case 2*kept > before+again:
		return goesOn
	case once:
		return aborts
	}
	return unclear
}

// aborted is when all have aborted who do so in an unrest: when they must have, or when they have if that is earlier. Some of the
// members that are left then may be cut off later.
func (p *partition) aborted(s *membership.Service, unrest int, members []bool) clock.Time {
	var events []membership.Event
	for _, u := range p.unrest[:unrest+1] {
		events = append(events, u.Events...)
	}
	var left []int
	for rank, member := range members {
		if member {
			left = append(left, rank)
		}
	}
	return min(allAborted(s, events, left), max(p.unrest[unrest].From, lastAbort(s, left)))
}

// lastAbort is when the last of some ranks has aborted: never, if one has not.
func lastAbort(s *membership.Service, ranks []int) (last clock.Time) {
	for _, rank := range ranks {
		r := &s.Records()[rank]
		if !r.Aborted {
			return clock.Never
		}
		last = max(last, r.Stays[len(r.Stays)-1].To)
	}
	return last
}

// allAborted is when the last of some ranks has aborted after these events. It may have to find out first who has
// done so before, one after another.
func allAborted(s *membership.Service, events []membership.Event, ranks []int) clock.Time {
	at := s.Bound(events)
	for _, rank := range ranks[:max(0, len(ranks)-1)] {
		events = append(events, membership.Event{At: at, Rank: rank})
	}
	return s.Bound(events)
}

// unclaimed says why nothing is promised of a partition, or "".
func (p *partition) unclaimed(s *membership.Service) string {
	first := p.outcomes(s)[0]
	switch {
	case first.fate == begins:
		return "nobody has been a member throughout of those who now include " + guarantee.ListRanks(p.ranks)
	case first.fate == unclear:
		return "how many have to be left depends on when others were found to be gone"
	case first.at > s.Options().Until:
		u := p.unrest[0]
		return fmt.Sprintf("the last change is at t=%d, views may differ until t=%d, and the service ends at t=%d", u.Events[len(u.Events)-1].At, first.at, s.Options().Until)
	}
	return ""
}

// judge says what all of the partition hold in the end, or what is wrong with it.
func (p *partition) judge(s *membership.Service) (view, wrong string) {
	for _, c := range p.calms(s) {
		if c.fate >= unclear {
			break
		}
		switch view, wrong = p.judgeCalm(s, c); {
		case wrong != "" && c.at < s.Options().Until:
			return "", fmt.Sprintf("%s, at t=%d", wrong, c.at)
		case wrong != "":
			return "", wrong
		}
	}
	return view, ""
}

// judgeCalm looks at what ranks hold at an instant.
func (p *partition) judgeCalm(s *membership.Service, c calm) (view, wrong string) {
	if c.fate == aborts {
		return "all aborted: " + guarantee.ListRanks(p.ranks), p.survivor(s, c)
	}
	first := -1
	var right membership.Changes
	for _, rank := range p.ranks {
		if !c.members[rank] {
			continue
		}
		changes, member := holdsAt(s, rank, c.at)
		switch {
		case !member:
			return "", fmt.Sprintf("rank %d is live and no member", rank)
		case first >= 0 && changes == right:
			continue
		}
		if wrong := misfit(membership.View{Group: s.Group(), Changes: changes}, c.members); wrong != "" {
			return "", fmt.Sprintf("rank %d %s", rank, wrong)
		}
		if first >= 0 {
			return "", fmt.Sprintf("ranks %d and %d have the same members in different views", first, rank)
		}
		first, right = rank, changes
	}
	return describe(s, right), ""
}

// survivor says who has not aborted though it should have, or "".
func (p *partition) survivor(s *membership.Service, c calm) string {
	for _, rank := range p.ranks {
		if _, member := holdsAt(s, rank, c.at); c.members[rank] && member {
			return fmt.Sprintf("rank %d goes on, and half of the members were lost", rank)
		}
	}
	return ""
}

// holdsAt is what view a rank holds at an instant, and whether it is a member then.
func holdsAt(s *membership.Service, rank int, at clock.Time) (view membership.Changes, member bool) {
	r := &s.Records()[rank]
	if at >= s.Options().Until {
		return r.View, r.Member
	}
	term := slices.IndexFunc(r.Stays, func(stay membership.Stay) bool { return stay.From <= at && at < stay.To })
	if term < 0 {
		return "", false
	}
	for _, v := range r.Installed {
		if v.Term == term && v.At <= at {
			view = v.View
		}
	}
	return view, true
}

// misfit says who is in a view and should not be, or the other way round; or "".
func misfit(v membership.View, members []bool) string {
	for rank := range v.Ranks {
		switch has := v.Has(rank); {
		case has && !members[rank]:
			return fmt.Sprintf("has rank %d in its view: %s", rank, shortened(v))
		case !has && members[rank]:
			return fmt.Sprintf("does not have rank %d in its view: %s", rank, shortened(v))
		}
	}
	return ""
}
