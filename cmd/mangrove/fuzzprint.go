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

// campaign is what random schedules have found, as JSON shows it.
type campaign struct {
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
func (c *campaign) show(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, c)
	}
	return c.print(w)
}

func (c *campaign) print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n\n", c.Line)
	if c.Interrupted {
		printRow(b, "INTERRUPTED", "after %s", text.Count(c.Runs, "run"))
	}
	printRow(b, "failures", "%s", c.who())
	printRow(b, "runs", "%d, seed %d", c.Runs, c.Seed)
	printRow(b, "faults", "%d took effect", c.Faults)
	for _, step := range slices.Sorted(maps.Keys(c.Steps)) {
		fmt.Fprintf(b, "%14s%d at step %s\n", "", c.Steps[step], step)
	}
	printScope(b, c.scope, c.Excused, c.Violations)
	for i := range c.Violations {
		printViolation(b, &c.Violations[i], c.title(&c.Violations[i]))
	}
	fmt.Fprintf(b, "\nmeasured: %s runs per second\n", rate(float64(c.Runs)/c.took.Seconds()))
	return b.Flush()
}

// title says whether the line of a violation was made smaller.
func (c *campaign) title(v *scenarios.Violation) string {
	switch {
	case v.Check:
		return "as found"
	case c.shrunk:
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
