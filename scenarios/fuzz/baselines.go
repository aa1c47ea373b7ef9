package fuzz

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/report"
)

// The broadcasts that Corrected Gossip compares itself with (section IV-B).

// Slow ranks do no harm to a binomial graph: nobody waits for anything but the first message.
var bigPromises = promises{traced: true, list: []promise{
	soundness,
	{"a rank that has the message does not wait for ever", nil, reachedWait},
	{"every live rank is reached and nobody waits for ever", func(t *trial) bool {
		dimensions := bits.Len(uint(t.number("P") - 1)) // log2 P, rounded up
		return !t.rootFailed() && len(t.report.Failed) <= max(0, dimensions-1)
	}, left},
}}

var bfbPromises = promises{traced: true, list: []promise{
	soundness,
	{"when the root says so, all live ranks have the message", nil, tooSoon},
	{"there are no more attempts than failures meanwhile, and one", nil, restarts},
	{"a rank that has the message does not wait for ever", lingers, reachedWait},
	{"every live rank is reached and nobody waits for ever", func(t *trial) bool { return !t.rootFailed() && lingers(t) }, left},
}}

// lingers is when nobody waits in vain for a rank that has failed or left.
//
// The detector has to notice every failure. Nobody waits for the root, so that one may hang.
//
// Ranks linger long enough if all are as fast as they should be, and failures are noticed in
// time. If not, nothing is promised once somebody has left too soon. That cannot happen as long
// as nobody fails in the course of the broadcast: then there is no other attempt to linger for.
func lingers(t *trial) bool {
	strained := false
	for _, failure := range t.report.Failed {
		if failure.Rank == t.root() {
			continue
		}
		at, hung := t.fell(failure.Rank)
		unnoticed := hung && t.is("notices", "crashes")
		if unnoticed && failure.Outcome == report.Hung { // it did not crash later
			return false
		}
		strained = strained || unnoticed || at > 0 && t.slow()
	}
	return !strained || !t.leftTooSoon()
}

// leftTooSoon reports whether something came to a rank that had returned. The root returns when
// all is over.
func (t *trial) leftTooSoon() bool {
	return slices.ContainsFunc(t.report.Events, func(e report.Event) bool {
		r := t.report.Ranks[e.Rank]
		return e.Kind == report.EventReceive && e.Rank != t.root() && r.Outcome == report.Finished && e.Time > r.Exit
	})
}

// tooSoon says who has no message although the root has declared the broadcast complete.
func tooSoon(t *trial) string {
	at := t.completed()
	for rank, r := range t.report.Ranks {
		if !r.Outcome.Failed() && r.Coloured > at {
			return fmt.Sprintf("complete at t=%d, rank %d reached at t=%d", at, rank, r.Coloured)
		}
	}
	return ""
}

// restarts says if there were too many. Who is down from the start costs no attempt.
func restarts(t *trial) string {
	failures, complete := 0, t.completed()
	for _, failure := range t.report.Failed {
		at, hung := t.fell(failure.Rank)
		if hung && t.is("notices", "crashes") {
			at = failure.Time // nobody notices until it crashes as well
		}
		if at > 0 && at <= complete {
			failures++
		}
	}
	if attempts := 1 + len(t.passing(buntinas.StepRestart)); attempts > 1+failures {
		return fmt.Sprintf("%d attempts, %d failures", attempts, failures)
	}
	return ""
}

// completed is when the root knew that the broadcast was complete, or never.
func (t *trial) completed() clock.Time {
	for _, e := range t.report.Events {
		if e.Kind == report.EventStep && e.Step == buntinas.StepComplete {
			return e.Time
		}
	}
	return clock.Never
}
