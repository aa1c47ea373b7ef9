package fuzz

import (
	"slices"
	"strconv"

	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// Small machines: what can go wrong goes wrong on few ranks already, and more of the many
// schedules can be tried.
const mostRanks = 16

var (
	machineFields = []field{
		{"P", numbers(1, mostRanks)},
		{"L", numbers(1, 4)},
		{"o", numbers(1, 3)},
		{"g", numbers(0, 4)},
	}
	treeFields = []field{
		{"tree", words("binomial", "kary", "lame", "optimal")},
		{"k", when("tree", []string{"kary", "lame"}, numbers(1, 4))},
	}
	numberingField = field{"numbering", words("interleaved", "in-order")}
	rootField      = field{"root", func(c choices) []string { return numbers(0, c.number("P")-1)(c) }}
	failuresField  = field{"f", numbers(0, 3)}
)

// Corrections on a ring, and those of them that send a given number of messages.
var (
	onRing  = []string{"checked", "opportunistic", "optimized", "failure-proof", "delayed", "cautious"}
	counted = []string{"opportunistic", "optimized", "cautious"}
	// openRing are those that go with a chain as well.
	openRing = []string{"checked", "opportunistic", "optimized", "delayed", "cautious"}
)

var correctionFields = []field{
	{"correction", words("checked", "opportunistic", "optimized", "failure-proof", "delayed", "ack", "none", "cautious")},
	{"d", when("correction", counted, numbers(0, 9))},
	{"direction", when("correction", counted, words("both", "left", "right"))},
	{"delay", when("correction", []string{"delayed"}, words("auto", "0", "1", "5", "20"))},
	{"start", when("correction", onRing, words("sync", "overlapped"))},
	{"early", when("start", []string{"overlapped"}, words("join", "rest"))},
	{"ring", when("correction", openRing, words("ring", "chain"))},
}

// families are all of them, in the order in which Any chooses.
var families = []*family{broadcastFamily, multiTreeFamily, reduceFamily, allReduceFamily, gossipFamily, bigFamily, bfbFamily, membershipFamily, collectiveFamily, sampleSortFamily, queryFamily}

var broadcastFamily = &family{
	protocol: "broadcast",
	fields: slices.Concat(machineFields, treeFields, []field{numberingField, rootField}, correctionFields, []field{
		{"f", when("correction", []string{"failure-proof"}, failuresField.values)},
		{"repeat", numbers(1, 3)},
	}),
	steps:    []string{broadcast.StepColoured, broadcast.StepCorrection},
	quiet:    []string{broadcast.StepColoured},
	promises: broadcastPromises,
}

var multiTreeFamily = &family{
	protocol: "multitree",
	fields: slices.Concat(machineFields, []field{
		rootField,
		{"trees", func(c choices) []string { return numbers(1, min(4, max(1, c.number("P")-1)))(c) }},
		{"k", func(c choices) []string { return numbers(c.number("trees"), c.number("trees")+3)(c) }},
	}),
	steps:    []string{broadcast.StepColoured},
	quiet:    []string{broadcast.StepColoured},
	promises: multiTreePromises,
}

var reduceFamily = &family{
	protocol: "reduce",
	fields:   slices.Concat(machineFields, treeFields, []field{rootField, failuresField}),
	steps:    []string{reduce.StepExchanged, reduce.StepReduced},
	promises: reducePromises,
}

var allReduceFamily = &family{
	protocol: "allreduce",
	fields:   slices.Concat(machineFields, treeFields, []field{numberingField, rootField, failuresField}, correctionFields),
	steps:    []string{reduce.StepExchanged, reduce.StepReduced, broadcast.StepColoured, broadcast.StepCorrection},
	quiet:    []string{reduce.StepExchanged, reduce.StepReduced, broadcast.StepColoured},
	promises: allReducePromises,
}

// words offers the same values always.
func words(values ...string) func(choices) []string {
	return func(choices) []string { return values }
}

// mostly offers the first value seven times as often as all others together.
func mostly(usual string, others ...string) func(choices) []string {
	return words(slices.Concat(slices.Repeat([]string{usual}, 7*len(others)), others)...)
}

// numbers offers those from low to high.
func numbers(low, high int) func(choices) []string {
	var all []string
	for n := low; n <= high; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return words(all...)
}

// when offers values only if a key has one of some values.
func when(key string, allowed []string, values func(choices) []string) func(choices) []string {
	return func(c choices) []string {
		if !c.is(key, allowed...) {
			return nil
		}
		return values(c)
	}
}
