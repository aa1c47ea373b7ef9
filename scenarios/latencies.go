package scenarios

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

// latencies collects how long each broadcast of a series took: from its begin on the root
// until the last rank got it.
type latencies struct {
	broadcasts int
	root       int
	begin      []clock.Time
	last       []atomic.Int64
	count      []atomic.Int64 // ranks that got it
}

// reset forgets an earlier run.
func (l *latencies) reset() {
	l.begin = make([]clock.Time, l.broadcasts)
	l.last = make([]atomic.Int64, l.broadcasts)
	l.count = make([]atomic.Int64, l.broadcasts)
}

// got notes when a rank got one of the messages. Ranks call it at the same time; a maximum
// and a count do not depend on their order.
func (l *latencies) got(i, rank int, at clock.Time) {
	if rank == l.root {
		l.begin[i] = at
	}
	l.count[i].Add(1)
	for {
		last := l.last[i].Load()
		if int64(at) <= last || l.last[i].CompareAndSwap(last, int64(at)) {
			return
		}
	}
}

// figures sums up the broadcasts that somebody got.
func (l *latencies) figures(rep *emu.Report) []Figure {
	live := int64(len(rep.Ranks) - len(rep.Failed))
	var all []float64
	complete := 0
	for i := range l.last {
		if l.count[i].Load() == 0 {
			continue
		}
		all = append(all, float64(clock.Time(l.last[i].Load())-l.begin[i]))
		if l.count[i].Load() >= live {
			complete++
		}
	}
	slices.Sort(all)
	return []Figure{
		{"broadcasts", fmt.Sprintf("%d of %d reached every live rank", complete, len(l.last))},
		{"latency", fmt.Sprintf("median %g ticks, quartiles %g and %g, from %g to %g",
			quantile(all, 0.5), quantile(all, 0.25), quantile(all, 0.75), quantile(all, 0), quantile(all, 1))},
	}
}

// quantile returns the value below which that share of sorted values lies, in between two
// of them if need be; 0 of none.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	place := share * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (place-float64(low))*(sorted[high]-sorted[low])
}
