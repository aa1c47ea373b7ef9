package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// The group membership service of Varma's thesis. Ranks may come back here, and links may be
// cut.
var membershipFamily = &family{
	protocol: "membership",
	fields: slices.Concat([]field{{"P", numbers(2, 12)}}, machineFields[1:], []field{
		{"network", mostly("uniform", "torus:2x2x3", "switch:2")},
		{"a", words("2", "4", "8")},
		{"compute", numbers(0, 9)},
		{"members", membersAtFirst},
		{"join", joins},
		{"inquire", mostly("successor", "random", "none")},
		{"seed", when("inquire", []string{"random"}, numbers(0, 255))},
		{"ask", when("inquire", []string{"none"}, questions)},
		{"every", when("inquire", []string{"successor", "random"}, words("60", "150", "400"))},
		{"timeout", mostly("auto", "7", "20", "60")},
		{"excluded", mostly("return", "stay")},
		{"minority", mostly("continue", "abort")},
		{"until", ends},
	}),
	steps: []string{stepSuspect, stepRegroup, stepInstall, stepStable, stepJoin, stepExcluded, stepFound},
	// Ranks are asked after 60 ticks at the earliest; 256 times 3 is several times that.
	decoder:  faults.Decoder{Rejoin: true, Cut: true, Scale: 3},
	traced:   true,
	promises: membershipPromises,
}

// membersAtFirst are all ranks, or all but the last one or two.
func membersAtFirst(c choices) []string {
	all := []string{"auto"}
	for n := c.number("P") - 1; n >= max(1, c.number("P")-2); n-- {
		all = append(all, fmt.Sprint(n))
	}
	return all
}

// joins are times at which the other ranks become members.
func joins(c choices) []string {
	if c.is("members", "auto") {
		return nil
	}
	all := []string{"none"}
	for _, times := range [][2]int{{0, 0}, {9, 30}, {70, 70}, {150, 40}, {300, 500}} {
		var list []string
		for rank := c.number("members"); rank < c.number("P"); rank++ {
			list = append(list, fmt.Sprintf("%d@t%d", rank, times[rank-c.number("members")]))
		}
		all = append(all, strings.Join(list, ","))
	}
	return all
}

// questions are asked if ranks ask nobody by themselves.
func questions(c choices) []string {
	last := c.number("P") - 1
	return []string{
		"none", "0:1@t30", "1:0@t30",
		fmt.Sprintf("0:%d@t30,%d:0@t31", last, last),
		fmt.Sprintf("%d:0@t90,0:1@t200", last),
	}
}

// ends are when the service ends: after four changes, soon, or so late that partitions have
// time to agree. The more often ranks ask, the earlier: to ask is what takes most of the real
// time.
func ends(c choices) []string {
	switch c["every"] {
	case "60":
		return []string{"auto", "900", "6000"}
	case "150":
		return []string{"auto", "1500", "15000"}
	}
	return []string{"auto", "2500", "40000"}
}

// The guarantees say themselves what is promised for which failures.
var membershipPromises = []promise{
	{"nobody waits for ever", nil, waiting},
	{"every guarantee of the service holds", nil, notHeld},
	{"nobody begins a group of its own while a first member lives", lastingGroup, passes(stepFound)},
	{"nobody who lives is excluded", calm, passes(stepExcluded)},
}

// patient is when nobody has a reason to take a live rank for failed: timeouts are long enough,
// all ranks are as fast as they should be and can talk to each other.
func patient(t *trial) bool {
	return t.chosen.is("timeout", "auto") && !t.slow() && !t.scheduled(faults.Cut)
}

// lastingGroup is when whoever asks to become a member gets an answer: one of those that were
// members at the start is there throughout.
func lastingGroup(t *trial) bool {
	if !patient(t) || t.chosen.is("minority", "abort") {
		return false
	}
	first := t.chosen.number("P")
	if !t.chosen.is("members", "auto") {
		first = t.chosen.number("members")
	}
	for rank := range first {
		if at, _ := t.fell(rank); at == clock.Never {
			return true
		}
	}
	return false
}

// calm is when live ranks stay members. Ranks that come back are left out, because what they did
// not answer before may be held against them, and so are those that begin a group of their own: of
// two groups one gives in.
func calm(t *trial) bool {
	return patient(t) && !t.scheduled(faults.Rejoin) && len(t.passing(stepFound)) == 0
}

// scheduled reports whether there may have been a fault of a kind.
func (t *trial) scheduled(kind faults.Kind) bool {
	return slices.ContainsFunc(t.schedule, func(f faults.Fault) bool { return f.Kind == kind })
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
