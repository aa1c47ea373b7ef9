package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// score counts what became of the mistakes of a package. Of those that are possible the compiler refuses some.
type score struct {
	name                          string
	possible, planted, seen, hung int
}

// count counts what became of one.
func (s *score) count(end ending) {
	if end != passed {
		s.seen++
	}
	if end == hung {
		s.hung++
	}
}

func (s *score) add(other score) {
	s.possible += other.possible
	s.planted += other.planted
	s.seen += other.seen
	s.hung += other.hung
}

// percent is how many of the mistakes were noticed; all if there was none.
func (s score) percent() float64 {
	if s.planted == 0 {
		return 100
	}
	return 100 * float64(s.seen) / float64(s.planted)
}

// write writes a table of scores with their sum.
func write(w io.Writer, scores []score) (sum score) {
	sum.name = "all"
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "package\tpossible\tplanted\tnoticed\tby a hang\tnoticed, %\t")
	for _, s := range scores {
		sum.add(s)
	}
	for _, s := range append(scores, sum) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.0f\t\n", s.name, s.possible, s.planted, s.seen, s.hung, s.percent())
	}
	table.Flush()
	return sum
}

// judge prints the scores, and fails if they are too low.
func judge(w io.Writer, scores []score, atLeast, eachAtLeast float64) error {
	var low []string
	sum := write(w, scores)
	if sum.percent() < atLeast {
		low = append(low, fmt.Sprintf("%.0f %% of all mistakes were noticed, want %.0f %%", sum.percent(), atLeast))
	}
	for _, s := range scores {
		if s.percent() < eachAtLeast {
			low = append(low, fmt.Sprintf("%.0f %% of those in %s, want %.0f %%", s.percent(), s.name, eachAtLeast))
		}
	}
	if len(low) > 0 {
		return errors.New(strings.Join(low, "; "))
	}
	return nil
}
