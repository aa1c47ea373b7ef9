package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run WORD...",
		Short: "Run a line and report how it went",
		Long: `Run a line and report how it went. 'mangrove list' shows what a line may say.
Quote words with ~ or # in them for the shell.

The report goes to standard output, or to standard error with --trace -.`,
		Example: `  mangrove run broadcast P=65536
  mangrove run broadcast P=1024 L=5 o=2 seed=7 'faults=crash:~10,slow:1%x4@t20'
  mangrove run broadcast P=64 faults=crash:3@send2 --trace events.ndjson
  mangrove run broadcast network=torus:8x8x16 latency=100ns tick=10ns
  mpirun -n 4 mangrove run broadcast P=65536   # which share the ranks`,
		Annotations: map[string]string{sharable: "yes"},
		RunE:        func(cmd *cobra.Command, words []string) error { return a.runLine(cmd.Context(), words, f) },
	}
	f.register(cmd, a)
	return cmd
}

// runFlags are those of run and replay.
type runFlags struct {
	json    bool
	trace   string
	profile string
	workers int
	check   bool
	windows bool
	cost    bool
	export  string
	why     whyFlag
}

func (f *runFlags) register(cmd *cobra.Command, a *app) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the outcome as JSON; null stands for never")
	flags.StringVar(&f.trace, "trace", "", "write events to `file` as JSON lines, or for Perfetto if\nits name ends in .json; - is standard output")
	flags.StringVar(&f.profile, "profile", "", "write a profile of this `kind` here: cpu, mem or trace")
	cmd.Flags().Var(number(&f.workers, 0, maxWorkers), "workers", "use `n` goroutines to drive the ranks, 0: one a processor")
	flags.BoolVar(&f.check, "check", false, "run twice with different workers and compare")
	flags.BoolVar(&f.windows, "windows", false, "also say what windows took: work, and in an MPI job\nwaiting and exchange")
	if withStrategies(a.registry) != "" {
		flags.BoolVar(&f.cost, "cost", false, "compare with the plain version and with restarting it")
	}
	f.why.register(cmd)
	flags.Var(named(&f.export, "the name of a folder"), "export", "write the tables of a query to files in this `folder`, for\nothers to answer it; it is made, or must be empty")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if flags.Changed("trace") && f.trace == "" {
			return errors.New("--trace \"\": want the name of a file, or -")
		}
		if !flags.Changed("profile") {
			return nil
		}
		_, err := findProfiler(f.profile)
		return err
	}
}

// runLine runs a line and shows how it went in the way the flags ask for.
func (a *app) runLine(ctx context.Context, words []string, f runFlags) error {
	run, err := a.parse(words, a.name.exploreAdvice)
	if err != nil {
		return err
	}
	if err := a.checkRun(run, f); err != nil {
		return err
	}
	trace, stop, err := a.prepareRun(ctx, run, f)
	defer trace.abandon()
	if err := a.agree(err); err != nil {
		return err
	}
	opts := f.options(a)
	meter := f.measureWindows(a, &opts)
	outcome, err := run.Execute(ctx, opts)
	if stopped := a.agree(stop()); stopped != nil {
		return stopped
	}
	if err == nil {
		err = meter.gather()
	}
	checked := ""
	if err == nil {
		checked, err = f.repeat(ctx, a, run, outcome)
	}
	if err != nil {
		return a.explain(ctx, run, err, f)
	}
	if err := a.agree(failed(f.writeTrace(trace, outcome, run.Experiment().Program.KindName))); err != nil {
		return err
	}
	if f.why.wanted(run, f.json) && !a.silent() {
		switch err := outcome.Explain(ctx, run, f.options(a).Trace); {
		case err != nil && f.why.asked():
			return orInterrupted(ctx, err, "")
		case err != nil:
			outcome.Why = nil // what the run has shown is worth more than why
		default:
			outcome.Why = f.why.worth(outcome.Why)
		}
	}
	if f.cost && outcome.Verdict() != guarantee.Broken {
		if outcome.Costs, err = catalog.Costs(ctx, run, f.options(a)); err != nil {
			return a.explain(ctx, run, err, f)
		}
	}
	return a.show(outcome, checked, a.name.replay(outcome.Line), meter, f)
}

// checkRun refuses what cannot be done, and what does not fit into the memory of all processes.
func (a *app) checkRun(run *scenarios.Run, f runFlags) error {
	if err := a.agree(f.allowed(run, a.registry)); err != nil {
		return err
	}
	err := run.Need(f.options(a)).Check(a.memory(), a.job)
	if refused := (*emu.RoomError)(nil); err == nil || errors.As(err, &refused) {
		return err
	}
	return failure{err} // they have lost each other
}

// prepareRun opens what is to be written, before anything is run.
func (a *app) prepareRun(ctx context.Context, run *scenarios.Run, f runFlags) (trace *outFile, stop func() error, err error) {
	if a.silent() {
		return nil, func() error { return nil }, nil
	}
	if err := f.checkExport(run, a.registry); err != nil {
		return nil, nil, err
	}
	if trace, err = f.openTrace(a); err != nil {
		return nil, nil, err
	}
	if err := a.export(ctx, run, f.export); err != nil {
		return trace, nil, err
	}
	stop, err = a.startProfile(f.profile)
	return trace, stop, err
}

// errBothToStdout is about an outcome and a trace.
var errBothToStdout = errors.New("--json and --trace - would both write to standard output; name a file for the trace")

// allowed refuses what cannot be done, before anything is.
func (f *runFlags) allowed(run *scenarios.Run, registry scenarios.Registry) error {
	if f.json && f.trace == "-" {
		return errBothToStdout
	}
	if f.cost && !hasStrategies(registry, run.Protocol()) {
		return fmt.Errorf("--cost: %s has no plain version to compare with, want %s", run.Protocol().Name, withStrategies(registry))
	}
	machine := run.Config()
	machine.Workers = f.workers
	return machine.Validate()
}

func (f *runFlags) options(a *app) scenarios.Options {
	o := scenarios.Options{Trace: emu.TraceHash, Workers: f.workers, Part: a.job}
	if f.trace != "" {
		o.Trace = emu.TraceEvents
	}
	return o
}

// repeat runs the line once more, if it is asked to, and says how that went.
func (f *runFlags) repeat(ctx context.Context, a *app, run *scenarios.Run, outcome *scenarios.Outcome) (string, error) {
	if !f.check {
		return "", nil
	}
	first, second, err := run.Repeat(ctx, outcome, f.options(a))
	return fmt.Sprintf("run twice, with %d and %d workers: same hash", first, second), err
}

// show prints an outcome, how checking it went, how to see it again and what it took; errBroken says that not all is well.
func (a *app) show(outcome *scenarios.Outcome, checked, again string, meter *meter, f runFlags) error {
	var err error
	beside := a.beside(f.trace)
	if f.json {
		outcome.Checked, beside = f.check, a.stderr
		err = printOutcome(a.stdout, outcome)
		if outcome.Verdict() == guarantee.Broken {
			fmt.Fprintln(a.stderr, again)
		}
	} else {
		err = printReport(beside, outcome, checked, again)
	}
	err = cmp.Or(err, meter.print(beside, outcome.Report))
	if err != nil {
		return err
	}
	return verdict(outcome.Verdict())
}

// explain says how to see a failed run again.
func (a *app) explain(ctx context.Context, run *scenarios.Run, err error, f runFlags) error {
	replay := "\n" + a.name.replay(run.String())
	if f.check {
		replay += " --check"
	}
	if f.why.asked() {
		replay += a.whyNot(ctx, run, err)
	}
	explained := noOutcome(ctx, err, replay)
	if f.json && statusOf(explained) == statusBroken {
		if err := printJSON(a.stdout, jsonFailure{Line: run.String(), Error: err.Error()}); err != nil {
			return err
		}
	}
	return explained
}

// jsonFailure is the JSON of a run that has no outcome.
type jsonFailure struct {
	Line  string `json:"line"`
	Held  bool   `json:"held"`
	Error string `json:"error"`
}

// hasStrategies reports whether a protocol has a plain version. Only some of the catalogue have.
func hasStrategies(g scenarios.Registry, p scenarios.Protocol) bool {
	_, ok := p.Keys.Lookup("strategy")
	return ok && catalog.Has(g, p.Name)
}

// withStrategies names the protocols that have a plain version.
func withStrategies(g scenarios.Registry) string {
	var names []string
	for _, p := range g {
		if hasStrategies(g, p) {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}
