package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// exploration is what an exploration has found, as JSON shows it.
type exploration struct {
	Line        string  `json:"line"`
	Faults      int     `json:"faults"`
	Interrupted bool    `json:"interrupted"`
	Done        float64 `json:"done"` // about which share of the whole; 1 if complete
	scope
	instants
	Covered    int64                 `json:"covered"`
	Runs       int64                 `json:"runs"`
	Distinct   int64                 `json:"distinct"`
	Excused    int64                 `json:"excused"`
	Violations []scenarios.Violation `json:"violations"`
}

// show prints what was found.
func (x *exploration) show(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, x)
	}
	return x.print(w)
}

func (x *exploration) print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s faults<=%d\n\n", x.Line, x.Faults)
	if x.Interrupted {
		printRow(b, "INTERRUPTED", "after about %.0f %% of the exploration", 100*x.Done)
	}
	printRow(b, "failures", "%s", x.scope.who()+x.instants.who())
	printRow(b, "covered", "%s of up to %s", countOrMore(x.Covered, "schedule"), text.Count(x.Faults, "fault"))
	printRow(b, "runs", "%d, %d different", x.Runs, x.Distinct)
	printScope(b, x.scope, x.Excused, x.Violations)
	for i := range x.Violations {
		printViolation(b, &x.Violations[i], "the smallest of which is")
	}
	return b.Flush()
}

// add takes over what was found.
func (x *exploration) add(run *scenarios.Run, found *search.Exploration) {
	x.Covered, x.Runs, x.Distinct, x.Excused = found.Covered, found.Runs, found.Distinct, found.Excused
	x.Violations = run.Violations(found.Seen())
}
