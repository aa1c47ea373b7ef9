package command

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

const compareHelp = `Run several lines on the same machine, with the same failures, and compare what
they cost and whom they miss. Each LINE is one word for the shell. What all have
in common, the machine and the faults, may be said once, with --with.

Run r has the same seed for all lines: faults that are drawn by chance hit the
same ranks, unless a protocol spares its root.

With --plot FILE, which ends with .svg or .png, the comparison is drawn, too.

Broken guarantees are counted, they are no error: the exit status is 0.`

type compareFlags struct {
	with    string
	runs    int
	seed    uint64
	workers int
	json    bool
	plots   []string
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
	cmd.Flags().Var(number(&f.runs, 1, campaign.MaxRuns), "runs", "run each line `n` times")
	cmd.Flags().Var(number(&f.seed, 0, math.MaxUint64), "seed", "decides the seeds of all runs")
	cmd.Flags().Var(number(&f.workers, 0, maxWorkers), "workers", "do `n` runs at a time, 0: one a processor")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().Var(pictures(&f.plots), "plot", "draw the comparison in `file`, .svg or .png; may be repeated")
	return cmd
}

func (a *app) compare(ctx context.Context, lines []string, f compareFlags) error {
	full := make([]string, len(lines))
	for i, line := range lines {
		full[i] = strings.Join(strings.Fields(line+" "+f.with), " ")
	}
	pictures, err := canDraw(f.plots)
	if err != nil {
		return err
	}
	comparison, err := campaign.NewComparison(a.registry, full, f.runs, f.seed)
	if err != nil {
		return err
	}
	if err := comparison.CheckMemory(f.workers); err != nil {
		return err
	}
	bar := a.newBar()
	err = comparison.Run(ctx, campaign.Options{Workers: f.workers, Progress: bar.countRuns()})
	bar.clear()
	if err != nil {
		return noOutcome(ctx, err, "")
	}
	if err := a.printComparison(comparison, f.json); err != nil {
		return err
	}
	for _, name := range pictures {
		if err := figure.Save(name, comparison.Sheet()); err != nil {
			return failure{fmt.Errorf("cannot draw the comparison: %w", err)}
		}
	}
	return nil
}

func (a *app) printComparison(c *campaign.Comparison, json bool) error {
	if json {
		return printJSON(a.stdout, c.Table().JSON())
	}
	fmt.Fprintf(a.stdout, "%s\n\n", c.Common)
	return a.printTable(c.Table(), a.brokenLines(c.Points, c.LineOf))
}

// pictures is a flag for files to draw in. It may be repeated.
func pictures(value *[]string) pflag.Value {
	show := func(names []string) string { return strings.Join(names, ",") }
	return &option[[]string]{value, "file", show, func(text string) ([]string, error) {
		if _, err := figure.Format(text); err != nil {
			return nil, wanted("a file that ends with .svg or .png")
		}
		return append(*value, text), nil
	}}
}

// canDraw makes sure, before anything is run, that pictures can be written, and returns where they
// really are.
func canDraw(names []string) (pictures []string, err error) {
	for _, name := range names {
		picture, err := wholefile.Check(name)
		if err != nil {
			return nil, fmt.Errorf("cannot draw in %s: %w", name, err)
		}
		pictures = append(pictures, picture)
	}
	return pictures, nil
}
