package fuzz

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Collective operations that go on when ranks fail, and what is computed with them. The guarantees say
// themselves what is promised: nothing if failures go unnoticed or live ranks
// are taken for failed. Plain operations may give up, but never wait for ever.
var teamPromises = promises{list: []promise{
	guarantees,
	{"nobody waits for ever", noticedAll, waiting},
	{"somebody has the right result", func(t *trial) bool { return noticedAll(t) && !t.is("strategy", "plain") && t.anyLeft() }, unfinished},
}}

// noticedAll is when the detector tells of all failures, and of nothing else.
func noticedAll(t *trial) bool {
	if t.is("detector", "wrong") && t.slow() {
		return false
	}
	return t.is("detector", "heartbeat", "wrong") || !t.schedule.Has(faults.Hang)
}

// anyLeft reports whether a rank is left.
func (t *trial) anyLeft() bool { return len(t.report.Failed) < len(t.report.Ranks) }

// unfinished says that live ranks have not come to the end.
func unfinished(t *trial) string {
	if t.outcome.Completion.At == clock.Never {
		return "it was not completed: " + t.outcome.Guarantees[0].Evidence
	}
	return ""
}
