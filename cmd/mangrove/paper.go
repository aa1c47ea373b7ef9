package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// experiment is a table or figure of a paper that can be made again.
type experiment struct {
	name, about string
	run         func(a *app, ctx context.Context, f paperFlags) error
}

var experiments = []experiment{
	{"gossip-table", "Corrected Gossip, table of figure 7: all algorithms on 4,096 ranks", (*app).gossipTable},
	{"gossip-fig3", "Corrected Gossip, figure 3: OCG for every T", gossipSweep(tuning.Opportunistic, "all ranks are reached")},
	{"gossip-fig5", "Corrected Gossip, figure 5: CCG for every T", gossipSweep(tuning.Checked, "the last rank is done")},
	{"gossip-fig9", "Corrected Gossip, figure 9: FCG for every T", gossipSweep(tuning.FailureProof, "the last rank is done")},
	{"collectives", "Stengler's thesis, figures 5.3 to 5.13: overhead of operations", (*app).collectiveTable},
	{"collective-size", "Stengler's thesis, figure 5.5: overhead by message size", (*app).collectiveSizes},
	{"collective-reduce", "Stengler's thesis, figure 5.23: ways to reduce", (*app).collectiveReduce},
	{"tpch-q3", "Stengler's thesis, figures 5.17 to 5.24: failures against restart", (*app).queryTable},
	{"membership-bgl", "membership on BlueGene/L, figures 6.1 and 6.2: time to agree", (*app).membershipTable},
}

type paperFlags struct {
	runs int
	seed uint64
	json bool
}

func (a *app) paperCommand() *cobra.Command {
	var f paperFlags
	var about strings.Builder
	for _, e := range experiments {
		fmt.Fprintf(&about, "  %-17s %s\n", e.name, e.about)
	}
	c := &cobra.Command{
		Use:     "paper NAME",
		Short:   "Make a paper's table again, ours beside the paper's",
		Long:    "Run an experiment of a paper, and print what we measure beside the paper's\nnumbers. NAME is one of\n\n" + strings.TrimSuffix(about.String(), "\n"),
		Example: "  mangrove paper gossip-table --runs 1000",
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := findExperiment(args)
			if err != nil {
				return err
			}
			if f.runs < 1 || f.runs > maxPaperRuns {
				return fmt.Errorf("--runs %d, want 1 to %d", f.runs, maxPaperRuns)
			}
			if err := e.run(a, cmd.Context(), f); err != nil {
				if cmd.Context().Err() != nil {
					return interrupted{}
				}
				return failure{err}
			}
			return nil
		},
	}
	c.Flags().IntVar(&f.runs, "runs", 100, "runs of each row, where chance has a part")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the first run")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

const maxPaperRuns = 100_000_000

func findExperiment(args []string) (experiment, error) {
	var names []string
	for _, e := range experiments {
		names = append(names, e.name)
	}
	if len(args) != 1 {
		return experiment{}, fmt.Errorf("paper: %d names, want one of: %s", len(args), strings.Join(names, ", "))
	}
	i := slices.Index(names, args[0])
	if i < 0 {
		return experiment{}, fmt.Errorf("paper %q: want %s", args[0], strings.Join(names, ", "))
	}
	return experiments[i], nil
}
