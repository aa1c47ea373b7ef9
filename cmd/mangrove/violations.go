package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// violation is one with the line that shows it.
type violation struct {
	Line   string              `json:"line"`
	Found  string              `json:"found"` // the line before it was made smaller
	Count  int64               `json:"count"`
	Check  bool                `json:"check,omitempty"` // it takes --check to see it
	Broken []guarantee.Verdict `json:"broken"`
}

func violationsOf(run *scenarios.Run, all []search.Violation) []violation {
	list := []violation{}
	for _, v := range all {
		line := run.WithFaults(v.Schedule)
		list = append(list, violation{line, line, v.Count, !repeats(v.Broken), v.Broken})
	}
	return list
}

// repeats reports whether a run was the same when it was made twice, as far as is known.
func repeats(broken []guarantee.Verdict) bool {
	return !slices.ContainsFunc(broken, func(g guarantee.Verdict) bool { return g.Name == search.Repeats })
}

// command is the command that shows the violation with a line.
func (v *violation) command(line string) string {
	if v.Check {
		return commandLine(line) + " --check"
	}
	return commandLine(line)
}

// print prints the line and what it breaks. The title says how it was chosen.
func (v *violation) print(w io.Writer, title string) {
	fmt.Fprintf(w, "\nBROKEN by %s, %s\n%s\n", text.Count(v.Count, "run"), title, v.command(v.Line))
	for _, b := range v.Broken {
		fmt.Fprintf(w, "  %s: %s\n", b.Name, b.Evidence)
	}
	if v.Found != v.Line {
		fmt.Fprintf(w, "found as\n%s\n", v.command(v.Found))
	}
}

// printRow prints a line of a report.
func printRow(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
}

// printScope prints what holds for all runs of a search.
func printScope(w io.Writer, s scope, excused int64, all []violation) {
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
func sameHashes(all []violation) string {
	if slices.ContainsFunc(all, func(v violation) bool { return v.Check }) {
		return "DIFFERENT hashes"
	}
	return "same hashes"
}
