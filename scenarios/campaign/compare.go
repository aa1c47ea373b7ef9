package campaign

import (
	"context"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// machineKeys are what lines must have in common to be compared, besides faults.
var machineKeys = []string{"P", "L", "o", "g", "G", "network", "receive", "tick", "machine", "faults"}

// Comparison is what several lines have measured on the same machine, with the same failures.
type Comparison struct {
	Common string    // words that all lines have in common: the machine and the failures
	Lines  []string  // without these
	Points []Summary // one for each line

	full []string // the lines as they are run
	seed uint64
}

// Table has a row for each line.
func (c *Comparison) Table() Table {
	return Table{Keys: []string{"line"}, Points: c.Points, Percentile: UsualPercentile}
}

// LineOf is the line of a run.
func (c *Comparison) LineOf(i, run int) string {
	return compared(c.full[i], run+1, c.seed).LineOf(0, run)
}

// Compare runs several lines on the same machine with the same failures, each so many times, and
// summarizes each. Run r has the same seed for all lines, so that faults that are drawn by chance
// hit the same ranks, unless a protocol spares some. Lines have no seed of their own.
func Compare(ctx context.Context, lines []string, runs int, seed uint64, o Options) (*Comparison, error) {
	if err := checkLines(lines, runs); err != nil {
		return nil, err
	}
	of := runs * len(lines)
	comparison := &Comparison{Points: make([]Summary, len(lines)), full: lines, seed: seed}
	comparison.Common, comparison.Lines = common(lines)
	for i, line := range lines {
		c, point := compared(line, runs, seed), &comparison.Points[i]
		point.Point, point.Values = i, comparison.Lines[i:i+1]
		for record, err := range c.records(ctx, Shard{0, 1}, 0, runs, o.workers()) {
			if err != nil {
				return nil, err
			}
			point.add(record)
			if o.Progress != nil {
				o.Progress(i*runs+point.Runs, of)
			}
		}
	}
	return comparison, nil
}

// compared is the campaign of one of the lines that are compared.
func compared(line string, runs int, seed uint64) *Campaign {
	return &Campaign{Name: "compare", Line: line, Runs: runs, Seed: seed}
}

// checkLines says why lines cannot be compared.
func checkLines(lines []string, runs int) error {
	var wrong problems.List
	wrong.Check(len(lines) >= 2, "%d lines, want two or more", len(lines))
	most := MaxRuns / max(1, len(lines))
	wrong.Check(runs >= 1 && runs <= most, "%d runs of each line, want 1 to %d", runs, most)
	var first *scenarios.Run
	for i, line := range lines {
		run, err := catalog.ParseLine(line)
		switch {
		case err != nil:
			wrong.Add("line %d: %w", i+1, err)
		case run.Settings().Typed("seed"):
			wrong.Add("line %d has a seed; want --seed, for all", i+1)
		case first == nil:
			first = run
		default:
			for _, key := range machineKeys {
				if a, b := first.Settings().Text(key), run.Settings().Text(key); a != b {
					wrong.Add("%s=%s in one line and %s=%s in another: want the same machine and the same failures", key, a, key, b)
				}
			}
		}
	}
	return wrong.ErrLines("compare")
}

// common takes off lines what all of them have in common: keys of the machine, and faults.
func common(lines []string) (words string, short []string) {
	var shared []string
	for i, line := range lines {
		var own []string
		for word := range strings.FieldsSeq(line) {
			key, _, _ := strings.Cut(word, "=")
			switch {
			case !slices.Contains(machineKeys, key):
				own = append(own, word)
			case i == 0:
				shared = append(shared, word)
			}
		}
		short = append(short, strings.Join(own, " "))
	}
	return strings.Join(shared, " "), short
}
