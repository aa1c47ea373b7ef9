package catalog

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// expectedCalm is when all should agree after the faults of a line, on each side of its cuts, and an
// inquiry more. It is 0 without faults, and if nobody finds out about them.
func expectedCalm(s line.Settings, service *membership.Service) (at clock.Time) {
	o := service.Options()
	schedule, err := s.Faults().Expand(s.Int("P"), s.Seed())
	if err != nil || len(schedule) == 0 || o.Inquiry != membership.Successor {
		return 0
	}
	for side := uint8(1); side <= 2; side++ {
		events := expectedEvents(schedule, service, side)
		if at = max(at, service.Bound(events)); o.Abort {
			at = max(at, expectedAborts(service, events))
		}
	}
	return at + o.Every
}

// expectedAborts is when those have aborted who are left after events that take away half of a group, or more; else 0. In a large
// group they may have to find out one by one that the others have done so: who wants to wait for that has to say so.
func expectedAborts(service *membership.Service, events []membership.Event) clock.Time {
	const worthWaiting = 10 // times as long as it takes to agree
	var stay []int
	for rank := range service.Group().Ranks {
		if !slices.ContainsFunc(events, func(e membership.Event) bool { return e.Rank == rank && !e.Comes }) {
			stay = append(stay, rank)
		}
	}
	if len(stay) == 0 || 2*len(stay) > service.Group().Ranks {
		return 0
	}
	at := allAborted(service, events, stay)
	if at > service.Bound(events).Times(worthWaiting) {
		return 0
	}
	return at
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
		case f.Kind == faults.Slow:
		case f.Kind == faults.Cut:
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

// acrossCut has those leave who are on the other side of a cut.
func acrossCut(f faults.Fault, ranks int, side uint8) (events []membership.Event) {
	for rank, other := range f.Sides(ranks) {
		if other != 0 && other != side {
			events = append(events, membership.Event{At: f.At.Time, Rank: rank})
		}
	}
	return events
}
