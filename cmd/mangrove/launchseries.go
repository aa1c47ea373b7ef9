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
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// launchSeries is a line that is run on processes, once or many times.
type launchSeries struct {
	app      *app
	flags    launchFlags
	options  launch.Options
	emulated *scenarios.Outcome // if that is to be compared with

	runs, broken int
	failed       int // ranks
	unit         line.Unit
	measured     map[string]*stats.Sample
}

// run runs the line once more. One run is shown in full, of many only those that went wrong.
func (s *launchSeries) run(ctx context.Context, run *scenarios.Run) error {
	outcome, err := launch.Launch(ctx, run, s.options)
	if err != nil {
		return s.explain(ctx, run, err)
	}
	s.add(outcome)
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

// explain is about a run without an outcome.
func (s *launchSeries) explain(ctx context.Context, run *scenarios.Run, err error) error {
	return launchError(ctx, err, "\nagain: "+withWords(fmt.Sprintf("mangrove launch -n %d", s.options.Processes), run.String()))
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

// launchFigures are what is compared. A figure has one value for a run, or many.
var launchFigures = []launchFigure{
	{"messages", false, func(o *scenarios.Outcome) []float64 { return []float64{float64(o.Report.Messages)} }},
	{"latency", true, func(o *scenarios.Outcome) []float64 { return o.Latencies }},
	{"coloring", true, func(o *scenarios.Outcome) []float64 {
		if o.Reduction || len(o.Latencies) > 0 {
			return nil
		}
		return []float64{float64(o.Report.Coloring)}
	}},
	{"quiescence", true, func(o *scenarios.Outcome) []float64 { return []float64{float64(o.Report.Quiescence)} }},
	{"exit", true, func(o *scenarios.Outcome) []float64 { return []float64{float64(o.Report.Exit)} }},
}

type launchFigure struct {
	name  string
	ticks bool
	of    func(*scenarios.Outcome) []float64
}

// sampleOf has the values of a figure.
func (f launchFigure) sampleOf(o *scenarios.Outcome) *stats.Sample {
	s := &stats.Sample{}
	s.Add(f.of(o)...)
	return s
}

func (s *launchSeries) add(outcome *scenarios.Outcome) {
	s.runs++
	s.failed += len(outcome.Report.Failed)
	s.unit = outcome.Unit
	if !outcome.Held() {
		s.broken++
	}
	if s.measured == nil {
		s.measured = make(map[string]*stats.Sample)
	}
	for _, f := range launchFigures {
		if s.measured[f.name] == nil {
			s.measured[f.name] = &stats.Sample{}
		}
		s.measured[f.name].Add(f.of(outcome)...)
	}
}

// end prints what all runs have in common.
func (s *launchSeries) end() error {
	w := s.app.stdout
	if !s.flags.json && (s.flags.runs > 1 || s.emulated != nil) {
		if s.flags.runs == 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s on %s, %s in all, %d broken\n\n", text.Count(s.runs, "run"), processes(s.options.Processes), text.Count(s.failed, "failed rank"), s.broken)
		s.printTable()
	}
	if s.broken > 0 {
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
	for _, f := range launchFigures {
		m := s.measured[f.name]
		if m.Len() == 0 {
			continue
		}
		show := bare
		if f.ticks {
			show = func(v float64) string { return s.unit.Span(clock.Time(v)) }
		}
		row := fmt.Sprintf("%-12s %26s %14s %14s", f.name, show(m.Median()), bare(m.Min()), bare(m.Max()))
		if s.emulated != nil {
			e := f.sampleOf(s.emulated).Median()
			row += fmt.Sprintf(" %26s %8.2f", show(e), m.Median()/e)
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
