package membership

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// Event is that somebody leaves, because it fails or can no longer be reached, or that somebody
// comes, who was never there or had left.
type Event struct {
	At    clock.Time
	Early clock.Time // it may have been so much earlier, if At is not known exactly
	Rank  int
	Comes bool
}

// Unrest is a time in which views may differ. It begins with an event, and there may be others
// before it is over.
type Unrest struct {
	From, To clock.Time
	Events   []Event
}

// Unrest says when views may differ if these events happen, ranks ask their successors, timeouts are
// long enough, no live rank is slow, and somebody is a member throughout. At all other times all
// live members hold the same view, of all of them and nobody else. An event that comes before an
// unrest is over makes it longer; one that comes later begins another, and they do not add up.
func (s *Service) Unrest(events []Event) (all []Unrest) {
	events = s.real(events)
	for begin, end := 0, 0; begin < len(events); begin = end {
		at := events[begin].At
		next := Unrest{From: at}
		for ; end < len(events) && events[end].At == at; end++ {
			next.From = min(next.From, at-events[end].Early)
		}
		first := begin
		for len(all) > 0 && next.From < all[len(all)-1].To {
			last := all[len(all)-1]
			next.From, first, all = min(last.From, next.From), first-len(last.Events), all[:len(all)-1]
		}
		next.Events = events[first:end]
		next.To = at + s.calming(events[:first], next.Events)
		all = append(all, next)
	}
	return all
}

// real orders events, and leaves out that somebody leaves who is not there: one that has failed is
// not cut off as well. Nobody would find out.
func (s *Service) real(events []Event) (all []Event) {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	there := make([]bool, s.group.Ranks)
	for rank := range s.group.Members {
		there[rank] = true
	}
	for _, e := range events {
		if e.Comes || there[e.Rank] {
			all = append(all, e)
		}
		there[e.Rank] = e.Comes
	}
	return all
}

// Bound is by when all live ranks hold the same view after these events, on the terms of Unrest.
func (s *Service) Bound(events []Event) clock.Time {
	all := s.Unrest(events)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].To
}

// calming is how long it takes after the last of these events until all agree, if they agreed after
// the earlier ones.
func (s *Service) calming(earlier, events []Event) (time clock.Time) {
	u := s.unsettled(earlier, events)
	switch {
	case len(u.lost) == 0:
	case s.options.Inquiry != Successor:
		return clock.Forever // failures are found by chance, or not at all
	case !u.allBack():
		time = u.searches(u.detection())
	}
	if u.anybodyComes() { // it asks while others look for those who have left
		time = max(time, u.entries()) + u.underWay()
	}
	return time + u.down()
}
