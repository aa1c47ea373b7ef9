package catalog

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// latencies collects how long each broadcast of a series took: from its begin on the root
// until the last rank got it.
type latencies struct {
	broadcasts int
	root       int
	unit       line.Unit
	begin      []clock.Time   // when the root began; Never if it has not, or nobody knows any more
	last       []atomic.Int64 // when the last rank got it
	got        []int32        // how many of them a rank got: the first ones, since it skips none
	late       []int32        // how often a rank came too late for a synchronized one
}

// reset forgets an earlier run.
func (l *latencies) reset(ranks int) {
	l.begin = slices.Repeat([]clock.Time{clock.Never}, l.broadcasts)
	l.last = make([]atomic.Int64, l.broadcasts)
	l.got = make([]int32, ranks)
	l.late = make([]int32, ranks)
}

// watch is what a series reports to. Ranks call it at the same time; maxima do not depend on their
// order.
func (l *latencies) watch() broadcast.Watch {
	return broadcast.Watch{
		Coloured: l.coloured,
		Late:     func(_, rank int, _ clock.Time) { l.late[rank]++ },
	}
}

func (l *latencies) coloured(i, rank int, at clock.Time) {
	if rank == l.root {
		l.begin[i] = at
	}
	l.got[rank]++
	l.reach(i, at)
}

// reach notes that a rank has got a broadcast.
func (l *latencies) reach(i int, at clock.Time) {
	for {
		last := l.last[i].Load()
		if int64(at) <= last || l.last[i].CompareAndSwap(last, int64(at)) {
			return
		}
	}
}

// reached is how many of the live ranks got each broadcast.
func (l *latencies) reached(rep *report.Report) []int {
	upTo := make([]int, l.broadcasts+1) // ranks that got so many
	for rank := range rep.Live() {
		upTo[l.got[rank]]++
	}
	counts := make([]int, l.broadcasts)
	sum := 0
	for i := l.broadcasts - 1; i >= 0; i-- {
		sum += upTo[i+1]
		counts[i] = sum
	}
	return counts
}

// reachesAll holds if every broadcast reached all live ranks; or none, if the root failed.
func (l *latencies) reachesAll() guarantee.Guarantee {
	return guarantee.VerdictFunc("every broadcast reaches every live rank", false, func(run guarantee.Run) guarantee.Verdict {
		live := len(run.Report.Ranks) - len(run.Report.Failed)
		root, rootFailed := run.FailedRoot()
		reached := 0
		for i, n := range l.reached(run.Report) {
			if n < live && !(rootFailed && n == 0) {
				return guarantee.Verdict{Evidence: fmt.Sprintf("broadcast %d of %d reached %d of %d live ranks", i+1, l.broadcasts, n, live)}
			}
			if n > 0 {
				reached++
			}
		}
		if reached == 0 {
			return notClaimed(fmt.Sprintf("%s (%s, and no live rank was reached)", guarantee.RootsLive.Says, root))
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%d of %d broadcasts, %d live ranks", reached, l.broadcasts, live)}
	})
}

// inTime holds if synchronized broadcasts were far enough apart.
func (l *latencies) inTime() guarantee.Guarantee {
	return guarantee.Func("ranks are ready when a broadcast begins", false, func(guarantee.Run) (held bool, evidence string) {
		late := 0
		for _, times := range l.late {
			late += int(times)
		}
		if late > 0 {
			return false, fmt.Sprintf("%d times a rank was late; want a longer period", late)
		}
		return true, "nobody was late"
	})
}

// times are the latencies of broadcasts that reached all live ranks, sorted, and how many did.
// Latencies are not known if the root has failed and taken its notes with it.
func (l *latencies) times(rep *report.Report) (all []float64, complete int) {
	live := len(rep.Ranks) - len(rep.Failed)
	for i, n := range l.reached(rep) {
		if n < live || live == 0 {
			continue
		}
		if complete++; l.begin[i] != clock.Never {
			all = append(all, float64(clock.Time(l.last[i].Load())-l.begin[i]))
		}
	}
	slices.Sort(all)
	return all, complete
}

// details sum up the broadcasts that reached all live ranks.
func (l *latencies) details(rep *report.Report) []scenarios.Detail {
	all, complete := l.times(rep)
	details := []scenarios.Detail{{Name: "broadcasts", Text: fmt.Sprintf("%d of %d reached every live rank", complete, l.broadcasts)}}
	if len(all) == 0 {
		return details
	}
	return append(details, scenarios.Detail{Name: "latency", Text: fmt.Sprintf("median %s%s, quartiles %g and %g, from %g to %g",
		l.unit.SpanOf(quantile(all, 0.5)), line.Within(rep.ClockError), quantile(all, 0.25), quantile(all, 0.75), quantile(all, 0), quantile(all, 1))})
}

// quantile returns the value below which that share of sorted values lies, in between two
// of them if need be.
func quantile(sorted []float64, share float64) float64 {
	place := share * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (place-float64(low))*(sorted[high]-sorted[low])
}
