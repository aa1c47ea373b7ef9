package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// launchSeries is a line that is run on processes, once or many times.
type launchSeries struct {
	app      *app
	flags    launchFlags
	options  launch.Options
	measured launch.Series
	emulated *launch.Series // if that is to be compared with
}

// run runs the line once more. One run is shown in full, of many only those that went wrong.
func (s *launchSeries) run(ctx context.Context, run *scenarios.Run) error {
	outcome, err := launch.Launch(ctx, run, s.options)
	if err != nil {
		return againOnProcesses(ctx, run, s.options.Processes, err)
	}
	s.measured.Add(outcome)
	switch {
	case s.flags.json:
		err = printJSON(s.app.stdout, outcome)
	case s.flags.runs == 1 || !outcome.Held():
		err = printReport(s.app.stdout, outcome, "")
	}
	if err != nil {
		return failure{err}
	}
	return nil
}

// againOnProcesses is about a run without an outcome.
func againOnProcesses(ctx context.Context, run *scenarios.Run, processes int, err error) error {
	return launchError(ctx, err, "\nagain: "+launchLineOf(processes, run.String()))
}

// launchError is about a run on processes without an outcome, with some advice if the user has not
// ended it or asked for something impossible.
func launchError(ctx context.Context, err error, advice string) error {
	var input *line.InputError
	switch {
	case errors.As(err, &input):
		return err
	case ctx.Err() != nil:
		return interrupted{}
	}
	return failure{fmt.Errorf("%w%s", err, advice)}
}

// end prints what all runs have in common.
func (s *launchSeries) end() error {
	w := s.app.stdout
	if !s.flags.json && (s.flags.runs > 1 || s.emulated != nil) {
		if s.flags.runs == 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s on %s, %s in all, %d broken\n\n", text.Count(s.measured.Runs, "run"), processes(s.options.Processes), text.Count(s.measured.Failed, "failed rank"), s.measured.Broken)
		s.printTable()
	}
	if s.measured.Broken > 0 {
		return errBroken
	}
	return nil
}

// printTable prints the figures, and those of the emulator beside them.
func (s *launchSeries) printTable() {
	w := s.app.stdout
	header := fmt.Sprintf("%-12s %26s %14s %14s", "", "median", "lowest", "highest")
	if s.emulated != nil {
		header += fmt.Sprintf(" %26s %8s", "emulated", "ratio")
	}
	fmt.Fprintln(w, header)
	for i, m := range s.measured.Measures() {
		if m.Values.Len() == 0 {
			continue
		}
		show := bare
		if m.Ticks {
			show = func(v float64) string { return s.measured.Unit.Span(clock.Time(v)) }
		}
		median := m.Values.Median()
		row := fmt.Sprintf("%-12s %26s %14s %14s", m.Name, show(median), bare(m.Values.Min()), bare(m.Values.Max()))
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
