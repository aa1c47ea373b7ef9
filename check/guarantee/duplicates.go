package guarantee

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// NoDuplicates holds if a rank delivers at most once per operation: guarantee II (Corrected
// Gossip, section II; Corrected Trees, section 2.1: "a process receives a broadcast message
// at most once").
//
// Broadcasts send to a rank more than once, on purpose. To receive is not to deliver:
// protocols pass a named step when they deliver.
//
// What is checked: no rank passes the step more often than there are operations. With
// ByEpoch, in addition, no rank other than a root passes it twice with a message of the same
// epoch, that of the message it took last. This finds a late copy of one broadcast that is
// delivered in the place of the next.
type NoDuplicates struct {
	Step       string // "": the step "coloured"
	Operations int    // 0: one
	// ByEpoch is for protocols that pass the step straight after the receive of what they
	// deliver.
	ByEpoch bool
}

// Name is the promise in a few words.
func (NoDuplicates) Name() string { return "no duplicates" }

// NeedsEvents is true.
func (NoDuplicates) NeedsEvents() bool { return true }

func (NoDuplicates) safety() {}

// Check looks for the first delivery too many.
func (g NoDuplicates) Check(run Run) Verdict {
	g = g.withDefaults()
	d := deliveries{
		last:  make([]uint32, len(run.Report.Ranks)),
		count: make([]int, len(run.Report.Ranks)),
		from:  make(map[operation]bool),
	}
	passages := 0
	for i := range run.Report.Events {
		e := &run.Report.Events[i]
		switch {
		case e.Kind == report.EventTake:
			d.last[e.Rank] = e.Epoch
		case e.Kind == report.EventStep && e.Step == g.Step:
			if wrong := d.deliver(g, e, run.Roots); wrong != "" {
				return Verdict{Name: g.Name(), Evidence: wrong}
			}
			passages++
		}
	}
	return Verdict{Name: g.Name(), Value: looked(passages), Evidence: fmt.Sprintf("step %s %d times, on no rank more than %s", g.Step, passages, times(g.Operations))}
}

func (g NoDuplicates) withDefaults() NoDuplicates {
	if g.Step == "" {
		g.Step = "coloured"
	}
	g.Operations = max(g.Operations, 1)
	return g
}

// deliveries is what ranks have delivered so far.
type deliveries struct {
	last  []uint32 // epoch of the message that each rank took last
	count []int
	from  map[operation]bool // what was delivered, if that matters
}

// deliver counts a delivery and says what is wrong with it, if anything.
func (d *deliveries) deliver(g NoDuplicates, e *report.Event, roots []int) string {
	d.count[e.Rank]++
	if n := d.count[e.Rank]; n > g.Operations {
		return fmt.Sprintf("%s: that is %s, want at most %s", e, times(n), times(g.Operations))
	}
	if !g.ByEpoch || slices.Contains(roots, e.Rank) {
		return ""
	}
	op := operation{e.Rank, d.last[e.Rank]}
	if d.from[op] {
		return fmt.Sprintf("%s: it had delivered a message of epoch %d before", e, op.epoch)
	}
	d.from[op] = true
	return ""
}

// times reads like "once" or "3 times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
