package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios"
	campaigns "github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/search"
)

const compareHelp = `Run several lines on the same machine, with the same failures, and compare what
they cost and whom they miss. Each LINE is one word for the shell. What all have
in common, the machine and the faults, may be said once, with --with.

Run r has the same seed for all lines: faults that are drawn by chance hit the
same ranks, unless a protocol spares its root.`

type compareFlags struct {
	with    string
	runs    int
	seed    uint64
	workers int
	json    bool
}

func (a *app) compareCommand() *cobra.Command {
	f := compareFlags{runs: 100}
	cmd := &cobra.Command{
		Use:     "compare LINE LINE...",
		Short:   "Compare protocols on the same machine, with the same failures",
		Long:    compareHelp,
		Example: "  mangrove compare broadcast gossip big --with 'P=256 faults=crash:~3'",
		RunE:    func(cmd *cobra.Command, lines []string) error { return a.compare(cmd.Context(), lines, f) },
	}
	cmd.Flags().StringVar(&f.with, "with", "", "`words` that all lines end with")
	numberFlag(cmd, &f.runs, "runs", 1, campaigns.MaxRuns, "run each line `n` times")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "decides the seeds of all runs")
	numberFlag(cmd, &f.workers, "workers", 0, maxWorkers, "do `n` runs at a time, 0: one a processor")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (a *app) compare(ctx context.Context, lines []string, f compareFlags) error {
	full := make([]string, len(lines))
	for i, line := range lines {
		full[i] = strings.Join(strings.Fields(line+" "+f.with), " ")
	}
	bar := newBar(a.stderr)
	began := time.Now()
	all, err := campaigns.Compare(ctx, full, f.runs, f.seed, campaigns.Options{Workers: f.workers, Progress: func(done, of int) {
		bar.show(search.Progress{Runs: int64(done), Done: float64(done) / float64(of), Elapsed: time.Since(began)})
	}})
	bar.clear()
	var input *scenarios.InputError
	switch {
	case err == nil:
	case errors.As(err, &input), strings.HasPrefix(err.Error(), "compare: "):
		return err
	default:
		return orInterrupted(ctx, err, "")
	}
	common, short := campaigns.Common(full)
	table := &campaigns.Campaign{Sweep: []campaigns.Axis{{Key: "line"}}}
	for i := range all {
		all[i].Values = short[i : i+1]
	}
	if f.json {
		return printJSON(a.stdout, jsonSummaries(table, all))
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n\n%s", common, summaryTable(table, all))
	return err
}
