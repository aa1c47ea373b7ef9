package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
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
	unit         scenarios.Unit
	reduction    bool
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
	var input *scenarios.InputError
	switch {
	case errors.As(err, &input):
		return err
	case ctx.Err() != nil:
		return interrupted{}
	}
	return failure{fmt.Errorf("%w\nagain: %s", err, withWords(fmt.Sprintf("mangrove launch -n %d", s.options.Processes), run.String()))}
}

// Figures that are compared.
var launchFigures = []struct {
	name    string
	of      func(*emu.Report) float64
	ticks   bool
	spreads bool // it is about messages that spread
}{
	{"messages", func(r *emu.Report) float64 { return float64(r.Messages) }, false, false},
	{"coloring", func(r *emu.Report) float64 { return float64(r.Coloring) }, true, true},
	{"quiescence", func(r *emu.Report) float64 { return float64(r.Quiescence) }, true, false},
	{"exit", func(r *emu.Report) float64 { return float64(r.Exit) }, true, false},
}

func (s *launchSeries) add(outcome *scenarios.Outcome) {
	s.runs++
	s.failed += len(outcome.Report.Failed)
	s.unit, s.reduction = outcome.Unit, outcome.Reduction
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
		s.measured[f.name].Add(f.of(outcome.Report))
	}
}

// end prints what all runs have in common.
func (s *launchSeries) end() error {
	w := s.app.stdout
	if !s.flags.json && (s.flags.runs > 1 || s.emulated != nil) {
		if s.flags.runs == 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s on %s, %s in all, %d broken\n\n", count(s.runs, "run"), count(s.options.Processes, "process"), count(s.failed, "failed rank"), s.broken)
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
	header := fmt.Sprintf("%-12s %22s %14s %14s", "", "median", "lowest", "highest")
	if s.emulated != nil {
		header += fmt.Sprintf(" %22s %8s", "emulated", "ratio")
	}
	fmt.Fprintln(w, header)
	for _, f := range launchFigures {
		if f.spreads && s.reduction {
			continue
		}
		m := s.measured[f.name]
		show := func(v float64) string {
			if !f.ticks {
				return fmt.Sprintf("%.0f", v)
			}
			return s.unit.Show(clock.Time(v))
		}
		row := fmt.Sprintf("%-12s %22s %14s %14s", f.name, show(m.Median()), bare(m.Min(), f.ticks), bare(m.Max(), f.ticks))
		if s.emulated != nil {
			e := f.of(s.emulated.Report)
			row += fmt.Sprintf(" %22s %8.2f", show(e), m.Median()/e)
		}
		fmt.Fprintln(w, row)
	}
}

// bare prints a number of ticks, or of anything else, without its unit.
func bare(v float64, ticks bool) string {
	if ticks {
		return fmt.Sprintf("t=%.0f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
