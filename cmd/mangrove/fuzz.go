package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/search"
)

const fuzzHelp = `Run random schedules of failures until a number of runs or a time is over. Each
schedule leaves out whole kinds of failures and of points by chance. What breaks
a guarantee is made smaller, faults first, then P and the other parameters, and
printed as a line to run; exit status 1 if there is anything.

The same seed and number of runs find the same.`

func (a *app) fuzzCommand() *cobra.Command {
	var f fuzzFlags
	cmd := &cobra.Command{
		Use:   "fuzz WORD...",
		Short: "Run random schedules of failures",
		Long:  fuzzHelp,
		Example: `  mangrove fuzz broadcast P=64 --runs 20000
  mangrove fuzz reduce P=20 f=2 --time 2s --max-faults 2
  mangrove fuzz broadcast P=32 correction=failure-proof f=3 --max-faults 3`,
		RunE: func(cmd *cobra.Command, words []string) error { return a.fuzz(cmd.Context(), words, f) },
	}
	f.searchFlags.register(cmd)
	flags := cmd.Flags()
	flags.Int64Var(&f.runs, "runs", 0, "stop after `n` runs; 0: no limit, or 10000 without --time")
	flags.DurationVar(&f.time, "time", 0, "stop after a `time` such as 30s; 0: no limit")
	flags.Uint64Var(&f.seed, "seed", 0, "decides every schedule")
	flags.IntVar(&f.most, "max-faults", 4, "up to `n` faults in a schedule")
	flags.IntVar(&f.shrink, "shrink", 3000, "shrink violations with up to `n` runs")
	return cmd
}

type fuzzFlags struct {
	searchFlags
	runs   int64
	time   time.Duration
	seed   uint64
	most   int
	shrink int
}

// options turns flags into options.
func (f *fuzzFlags) options() (search.FuzzOptions, error) {
	kinds, err := f.faultKinds(faults.Crash, faults.Hang, faults.Slow)
	if err != nil {
		return search.FuzzOptions{}, err
	}
	if f.shrink < 0 {
		return search.FuzzOptions{}, fmt.Errorf("--shrink %d, want 0 or more", f.shrink)
	}
	if f.runs == 0 && f.time == 0 {
		f.runs = 10_000
	}
	return search.FuzzOptions{
		Runs: f.runs, Time: f.time, Seed: f.seed, Faults: f.most,
		Kinds: kinds, Roots: f.roots, Workers: f.workers, ShrinkRuns: f.shrink,
	}, nil
}

func (a *app) fuzz(ctx context.Context, words []string, f fuzzFlags) error {
	run, err := a.registry.Parse(words)
	if err != nil {
		return err
	}
	if run.Settings().Typed("faults") {
		return errors.New("faults=: the faults are what is searched for; want --max-faults for how many")
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	bar := newBar(a.stderr)
	options.Progress = bar.show
	began := time.Now()
	subject := run.Subject()
	subject.Twice = f.check
	found, err := search.Fuzz(ctx, subject, options)
	bar.clear()
	if err != nil {
		return err
	}
	lines, err := smallestLines(ctx, run, found.Violations, f.shrink)
	if err != nil {
		return failure{err}
	}
	return a.showCampaign(run, found, lines, time.Since(began), f)
}

// smallestLines makes the parameters of violations smaller, too.
func smallestLines(ctx context.Context, run *scenarios.Run, all []search.Violation, runs int) ([]jsonViolation, error) {
	lines := jsonViolations(run, all)
	for i := range lines {
		if runs == 0 {
			break
		}
		found, err := scenarios.ParseLine(lines[i].Line)
		if err != nil {
			return nil, err
		}
		small, err := found.Shrink(context.WithoutCancel(ctx), runs)
		if err != nil {
			return nil, err
		}
		lines[i].Line, lines[i].Broken = small.Line, small.Broken
	}
	return lines, nil
}

func (a *app) showCampaign(run *scenarios.Run, found *search.Campaign, lines []jsonViolation, took time.Duration, f fuzzFlags) error {
	var err error
	if f.json {
		err = printJSON(a.stdout, struct {
			Line       string           `json:"line"`
			Seed       uint64           `json:"seed"`
			Runs       int64            `json:"runs"`
			Faults     int64            `json:"faults"`
			Steps      map[string]int64 `json:"steps"`
			Violations []jsonViolation  `json:"violations"`
		}{run.String(), f.seed, found.Runs, found.Faults, found.Steps, lines})
	} else {
		err = printCampaign(a.stdout, run, found, lines, took, f.seed)
	}
	return verdictOf(err, found.Violations)
}

func printCampaign(w io.Writer, run *scenarios.Run, found *search.Campaign, lines []jsonViolation, took time.Duration, seed uint64) error {
	fmt.Fprintf(w, "%s\n\n%-12s %d, seed %d\n%-12s %d took effect\n", run, "runs", found.Runs, seed, "faults", found.Faults)
	for _, step := range slices.Sorted(maps.Keys(found.Steps)) {
		fmt.Fprintf(w, "%14s%d at step %s\n", "", found.Steps[step], step)
	}
	fmt.Fprintf(w, "%-12s %d\n", "violations", len(lines))
	for _, v := range lines {
		fmt.Fprintf(w, "\nBROKEN by %d runs, made smaller\n%s\n", v.Count, commandLine(v.Line))
		for _, b := range v.Broken {
			fmt.Fprintf(w, "  %s: %s\n", b.Name, b.Evidence)
		}
	}
	_, err := fmt.Fprintf(w, "\nmeasured: %.0f runs per second\n", float64(found.Runs)/took.Seconds())
	return err
}
