package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// showing is the command that shows a violation with a line.
func showing(v *scenarios.Violation, line string) string {
	if v.Check {
		return commandLine(line) + " --check"
	}
	return commandLine(line)
}

// printViolation prints the line and what it breaks. The title says how it was chosen.
func printViolation(w io.Writer, v *scenarios.Violation, title string) {
	fmt.Fprintf(w, "\nBROKEN by %s, %s\n%s\n", text.Count(v.Count, "run"), title, showing(v, v.Line))
	for _, b := range v.Broken {
		fmt.Fprintf(w, "  %s: %s\n", b.Name, b.Evidence)
	}
	if v.Found != v.Line {
		fmt.Fprintf(w, "found as\n%s\n", showing(v, v.Found))
	}
}

// printRow prints a line of a report.
func printRow(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
}

// printScope prints what holds for all runs of a search.
func printScope(w io.Writer, s scope, excused int64, all []scenarios.Violation) {
	if s.Checked {
		printRow(w, "checked", "every run twice, with 1 and 3 workers: %s", sameHashes(all))
	}
	if excused > 0 {
		printRow(w, "excused", "%s for which not everything was promised", text.Count(excused, "run"))
	}
	for _, note := range s.Notes {
		printRow(w, "note", "%s", note)
	}
	printRow(w, "violations", "%d", len(all))
}

// sameHashes says how comparing came out. Where runs differ, the report has a violation.
func sameHashes(all []scenarios.Violation) string {
	if slices.ContainsFunc(all, func(v scenarios.Violation) bool { return v.Check }) {
		return "DIFFERENT hashes"
	}
	return "same hashes"
}
