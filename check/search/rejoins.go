package search

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// A rank that comes back does so a given time after it has failed. So points at different
// instants come to different schedules even if nothing is sent between them, and what the rank
// had done before is no longer the affair of a rank that is gone: each point is run by itself.
// Its failure counts as seen when it happens, as with a detector, and hence before the rejoin
// that follows from it.

// apart reports whether no two points come to the same.
func (x *explorer) apart() bool {
	return x.subject.Machine.Detection.Delay > 0 || len(x.options.Rejoins) > 0
}

// rejoins lists how those ranks can come back that have failed in a run.
func (x *explorer) rejoins(rep *report.Report) []candidate {
	var all []candidate
	for _, failure := range rep.Failed {
		for _, delay := range x.options.Rejoins {
			back := failure.Time + delay
			fault := faults.Fault{Kind: faults.Rejoin, Rank: failure.Rank, At: faults.OnTime(back)}
			all = append(all, candidate{fault, back, 1})
		}
	}
	return all
}

// withoutOld leaves out what has happened already, in a former life: the number of a send in
// which a rank has failed comes again.
func (x *explorer) withoutOld(all []candidate, s faults.Schedule) []candidate {
	if len(x.options.Rejoins) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return slices.Contains(s, c.fault) })
}

// orderRejoins makes each delay count once, and refuses those after which nobody comes back.
func (o *ExploreOptions) orderRejoins() error {
	o.Rejoins = slices.Compact(slices.Sorted(slices.Values(o.Rejoins)))
	for _, delay := range o.Rejoins {
		if delay < 1 || delay > clock.MaxCost {
			return fmt.Errorf("search: rejoin %d ticks after a failure, want 1 to %d", delay, clock.MaxCost)
		}
	}
	return nil
}

// die ends a life in which the rank failed for the n-th time, from 0, because of the schedule.
// Points count through all lives, also those at which the rank failed and about which events
// say nothing.
func (l *life) die(s faults.Schedule, rank, n int) {
	switch at := nthFailure(s, rank, n); at.Anchor {
	case faults.AtRecv:
		l.takes++ // the message was taken, but not processed
	case faults.MidSend:
		l.lost = at.N // the next send has the same number
	}
}

// nthFailure is where a schedule lets a rank fail for the n-th time, from 0. Explorations list
// faults in the order in which they happen.
func nthFailure(s faults.Schedule, rank, n int) faults.Point {
	for _, f := range s {
		if f.Kind.Stops() && f.Rank == rank {
			if n == 0 {
				return f.At
			}
			n--
		}
	}
	return faults.Point{}
}
