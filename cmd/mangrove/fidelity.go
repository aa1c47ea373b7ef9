package main

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/fidelity"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// compareWith runs the lines of package fidelity on processes and on the emulator with a machine that was just
// calibrated, prints how long they took, and draws it.
func (a *app) compareWith(ctx context.Context, f calibrateFlags, pictures []string, command string) error {
	options := f.Options
	options.Pace, options.Eager = tcp.Free, true
	fmt.Fprintf(a.stdout, "\n    %-26s %12s %26s %26s\n", "", "emulated", "measured", "measured / emulated")
	number := 0
	rows, err := fidelity.Compare(ctx, fidelity.Options{
		Parse: a.registry.ParseLine, File: f.out, Times: f.times,
		Machine: func(ctx context.Context, run *scenarios.Run) (*scenarios.Outcome, error) {
			options.Processes = run.Config().Ranks
			return launch.Launch(ctx, run, options)
		},
		Done: func(row fidelity.Row) {
			number++
			fmt.Fprintf(a.stdout, "%2d  %s\n", number, rowOf(row))
		},
	})
	if err != nil {
		return noOutcome(ctx, err, "")
	}
	fmt.Fprintf(a.stdout, "\nMedians in microseconds; in parentheses lowest and highest of %d runs with new processes.\n", f.times)
	for _, name := range pictures {
		if err := figure.Save(name, fidelity.Figure(rows, command)); err != nil {
			return failure{fmt.Errorf("cannot draw the comparison: %w", err)}
		}
	}
	return nil
}

// rowOf is a line of the table.
func rowOf(row fidelity.Row) string {
	us := func(ticks float64) string { return microseconds(ticks, row.Unit) }
	return fmt.Sprintf("%-26s %12s %26s %26s", row.Name, us(row.Emulated),
		fmt.Sprintf("%s (%s to %s)", us(row.Measured.Value), us(row.Measured.Low), us(row.Measured.High)),
		fmt.Sprintf("%.2f (%.2f to %.2f)", row.Ratio.Value, row.Ratio.Low, row.Ratio.High))
}

// microseconds prints ticks in this unit, without it.
func microseconds(ticks float64, unit line.Unit) string {
	return fmt.Sprintf("%.0f", ticks*float64(unit)/1000)
}
