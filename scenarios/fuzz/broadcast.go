package fuzz

import (
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// soundness is promised by everything that spreads a message, whatever fails. It shows in
// traces only.
var soundness = promise{"what is received was sent, by ranks that have the message, and it is delivered once", nil, unsound}

var broadcastPromises = promises{unheard: []string{broadcast.StepColoured}, list: []promise{
	{"a rank that has the message does not wait for ever", waitsForNothing, reachedWait},
	{"every live rank is reached and nobody waits for ever", spreads, left},
	{"either all live ranks are reached or none", allOrNothing, divided},
	{"every broadcast of a series is in time", punctual, notHeld},
}}

var multiTreePromises = promises{unheard: []string{broadcast.StepColoured}, list: []promise{
	{"a rank that has the message does not wait for ever", nil, reachedWait},
	{"every live rank is reached and nobody waits for ever", func(t *trial) bool {
		return !t.rootFailed() && len(t.report.Failed) < t.number("trees")
	}, left},
}}

var allReducePromises = promises{unheard: []string{reduce.StepExchanged, reduce.StepReduced, broadcast.StepColoured}, list: []promise{
	{"whole results are the same everywhere, each live rank once and in order", nil, wrongResult},
	{"nobody waits for ever", spreads, waiting},
	{"every live rank has a whole result", func(t *trial) bool {
		return spreads(t) && !t.slow() && len(t.report.Failed) <= t.number("f")
	}, notHeld},
}}

// spreads is when a broadcast reaches every live rank. The root has to live, and
//
//   - plain trees, acknowledgements and opportunistic correction stand no failure at all;
//     opportunistic correction closes small gaps, but which failures make small gaps only is
//     a question of the tree;
//   - checked correction and delayed correction stand any number of failures beforehand;
//   - failure-proof correction stands f more at any time.
//
// Slow ranks do no harm: trees wait for them, and these corrections stop only when they have
// heard from somebody, or have gone all the way; timeouts that are too short cost messages.
// The exception is opportunistic correction at a fixed instant. It may come to a slow rank
// before the tree does, and such a rank does not send down the tree any more.
func spreads(t *trial) bool {
	if t.rootFailed() {
		return false
	}
	switch t.text("correction") {
	case "checked", "delayed":
		return t.late() == 0
	case "failure-proof":
		return t.late() <= t.number("f")
	case "opportunistic", "optimized", "cautious":
		return len(t.report.Failed) == 0 && (t.is("start", "overlapped") || !t.slow())
	}
	return len(t.report.Failed) == 0
}

// allOrNothing is when a broadcast does not end half-way, even if its root fails. What
// follows in a series is left out: nobody begins it.
func allOrNothing(t *trial) bool {
	return t.is("correction", "failure-proof") && t.is("repeat", "1") &&
		t.late() <= t.number("f")
}

// waitsForNothing is when a rank that has the message is never at the mercy of others.
func waitsForNothing(t *trial) bool {
	return !t.is("correction", "ack") && t.is("repeat", "1")
}

// punctual is when synchronized broadcasts in a row do not run into each other: the usual
// period is long enough unless ranks are slow or fail meanwhile.
func punctual(t *trial) bool { return spreads(t) && t.late() == 0 && !t.slow() }
