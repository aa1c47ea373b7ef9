package fidelity

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Machine runs a line, and judges it.
type Machine func(ctx context.Context, run *scenarios.Run) (*scenarios.Outcome, error)

// Row is one line on both.
type Row struct {
	Line     Line
	Unit     line.Unit
	Emulated float64              // median latency, in ticks
	Measured calibration.Quantity // the same on the machine
	Ratio    calibration.Quantity // of measured to emulated
}

// Options say what is compared.
type Options struct {
	Parse   func(line string) (*scenarios.Run, error)
	Machine Machine
	Lines   []Line        // all of [Lines], or those that the machine can run
	File    string        // of the machine
	Times   int           // that the machine runs each line
	Done    func(row Row) // is told of each row
}

// Compare runs all lines on both.
func Compare(ctx context.Context, o Options) ([]Row, error) {
	var rows []Row
	for _, line := range o.Lines {
		row, err := o.compare(ctx, line)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", line.With(o.File), err)
		}
		rows = append(rows, row)
		if o.Done != nil {
			o.Done(row)
		}
	}
	return rows, nil
}

// compare runs one line on both.
func (o *Options) compare(ctx context.Context, line Line) (row Row, err error) {
	run, err := o.Parse(line.With(o.File))
	if err != nil {
		return row, err
	}
	emulated, err := run.Execute(ctx, scenarios.Options{})
	if err != nil {
		return row, err
	}
	row.Line, row.Unit = line, emulated.Unit
	if row.Emulated, err = latency(emulated); err != nil {
		return row, err
	}
	var found stats.Sample
	for range o.Times {
		outcome, err := o.Machine(ctx, run)
		if err != nil {
			return row, err
		}
		measured, err := latency(outcome)
		if err != nil {
			return row, err
		}
		found.Add(measured)
	}
	row.Measured = calibration.Quantity{Value: found.Median(), Low: found.Min(), High: found.Max()}
	row.Ratio = calibration.Quantity{Value: row.Measured.Value / row.Emulated, Low: row.Measured.Low / row.Emulated, High: row.Measured.High / row.Emulated}
	return row, nil
}

// latency is the median of a series.
func latency(outcome *scenarios.Outcome) (float64, error) {
	if len(outcome.Latencies) == 0 {
		return 0, fmt.Errorf("no broadcast has reached everybody")
	}
	var all stats.Sample
	all.Add(outcome.Latencies...)
	return all.Median(), nil
}
