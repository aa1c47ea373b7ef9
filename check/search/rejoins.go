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
	return x.subject.Machine.Detection.Delay > 0 || x.returning()
}

// returning reports whether ranks may come back.
func (x *explorer) returning() bool { return len(x.options.Rejoins) > 0 || x.given.Has(faults.Rejoin) }

// rejoins lists how those ranks can come back that have failed in a run, also sooner than they do.
func (x *explorer) rejoins(rep *report.Report) []candidate {
	if len(x.options.Rejoins) == 0 {
		return nil
	}
	all := x.sooner(rep)
	for _, failure := range rep.Failed {
		all = append(all, x.back(failure.Rank, failure.Time, clock.Never)...)
	}
	return all
}

// back lists how a rank can come back that has failed at an instant, before another one.
func (x *explorer) back(rank int, failed, before clock.Time) (all []candidate) {
	for _, delay := range x.options.Rejoins {
		if back := failed + delay; back < before {
			all = append(all, candidate{faults.Fault{Kind: faults.Rejoin, Rank: rank, At: faults.OnTime(back)}, back, 1})
		}
	}
	return all
}

// sooner lists how those ranks can come back that do so later.
func (x *explorer) sooner(rep *report.Report) (all []candidate) {
	failed := make(map[int]clock.Time)
	for i := range rep.Events {
		switch e := &rep.Events[i]; e.Kind {
		case report.EventCrash, report.EventHang:
			failed[e.Rank] = e.Time
		case report.EventRejoin:
			all = append(all, x.back(e.Rank, failed[e.Rank], e.Time)...)
		}
	}
	return all
}

// withoutOld leaves out what is there already: it is given, or has happened in a former life, as the number of a send in
// which a rank has failed comes again.
func (x *explorer) withoutOld(all []candidate, s faults.Schedule) []candidate {
	if len(x.options.Rejoins)+len(x.given) == 0 {
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
