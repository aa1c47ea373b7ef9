package command

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

const launchHelp = `Run a line on real processes that send each other messages over TCP: the same
protocols, the same failures, the same guarantees as on the emulator.

With a process for each rank (-n P, or P left out) a crash is a SIGKILL, also in
the middle of a send, a hang is a SIGSTOP, and a rank that rejoins is a process
that is started again. With fewer processes each has several ranks, and only the
goroutine of a rank fails.

A tick has a length here: tick=5ms unless the line or its machine says
otherwise; tick=1us at pace free, if the line has no deadlines.
--pace says how much of the model is kept to: with sends a send takes o ticks,
and L is the most that a message may take; with model a message takes as long as
the model says, at least; with free everything is as fast as it can be.

On several hosts, --hosts names those to start processes on over ssh, and
--listen is the address of this one that they can reach.`

func (a *app) launchCommand() *cobra.Command {
	f := launchFlags{Options: launch.Options{Pace: tcp.Sends, Timeout: time.Minute, Patience: time.Second}, runs: 1}
	cmd := &cobra.Command{
		Use:   "launch -n N WORD...",
		Short: "Run a line on real processes, over TCP",
		Long:  launchHelp,
		Example: `  mangrove launch -n 64 broadcast faults=crash:3@send2,hang:9@t12
  mangrove launch -n 16 broadcast P=4096 start=overlapped
  mangrove launch -n 16 membership faults=crash:5@t20,rejoin:5@t90
  mangrove launch -n 8 broadcast machine=here.toml --runs 50 --compare
  mangrove launch -n 8 broadcast --hosts a,b --listen 10.0.0.1:0`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if f.compare && !cmd.Flags().Changed("pace") {
				f.Pace = tcp.Free
			}
			f.connectKnown = cmd.Flags().Changed("connect")
			f.typed = typedFlags(cmd.Flags(), "processes", "runs")
			return a.launch(cmd.Context(), words, f)
		},
	}
	flags := cmd.Flags()
	flags.VarP(number(&f.Processes, 1, maxProcesses), "processes", "n", "start `n` processes; else one for each of P ranks")
	cmd.Flags().Var(number(&f.runs, 1, 1_000_000), "runs", "run `n` times, with one seed after the other")
	flags.Var(pace(&f.Pace), "pace", "keep to the model: `free`, sends, model")
	flags.BoolVar(&f.compare, "compare", false, "compare with the emulator, at pace free if not told")
	flags.BoolVar(&f.json, "json", false, "print the outcome as JSON, one line for each run")
	flags.Var(named(&f.trace, "the name of a file, or -"), "trace", "write events to `file` as JSON lines, or for Perfetto,\nbeside the emulated ones, if its name ends in .json")
	flags.Var(duration(&f.Timeout), "timeout", "end runs that take longer than this `time`")
	flags.Var(duration(&f.Patience), "patience", "take processes for hung after this `time`")
	f.registerHosts(cmd)
	flags.BoolVar(&f.Eager, "connect", false, "open all connections before the run; usual up to 64\nprocesses, or with --compare")
	flags.Var(named(&f.Storage, "the name of a folder"), "storage", "let ranks keep what they store in this empty `folder`,\non each host; else in a temporary one")
	flags.BoolVar(&f.quiet, "quiet", false, "do not print what processes say")
	return cmd
}

// launch runs a line on processes as often as it is asked to.
func (a *app) launch(ctx context.Context, words []string, f launchFlags) error {
	run, err := a.launchLine(words, &f.Processes, f.Pace)
	if err != nil {
		return err
	}
	if err := f.complete(a); err != nil {
		return err
	}
	series := &launchSeries{app: a, flags: f}
	if f.compare {
		outcome, err := run.Execute(ctx, scenarios.Options{})
		if err != nil {
			return a.explain(ctx, run, err, runFlags{})
		}
		series.emulated = &launch.Series{}
		series.emulated.Add(outcome)
	}
	seed := run.Settings().Seed()
	for i := range f.runs {
		if i > 0 {
			run = run.WithSetting("seed", fmt.Sprint(seed+uint64(i)))
		}
		if err := series.run(ctx, run); err != nil {
			return err
		}
	}
	return series.end()
}

// launchSeries is a line that is run on processes, once or many times.
type launchSeries struct {
	app      *app
	flags    launchFlags
	measured launch.Series
	emulated *launch.Series // if that is to be compared with
}

// run runs the line once more. One run is shown in full, of many only those that went wrong.
func (s *launchSeries) run(ctx context.Context, run *scenarios.Run) error {
	trace, err := s.app.openRecording(s.flags.trace, s.flags.json)
	if err != nil {
		return err
	}
	defer trace.abandon()
	outcome, err := launch.Launch(ctx, run, s.flags.Options)
	if err == nil {
		err = s.app.writeRecorded(ctx, trace, s.flags.trace, run, outcome)
	}
	if err != nil {
		return s.flags.again(s.app.name, "launch").failed(ctx, run.String(), err)
	}
	s.measured.Add(outcome)
	broken, again := outcome.Verdict() == guarantee.Broken, s.flags.again(s.app.name, "launch").run(outcome.Line)
	switch {
	case s.flags.json:
		if broken {
			fmt.Fprintln(s.app.stderr, again)
		}
		return printJSON(s.app.stdout, outcome)
	case s.flags.runs == 1 || broken:
		return printReport(s.app.beside(s.flags.trace), outcome, "", again)
	}
	return nil
}

// end prints what all runs have in common.
func (s *launchSeries) end() error {
	w := s.app.beside(s.flags.trace)
	if !s.flags.json && (s.flags.runs > 1 || s.emulated != nil) {
		if s.flags.runs == 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s on %s, %s in all, %d broken, %d too late to judge, %d not claimed\n\n", text.Count(s.measured.Runs, "run"), processes(s.flags.Processes), text.Count(s.measured.Failed, "failed rank"), s.measured.Broken, s.measured.TooLate, s.measured.Unjudged)
		s.printTable()
	}
	return verdict(s.measured.Verdict())
}

// printTable prints the figures, and those of the emulator beside them.
func (s *launchSeries) printTable() {
	w := s.app.beside(s.flags.trace)
	within := line.Within(s.measured.ClockError)
	width := 26 + utf8.RuneCountInString(within)
	header := fmt.Sprintf("%-12s %*s %14s %14s", "", width, "median", "lowest", "highest")
	if s.emulated != nil {
		header += fmt.Sprintf(" %26s %8s", "emulated", "ratio")
	}
	fmt.Fprintln(w, header)
	for i, m := range s.measured.Measures() {
		if m.Values.Len() == 0 {
			continue
		}
		show, wrong := bare, ""
		if m.Ticks {
			show = func(v float64) string { return s.measured.Unit.Span(clock.Time(v)) }
			wrong = within
		}
		median := m.Values.Median()
		row := fmt.Sprintf("%-12s %*s %14s %14s", m.Name, width, show(median)+wrong, bare(m.Values.Min()), bare(m.Values.Max()))
		if s.emulated != nil {
			e := s.emulated.Measures()[i].Values.Median()
			row += fmt.Sprintf(" %26s %8.2f", show(e), median/e)
		}
		fmt.Fprintln(w, row)
	}
}

// bare prints a number of ticks, or of anything else, without its unit.
func bare(v float64) string { return fmt.Sprintf("%.0f", v) }

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
