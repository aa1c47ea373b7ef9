package view

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// faultItem is an item of the schedule of failures.
type faultItem struct {
	Text  string `json:"text"`
	Rank  int    `json:"rank"` // -1 if it is about links
	Time  int64  `json:"time"` // when it happened; -1 if it did not, or events do not say
	Fired bool   `json:"fired"`
}

// maxListed is how many items a list on a page has at most.
const maxListed = 500

// schedule lists the faults of a run, after all draws.
func schedule(run Run, leftOut []string) ([]faultItem, []string) {
	rep := run.Report
	times := slowTimes(rep)
	items := []faultItem{}
	for i, f := range rep.Faults {
		if i == maxListed {
			return items, append(leftOut, fmt.Sprintf("The schedule lists %d of %d faults.", i, len(rep.Faults)))
		}
		item := faultItem{Text: f.String(), Rank: f.Rank, Time: -1, Fired: !slices.Contains(rep.Unfired, f)}
		if f.Kind == faults.Cut {
			item.Rank = -1
		}
		if item.Fired {
			item.Time = timeOf(f, rep, times)
		}
		items = append(items, item)
	}
	return items, leftOut
}

// timeOf is when a fault happened. Those at a point of the program are found by their effect.
func timeOf(f faults.Fault, rep *report.Report, slow map[int]clock.Time) int64 {
	switch {
	case f.At.Anchor == faults.AtTime:
		return int64(f.At.Time)
	case f.Kind == faults.Slow:
		if at, known := slow[f.Rank]; known {
			return int64(at)
		}
		return -1
	}
	failure, failed := rep.FailureOf(f.Rank)
	if !failed {
		return -1 // it has come back
	}
	return int64(failure.Time)
}

// slowTimes are the first slow-downs of ranks at points of their programs.
func slowTimes(rep *report.Report) map[int]clock.Time {
	times := make(map[int]clock.Time)
	if !slices.ContainsFunc(rep.Faults, func(f faults.Fault) bool { return f.Kind == faults.Slow && f.At.Anchor != faults.AtTime }) {
		return times
	}
	for i := range rep.Events {
		if e := &rep.Events[i]; e.Kind == report.EventSlow {
			if _, known := times[e.Rank]; !known {
				times[e.Rank] = e.Time
			}
		}
	}
	return times
}

// cuts are when links were cut.
func cuts(run Run) column {
	times := column{}
	for f := range run.Report.Fired() {
		if f.Kind == faults.Cut {
			times = append(times, int64(f.At.Time))
		}
	}
	slices.Sort(times)
	return slices.Compact(times) // a column of equal numbers would not be a list
}

// waiting lists the ranks that wait for ever: first those that are drawn, all of them.
func waiting(run Run, leftOut []string) ([]waitItem, []string) {
	waits, all := []waitItem{}, run.Report.Deadlocks
	for _, drawn := range []bool{true, false} {
		for _, d := range all {
			if run.Ranks.has(d.Rank) != drawn {
				continue
			}
			if !drawn && len(waits) >= maxListed {
				return waits, append(leftOut, fmt.Sprintf("The report lists %d of %d ranks that wait for ever.", len(waits), len(all)))
			}
			waits = append(waits, waitItem{d.Rank, int64(d.Since), d.String()})
		}
	}
	return waits, leftOut
}
