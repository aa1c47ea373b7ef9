package campaign

import (
	"context"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// machineKeys are what lines must have in common to be compared, besides faults.
var machineKeys = []string{"P", "L", "o", "g", "G", "network", "receive", "tick", "machine", "faults"}

// Comparison is several lines on the same machine, with the same failures, and what they have measured. Run r has the
// same seed for all lines, so that faults that are drawn by chance hit the same ranks, unless a protocol spares some.
type Comparison struct {
	Common string    // words that all lines have in common: the machine and the failures
	Lines  []string  // without these
	Points []Summary // one for each line

	campaign *Campaign // of the whole lines
}

// NewComparison compares lines of these protocols that are run so many times each. They have no seed of their own.
func NewComparison(protocols scenarios.Registry, lines []string, runs int, seed uint64) (*Comparison, error) {
	if err := checkLines(protocols, lines, runs); err != nil {
		return nil, err
	}
	c := &Comparison{campaign: &Campaign{Name: "compare", Lines: lines, Runs: runs, Seed: seed, protocols: protocols}}
	c.Common, c.Lines = common(lines)
	c.Points = c.campaign.summaries()
	for i := range c.Points {
		c.Points[i].Values = c.Lines[i : i+1]
	}
	return c, nil
}

// CheckMemory refuses machines that do not fit into memory, as many as run at a time.
func (c *Comparison) CheckMemory(workers int) error { return c.campaign.CheckMemory(workers) }

// Run runs all lines.
func (c *Comparison) Run(ctx context.Context, o Options) error {
	done, of := 0, c.campaign.Jobs()
	for record, err := range c.campaign.records(ctx, Shard{0, 1}, 0, of, o) {
		if err != nil {
			return err
		}
		c.Points[record.Point].add(record)
		if done++; o.Progress != nil {
			o.Progress(done, of)
		}
	}
	return nil
}

// Table has a row for each line.
func (c *Comparison) Table() Table { return c.campaign.Table(c.Points) }

// LineOf is the line of a run.
func (c *Comparison) LineOf(i, run int) string { return c.campaign.LineOf(i, run) }

// checkLines says why lines cannot be compared.
func checkLines(protocols scenarios.Registry, lines []string, runs int) error {
	var wrong problems.List
	wrong.Check(len(lines) >= 2, "%d lines, want two or more", len(lines))
	most := MaxRuns / max(1, len(lines))
	wrong.Check(runs >= 1 && runs <= most, "%d runs of each line, want 1 to %d", runs, most)
	var first *scenarios.Run
	for i, line := range lines {
		run, err := protocols.ParseLine(line)
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
