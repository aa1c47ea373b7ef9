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

// Compare runs several lines on the same machine with the same failures, each so many times, and
// summarizes each. Run r has the same seed for all lines, so that faults that are drawn by chance
// hit the same ranks, unless a protocol spares some. Lines have no seed of their own.
func Compare(ctx context.Context, lines []string, runs int, seed uint64, o Options) ([]Summary, error) {
	if err := comparable(lines, runs); err != nil {
		return nil, err
	}
	of := runs * len(lines)
	all := make([]Summary, len(lines))
	for i, line := range lines {
		c := compared(line, runs, seed)
		all[i].Point, all[i].Values = i, []string{line}
		records, failures := c.work(ctx, Shard{0, 1}, 0, runs, o.workers())
		for record := range records {
			all[i].add(record)
			if o.Progress != nil {
				o.Progress(i*runs+all[i].Runs, of)
			}
		}
		if err := <-failures; err != nil {
			return nil, err
		}
	}
	return all, nil
}

// compared is the campaign of one of the lines that are compared.
func compared(line string, runs int, seed uint64) *Campaign {
	return &Campaign{Name: "compare", Line: line, Runs: runs, Seed: seed}
}

// ComparedLine is the line of a run of a comparison.
func ComparedLine(line string, run int, seed uint64) string {
	return compared(line, run+1, seed).LineOf(0, run)
}

// comparable says why lines cannot be compared.
func comparable(lines []string, runs int) error {
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

// Common takes off lines what all of them have in common: keys of the machine, and faults.
func Common(lines []string) (common string, short []string) {
	var shared []string
	for i, line := range lines {
		words := strings.Fields(line)
		var own []string
		for _, word := range words {
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
