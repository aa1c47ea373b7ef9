package fuzz

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// The group membership service of Varma's thesis. Its guarantees say themselves what is promised for
// which failures; ranks may come back here, and links may be cut.
var membershipPromises = promises{traced: true, list: []promise{
	{"nobody waits for ever", nil, waiting},
	guarantees,
	{"nobody begins a group of its own while a first member lives", lastingGroup, passes(membership.StepFound)},
	{"nobody who lives is excluded", undisturbed, passes(membership.StepExcluded)},
}}

// patient is when nobody has a reason to take a live rank for failed: timeouts are long enough,
// all ranks are as fast as they should be and can talk to each other.
func patient(t *trial) bool {
	return t.is("timeout", "auto") && !t.slow() && !t.schedule.Has(faults.Cut)
}

// lastingGroup is when whoever asks to become a member gets an answer: one of those that were
// members at the start is there throughout.
func lastingGroup(t *trial) bool {
	if !patient(t) || t.is("minority", "abort") {
		return false
	}
	first := t.number("P")
	if !t.is("members", "auto") {
		first = t.number("members")
	}
	for rank := range first {
		if at, _ := t.fell(rank); at == clock.Never {
			return true
		}
	}
	return false
}

// undisturbed is when live ranks stay members. Ranks that come back are left out, because what they did
// not answer before may be held against them, and so are those that begin a group of their own: of
// two groups one gives in.
func undisturbed(t *trial) bool {
	return patient(t) && !t.schedule.Has(faults.Rejoin) && len(t.passing(membership.StepFound)) == 0
}

// passes says who has passed a step, which nobody should.
func passes(step string) func(*trial) string {
	return func(t *trial) string {
		for _, e := range t.report.Events {
			if e.Kind == report.EventStep && e.Step == step {
				return fmt.Sprintf("rank %d at t=%d", e.Rank, e.Time)
			}
		}
		return ""
	}
}
