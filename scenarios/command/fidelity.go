package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/fidelity"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// comparedLines are those that a machine is compared by. Tests have shorter ones.
var comparedLines = fidelity.Lines

// compareWith runs lines on a machine and on the emulator with what was just calibrated, prints how long they took, and draws it.
func (a *app) compareWith(ctx context.Context, f calibrateFlags, m realMachine, pictures []string, command string) error {
	lines, tooLarge := m.canRun(comparedLines())
	fmt.Fprintf(a.stdout, "\n    %-26s %12s %26s %26s\n", "", "emulated", "measured", "measured / emulated")
	rows, err := fidelity.Compare(ctx, fidelity.Options{
		Parse: a.registry.ParseLine, Machine: m.run, Lines: lines, File: f.out, Times: f.times,
		Done: func(row fidelity.Row) { fmt.Fprintf(a.stdout, "%2d  %s\n", row.Line.Number, rowOf(row)) },
	})
	if err != nil {
		return noOutcome(ctx, err, "")
	}
	fmt.Fprintf(a.stdout, "\nMeasured on %s. Medians in microseconds; in parentheses lowest and highest of %d runs %s.\n", m.name, f.times, repeatedBy[m.source])
	if len(tooLarge) > 0 {
		most := slices.MaxFunc(tooLarge, func(a, b fidelity.Line) int { return a.Ranks - b.Ranks }).Ranks
		fmt.Fprintf(a.stdout, "Left out: %d of %d lines, of more ranks than the %d processes of this job; want mpirun -n %d for all.\n", len(tooLarge), len(lines)+len(tooLarge), m.largest, most)
	}
	for _, name := range pictures {
		if err := figure.Save(name, fidelity.Figure(rows, m.name, command)); err != nil {
			return failure{fmt.Errorf("cannot draw the comparison: %w", err)}
		}
	}
	return nil
}

var repeatedBy = map[calibration.Source]string{
	calibration.SameProcesses: "of the same processes",
	calibration.NewProcesses:  "with new processes",
}

// rowOf is a line of the table.
func rowOf(row fidelity.Row) string {
	us := func(ticks float64) string { return microseconds(ticks, row.Unit) }
	return fmt.Sprintf("%-26s %12s %26s %26s", row.Line.Name(), us(row.Emulated),
		fmt.Sprintf("%s (%s to %s)", us(row.Measured.Value), us(row.Measured.Low), us(row.Measured.High)),
		fmt.Sprintf("%.2f (%.2f to %.2f)", row.Ratio.Value, row.Ratio.Low, row.Ratio.High))
}

// microseconds prints ticks in this unit, without it.
func microseconds(ticks float64, unit line.Unit) string {
	return fmt.Sprintf("%.0f", ticks*float64(unit)/1000)
}
