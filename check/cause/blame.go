package cause

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// blamed is, of the faults that may have done something, one without which the other run was made, if there is such a one; of several the one that strikes last, which
// replaces what struck before.
func (t *teller) blamed(may func(*faults.Fault) bool) (last *faults.Fault) {
	all, dropped := t.broken.rep.Faults, false
	for i := range all {
		f := &all[i]
		if !may(f) {
			continue
		}
		isDropped := slices.Contains(t.dropped, *f)
		if last == nil || isDropped && !dropped || isDropped == dropped && f.At.Time >= last.At.Time {
			last, dropped = f, isDropped
		}
	}
	return last
}

// onTheWay is the fault of a kind that happened to a message.
func (t *teller) onTheWay(m *message, kind faults.Kind) *faults.Fault {
	e := t.broken.sender(m)
	return t.blamed(func(f *faults.Fault) bool { return f.Kind == kind && t.broken.concerns(f, e, m.n, m.left) })
}

// slowed is the fault that makes one of some ranks slow by an instant.
func (t *teller) slowed(by clock.Time, ranks ...int) *faults.Fault {
	return t.blamed(func(f *faults.Fault) bool {
		return f.Kind == faults.Slow && slices.Contains(ranks, f.Rank) && f.At.Time <= by
	})
}

// concerns reports whether a fault happens to the n-th message of a rank, which leaves it then.
func (t *trail) concerns(f *faults.Fault, e *report.Event, n int, left clock.Time) bool {
	if !f.OfLinks() {
		return f.Rank == e.Rank && f.At.N == n
	}
	// A link that has been mended is not cut. Which comes first of what happens at one instant is as in the schedule.
	alone := slices.DeleteFunc(slices.Clone(t.rep.Faults), func(other faults.Fault) bool { return other != *f && other.Kind != faults.Mend })
	var fate faults.Fate
	alone.Links(t.rep.Size()).Meet(e.Rank, e.Peer, left, &fate)
	return !fate.Arrives() || fate.Late > 0 || len(fate.Again) > 0
}
