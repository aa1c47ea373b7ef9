package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// fuzzing is what random schedules have found, as JSON shows it.
type fuzzing struct {
	Line        string `json:"line"`
	Seed        uint64 `json:"seed"`
	Interrupted bool   `json:"interrupted"`
	scope
	Runs       int64                 `json:"runs"`
	Faults     int64                 `json:"faults"`
	Steps      map[string]int64      `json:"steps"`
	Excused    int64                 `json:"excused"`
	Violations []scenarios.Violation `json:"violations"`

	shrunk bool          // violations were made smaller
	took   time.Duration // the runs
}

// show prints what was found.
func (f *fuzzing) show(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, f)
	}
	return f.print(w)
}

func (f *fuzzing) print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n\n", f.Line)
	if f.Interrupted {
		printRow(b, "INTERRUPTED", "after %s", text.Count(f.Runs, "run"))
	}
	printRow(b, "failures", "%s", f.who())
	printRow(b, "runs", "%d, seed %d", f.Runs, f.Seed)
	printRow(b, "faults", "%d took effect", f.Faults)
	for _, step := range slices.Sorted(maps.Keys(f.Steps)) {
		fmt.Fprintf(b, "%14s%d at step %s\n", "", f.Steps[step], step)
	}
	printScope(b, f.scope, f.Excused, f.Violations)
	for i := range f.Violations {
		printViolation(b, &f.Violations[i], f.title(&f.Violations[i]))
	}
	fmt.Fprintf(b, "\nmeasured: %s runs per second\n", rate(float64(f.Runs)/f.took.Seconds()))
	return b.Flush()
}

// title says whether the line of a violation was made smaller.
func (f *fuzzing) title(v *scenarios.Violation) string {
	switch {
	case v.Check:
		return "as found"
	case f.shrunk:
		return "made smaller"
	}
	return "as found; mangrove shrink makes it smaller"
}

// rate writes a number with as many digits as are of interest.
func rate(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.2g", r)
	}
	return fmt.Sprintf("%.0f", r)
}
