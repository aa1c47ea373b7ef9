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
	times := effectsAtPoints(rep)
	items := []faultItem{}
	for i, f := range rep.Faults {
		if i == maxListed {
			return items, append(leftOut, fmt.Sprintf("The schedule lists %d of %d faults.", i, len(rep.Faults)))
		}
		item := faultItem{Text: f.String(), Rank: f.Rank, Time: -1, Fired: !slices.Contains(rep.Unfired, f)}
		if f.OfLinks() {
			item.Rank = -1
		}
		if item.Fired {
			item.Time = timeOf(&f, times)
		}
		items = append(items, item)
	}
	return items, leftOut
}

// timeOf is when a fault happened. Those at a point of the program are found by their effect. If the same has happened to
// the rank at several points, events do not say which was which.
func timeOf(f *faults.Fault, times map[effect][]clock.Time) int64 {
	if f.At.Anchor == faults.AtTime {
		return int64(f.At.Time)
	}
	if at := times[effectOf(f)]; len(at) == 1 {
		return int64(at[0])
	}
	return -1
}

// effect is what a fault does to a rank.
type effect struct {
	rank int
	kind report.EventKind
}

// effects are the events that faults bring about at points of programs.
var effects = map[faults.Kind]report.EventKind{
	faults.Crash: report.EventCrash, faults.Hang: report.EventHang, faults.Slow: report.EventSlow,
	faults.Late: report.EventLate, faults.Lose: report.EventDrop, faults.Twice: report.EventTwice,
}

func effectOf(f *faults.Fault) effect { return effect{f.Rank, effects[f.Kind]} }

// effectsAtPoints are when faults took effect that are tied to points of programs. A rank that fails, comes back and fails
// again has several.
func effectsAtPoints(rep *report.Report) map[effect][]clock.Time {
	times := make(map[effect][]clock.Time)
	for i := range rep.Events {
		switch e := &rep.Events[i]; e.Kind {
		case report.EventCrash, report.EventHang, report.EventSlow, report.EventLate, report.EventDrop, report.EventTwice:
			x := effect{e.Rank, e.Kind}
			times[x] = append(times[x], e.Time)
		}
	}
	for f := range rep.Fired() { // those by the clock are not tied to a point
		if f.Kind.Stops() && f.At.Anchor == faults.AtTime {
			x := effectOf(f)
			if i := slices.Index(times[x], f.At.Time); i >= 0 {
				times[x] = slices.Delete(times[x], i, i+1)
			}
		}
	}
	return times
}

// linksChanged are when links were cut, or mended.
func linksChanged(run Run, kind faults.Kind) column {
	times := column{}
	for f := range run.Report.Fired() {
		if f.Kind == kind {
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
