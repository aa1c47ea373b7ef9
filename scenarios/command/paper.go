package command

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
	"github.com/mangrove-emu/mangrove/scenarios/paper"
)

const paperHelp = `Run experiments of papers, and print what we measure beside the paper's numbers.
The folder --out gets a table (CSV) and a picture (SVG and PNG) of each, beside
the results of all runs. What is there is not run again: after Ctrl-C the same
command goes on, and experiments share campaigns.

--quick takes less than a minute each on two processors, --full has as many runs
as the paper, or as much data (tpch-q3: a gigabyte for each rank), and tells
first how long that takes. NAME is 'all' or one of
`

type paperFlags struct {
	paper.Options
	quick, full bool
	json        bool
}

func (a *app) paperCommand() *cobra.Command {
	f := paperFlags{Options: paper.Options{Expect: a.expectRuns}}
	c := &cobra.Command{
		Use:         "paper NAME...",
		Short:       "Make a paper's tables and figures again, ours beside the paper's",
		Long:        paperHelp + listExperiments(),
		Example:     "  mangrove paper trees-fig8 --quick\n  mangrove paper all --quick --out pictures\n  mpirun -n 4 mangrove paper all   # which share the runs",
		Annotations: map[string]string{sharable: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.handOut(cmd.Context(), a.serveCampaigns(f.Workers), func(office *handout.Office) error {
				f.Office = office
				return a.paper(cmd.Context(), args, f)
			})
		},
	}
	c.Flags().BoolVar(&f.quick, "quick", false, "few runs: less than a minute each")
	c.Flags().BoolVar(&f.full, "full", false, "as many runs as the paper has, or as much data")
	c.Flags().Var(number(&f.Runs, 0, campaign.MaxRuns), "runs", "`n` runs of each point where chance has a part")
	c.Flags().Var(number(&f.Seed, 0, math.MaxUint64), "seed", "decides the seeds of all runs; 0: the usual")
	c.Flags().Var(number(&f.Workers, 0, maxWorkers), "workers", "do `n` runs at a time, 0: one a processor")
	c.Flags().StringVar(&f.Folder, "out", "paper", "`folder` for results, tables and pictures")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

// listExperiments names all of them, paper by paper.
func listExperiments() string {
	var list strings.Builder
	last := ""
	for _, e := range paper.All() {
		if e.Paper != last {
			fmt.Fprintf(&list, "\n%s\n", e.Paper)
			last = e.Paper
		}
		fmt.Fprintf(&list, "  %-20s %s\n", e.Name, e.About)
	}
	return strings.TrimSuffix(list.String(), "\n")
}

// paper runs experiments, one after the other.
func (a *app) paper(ctx context.Context, names []string, f paperFlags) error {
	chosen, err := paper.Choose(names)
	if err != nil {
		return err
	}
	f.Job, err = a.engineJob()
	if chosen, err = a.withoutEngine(chosen, names, err); err != nil {
		return err
	}
	if f.Size, err = sizeOf(f.quick, f.full); err != nil {
		return err
	}
	if f.Runs > 0 && f.Size != campaign.Usual {
		return fmt.Errorf("--runs %d and --%s, want one of the two", f.Runs, f.Size)
	}
	for _, e := range chosen {
		if err := f.CheckMemory(e); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(f.Folder, 0o777); err != nil {
		return err
	}
	for i, e := range chosen {
		if i > 0 && !f.json {
			fmt.Fprintln(a.stdout)
		}
		if err := a.runExperiment(ctx, e, f, len(chosen) > 1); err != nil {
			return err
		}
	}
	return nil
}

// runExperiment runs one of them, prints it and keeps its table and picture.
func (a *app) runExperiment(ctx context.Context, e paper.Experiment, f paperFlags, several bool) error {
	bar := a.newBar()
	var last *campaign.Campaign
	var show func(done, of int)
	f.Progress = func(c *campaign.Campaign, done, of int) {
		if c != last {
			last, show = c, bar.countRuns()
		}
		show(done, of)
	}
	result, err := e.Run(ctx, f.Options)
	bar.clear()
	if err != nil {
		advice := ""
		if len(e.Campaigns) > 0 {
			advice = fmt.Sprintf("; the same command goes on with what is in %s", f.Folder)
		}
		return orInterrupted(ctx, err, advice)
	}
	name := e.Name + f.Suffix(e)
	if err := result.Save(f.Folder, name); err != nil {
		return failure{err}
	}
	if f.json {
		return printJSON(a.stdout, result)
	}
	if several {
		fmt.Fprintf(a.stdout, "%s: %s, %s\n\n", e.Name, e.Paper, e.About)
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n%s\n", result.Text(), filepath.Join(f.Folder, name+".{csv,svg,png}"))
	return err
}
