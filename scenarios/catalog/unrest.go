package catalog

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// unrest is when views may differ in a partition: after events of its own, and when others were cut
// off, of whom it hears no more. What comes after the end of the service does not matter.
func unrest(rep *report.Report, s *membership.Service, group []int) []membership.Unrest {
	var events []membership.Event
	gone := cutOff(rep, group)
	for _, e := range comingsAndGoings(rep, s) {
		if e, matters := before(e, min(gone[e.Rank], s.Options().Until)); matters {
			events = append(events, e)
		}
	}
	for rank, at := range gone {
		if at < s.Options().Until {
			events = append(events, membership.Event{At: at, Rank: rank})
		}
	}
	return s.Unrest(events)
}

// before is as much of an event as may have been before an instant.
func before(e membership.Event, end clock.Time) (membership.Event, bool) {
	if late := e.At - end; late >= 0 {
		e.At, e.Early = end-1, e.Early-late-1
	}
	return e, e.Early >= 0
}

// comingsAndGoings are failures, and who comes or comes back, in order if they are at one instant.
func comingsAndGoings(rep *report.Report, s *membership.Service) (events []membership.Event) {
	for _, r := range rep.Rejoined {
		events = append(events, failureBefore(rep, r), membership.Event{At: r.Time, Rank: r.Rank, Comes: true})
	}
	for _, j := range s.Options().Joins {
		f, failed := rep.FailureOf(j.Rank)
		before := slices.ContainsFunc(events, func(e membership.Event) bool { return e.Rank == j.Rank && e.At <= j.At })
		if !before && !(failed && f.Time <= j.At) {
			events = append(events, membership.Event{At: j.At, Rank: j.Rank, Comes: true})
		}
	}
	for _, f := range rep.Failed {
		events = append(events, lastFailure(rep, f))
	}
	return events
}

// failureBefore is that of a rank that came back. The report does not say when that was: it is known
// exactly only if the rank had one reason to fail, at an instant.
func failureBefore(rep *report.Report, back report.Rejoin) membership.Event {
	var stops []faults.Fault
	for _, f := range rep.Faults {
		if f.Kind.Stops() && f.Rank == back.Rank {
			stops = append(stops, f)
		}
	}
	if len(stops) == 1 && stops[0].At.Anchor == faults.AtTime {
		return membership.Event{At: stops[0].At.Time, Rank: back.Rank}
	}
	return membership.Event{At: back.Time, Early: back.Time, Rank: back.Rank}
}

// lastFailure is that of a rank that stays away. One that crashes may have hung before, which the report does not say.
func lastFailure(rep *report.Report, f report.Failure) membership.Event {
	e := membership.Event{At: f.Time, Rank: f.Rank}
	hang := func(h faults.Fault) bool { return h.Kind == faults.Hang && h.Rank == f.Rank }
	if f.Outcome == report.Crashed && slices.ContainsFunc(rep.Faults, hang) {
		e.Early = e.At
	}
	return e
}

// cutOff is when each rank was cut off from a partition: never, if it belongs to it.
func cutOff(rep *report.Report, group []int) []clock.Time {
	gone := slices.Repeat([]clock.Time{clock.Never}, len(rep.Ranks))
	for _, f := range rep.Faults {
		if f.Kind != faults.Cut {
			continue
		}
		sides := f.Sides(len(rep.Ranks))
		var here [3]bool // a rank of the partition is on that side
		for _, rank := range group {
			here[sides[rank]] = true
		}
		for rank, side := range sides {
			if side != 0 && here[3-side] {
				gone[rank] = min(gone[rank], f.At.Time)
			}
		}
	}
	return gone
}
