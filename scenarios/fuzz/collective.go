package fuzz

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Collective operations that go on when ranks fail, and what is computed with them.

var teamFields = []field{
	{"strategy", mostly("tolerant", "optimistic", "restart", "plain")},
	{"detector", mostly("heartbeat", "perfect", "delayed", "wrong")},
	{"period", when("detector", []string{"heartbeat"}, words("auto", "3", "50"))},
}

// teamSteps are those of every operation.
var teamSteps = []string{stepAgree, stepExchange, stepRepair, stepRepaired}

var collectiveFamily = &family{
	protocol: "collective",
	fields: slices.Concat(machineFields, []field{
		{"G", numbers(0, 1)},
		{"op", words("broadcast", "scatter", "gather", "reduce", "alltoall", "alltoallv", "allgather", "allreduce", "barrier")},
		{"n", words("1", "3", "20")},
		rootField,
		{"backup", when("op", []string{"reduce", "allreduce"}, words("none", "all", "auto"))},
		{"combine", when("op", []string{"reduce", "allreduce"}, words("0", "7"))},
		{"restore", words("0", "30")},
	}, teamFields),
	steps:    slices.Concat(teamSteps, []string{stepIteration}),
	decoder:  faults.Decoder{Scale: 2},
	promises: teamPromises,
}

var sampleSortFamily = &family{
	protocol: "samplesort",
	fields: slices.Concat(machineFields, []field{
		{"n", words("0", "1", "40", "300")},
		{"distinct", words("0", "1", "5")},
		{"sample", words("auto", "1", "3")},
		{"generate", words("10", "300")},
		{"seed", numbers(0, 15)},
	}, teamFields),
	steps:    slices.Concat(teamSteps, []string{stepGather, stepBroadcast, stepAllToAll, stepAllToAllV}),
	decoder:  faults.Decoder{Scale: 3},
	promises: teamPromises,
}

var queryFamily = &family{
	protocol: "tpch-q3",
	fields: slices.Concat(machineFields, []field{
		{"sf", words("0.00001", "0.0001")},
		{"backup", words("none", "all")},
		{"generate", words("10", "300")},
		{"restore", words("auto", "0")},
		{"seed", numbers(0, 15)},
	}, teamFields),
	steps:    slices.Concat(teamSteps, []string{stepGather, stepBroadcast, stepAllToAllV, stepReduce}),
	decoder:  faults.Decoder{Scale: 3},
	promises: teamPromises,
}

// The guarantees say themselves what is promised: nothing if failures go unnoticed or live ranks
// are taken for failed. Plain operations may give up, but never wait for ever.
var teamPromises = []promise{
	{"every guarantee of the computation holds", nil, notHeld},
	{"nobody waits for ever", noticedAll, waiting},
	{"somebody has the right result", func(t *trial) bool { return noticedAll(t) && !t.chosen.is("strategy", "plain") && t.anyLeft() }, unfinished},
}

// noticedAll is when the detector tells of all failures, and of nothing else.
func noticedAll(t *trial) bool {
	if t.chosen.is("detector", "wrong") && t.slow() {
		return false
	}
	return t.chosen.is("detector", "heartbeat", "wrong") || !t.scheduled(faults.Hang)
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
