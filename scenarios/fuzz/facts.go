package fuzz

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// text returns the value of a key.
func (t *trial) text(key string) string { return t.run.Settings().Text(key) }

// number returns a value that is a number.
func (t *trial) number(key string) int { return t.run.Settings().Int(key) }

// is reports whether a key has one of these values.
func (t *trial) is(key string, values ...string) bool { return slices.Contains(values, t.text(key)) }

// root returns the rank that begins.
func (t *trial) root() int { return t.number("root") }

// rootFailed reports whether it failed.
func (t *trial) rootFailed() bool { return t.report.Ranks[t.root()].Outcome.Failed() }

// late is how many ranks failed after they may have sent something. For all others it is the
// same as if the rank had been down from the start.
func (t *trial) late() int {
	n := 0
	for _, failure := range t.report.Failed {
		if !t.silent(failure.Rank) {
			n++
		}
	}
	return n
}

// silent reports whether a rank would have failed before it sent anything of a broadcast,
// whatever else the schedule has for it.
func (t *trial) silent(rank int) bool {
	return slices.ContainsFunc(t.schedule, func(f faults.Fault) bool {
		return f.Rank == rank && f.Kind.Stops() && t.silences(f)
	})
}

// silences reports whether a rank cannot get past the point of a crash or hang before it
// sends anything of a broadcast. Who is not the root receives before that. The root may pass
// them all.
func (t *trial) silences(f faults.Fault) bool {
	if f.At == faults.OnTime(0) {
		return true
	}
	if f.Rank == t.root() {
		return false
	}
	switch f.At.Anchor {
	case faults.BeforeSend, faults.MidSend, faults.AtRecv:
		return f.At.N == 1
	case faults.AtStep:
		return f.At.N == 1 && slices.Contains(t.unheard, f.At.Step)
	}
	return false
}

// slow reports whether some ranks may have been slow.
func (t *trial) slow() bool { return t.schedule.Has(faults.Slow) }

// passing are the ranks that pass a step, each as often as it does.
func (t *trial) passing(step string) []int {
	var ranks []int
	for _, e := range t.report.Events {
		if e.Kind == report.EventStep && e.Step == step {
			ranks = append(ranks, e.Rank)
		}
	}
	return ranks
}

// fell is when a rank failed, for the first time if it hung and crashed later, and whether it
// hung. A report has the crash only.
func (t *trial) fell(rank int) (at clock.Time, hung bool) {
	for _, e := range t.report.Events {
		if e.Rank == rank && (e.Kind == report.EventCrash || e.Kind == report.EventHang) {
			return e.Time, e.Kind == report.EventHang
		}
	}
	return clock.Never, false
}
