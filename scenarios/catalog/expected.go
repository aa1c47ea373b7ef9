package catalog

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// expectedCalm is when all should agree after the faults of a line, on each side of its cuts, and an
// inquiry more. Faults that cannot be drawn are refused elsewhere.
func expectedCalm(s line.Settings, service *membership.Service) (at clock.Time) {
	schedule, _ := s.Faults().Expand(s.Int("P"), s.Seed())
	for side := uint8(1); side <= 2; side++ {
		events := expectedEvents(schedule, service, side)
		calm := service.Bound(events)
		if service.Options().Abort {
			calm = expectedAborts(service, events)
		}
		at = max(at, calm)
	}
	return at + service.Options().Every
}

// expectedAborts is when all agree after some events or, if these take away half of a group or more, those have aborted who are left. In a large
// group they may have to find out one by one that the others have done so: who wants to wait for that has to say so.
func expectedAborts(service *membership.Service, events []membership.Event) clock.Time {
	const worthWaiting = 10 // times as long as it takes to agree
	agreed := service.Bound(events)
	var stay []int
	for rank := range service.Group().Ranks {
		if !slices.ContainsFunc(events, func(e membership.Event) bool { return e.Rank == rank && !e.Comes }) {
			stay = append(stay, rank)
		}
	}
	if 2*len(stay) > service.Group().Ranks {
		return agreed
	}
	if aborted := allAborted(service, events, stay); aborted <= agreed.Times(worthWaiting) {
		return aborted
	}
	return agreed
}

// expectedEvents are those of a schedule and of joins as one side of its cuts sees them. What is tied to steps of
// ranks may happen as long as others bring them about: until all is calm after whatever else there is.
func expectedEvents(schedule faults.Schedule, service *membership.Service, side uint8) (events []membership.Event) {
	o := service.Options()
	for _, j := range o.Joins {
		events = append(events, membership.Event{At: j.At, Rank: j.Rank, Comes: true})
	}
	var steps []membership.Event
	for _, f := range schedule {
		switch e := (membership.Event{At: expectedTime(f.At, o), Rank: f.Rank, Comes: f.Kind == faults.Rejoin}); {
		case f.Kind == faults.Slow || f.Kind.OfMessages():
		case f.Kind == faults.Cut || f.Kind == faults.Mend:
			events = append(events, acrossCut(f, service.Group().Ranks, side)...)
		case f.At.Anchor == faults.AtStep:
			steps = append(steps, e)
		default:
			events = append(events, e)
		}
	}
	for _, e := range steps {
		e.At = service.Bound(events)
		events = append(events, e)
	}
	return events
}

// expectedTime is by when a rank gets to a point: with each inquiry it sends and receives a message, at
// least.
func expectedTime(at faults.Point, o membership.Options) clock.Time {
	if at.Anchor == faults.AtTime {
		return at.Time
	}
	return o.Every.Times(int(at.N))
}

// acrossCut has those leave who are on the other side of a cut, and come if it is mended. Of those who may be cut off one way, so may the
// others be in effect: who does not hear the answers to its questions.
func acrossCut(f faults.Fault, ranks int, side uint8) (events []membership.Event) {
	for rank, other := range f.Sides(ranks) {
		if other != 0 && other != side {
			events = append(events, membership.Event{At: f.At.Time, Rank: rank, Comes: f.Kind == faults.Mend})
		}
	}
	return events
}
