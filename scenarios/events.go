package scenarios

import (
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
)

// RecordsEvents reports whether events are recorded in every run of the line: because a promise looks at them, unless the protocol leaves that to those
// who ask for a trace ([Protocol].EventsIfAsked).
func (r *Run) RecordsEvents() bool {
	return !r.protocol.EventsIfAsked && slices.ContainsFunc(r.experiment.Promises, guarantee.Guarantee.NeedsEvents)
}

// trace is what is recorded if so much was asked for.
func (r *Run) trace(asked emu.TraceLevel) emu.TraceLevel {
	if r.RecordsEvents() {
		return max(asked, emu.TraceEvents)
	}
	return asked
}
