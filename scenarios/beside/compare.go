package beside

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Machine runs one of the two on the processes of a job. It returns nil in processes to which it does not tell how it went.
type Machine func(context.Context) (*scenarios.Outcome, error)

// Options say what takes turns.
type Options struct {
	Turns        int // that are counted
	Ours, Native Machine
	// Agree returns an error in all processes if one of them has one, as others would wait for that one in the next run. Nil: there is one process.
	Agree func(error) error
}

// Turn is what both have taken, in nanoseconds: operation by operation.
type Turn struct{ Ours, Native []float64 }

// Result is what came of all turns.
type Result struct {
	Turns  []Turn
	Series launch.Series        // runs of ours
	Broken *scenarios.Outcome   // the first of them that was broken, if one was
	Ours   stats.Sample         // all operations, in nanoseconds
	Native stats.Sample         // the same of the library
	Ratio  calibration.Quantity // of ours to the library's: median, lowest and highest of those of the medians of each turn
}

// Compare lets both take turns. It returns nil in processes to which nobody tells how they went.
func Compare(ctx context.Context, o Options) (*Result, error) {
	var result *Result
	for i := range o.Turns + 1 {
		ours, native, err := o.turn(ctx, i)
		if err != nil {
			return nil, err
		}
		if i == 0 || ours == nil { // the first is not counted
			continue
		}
		if result == nil {
			result = &Result{}
		}
		result.add(ours, native)
	}
	result.rate()
	return result, nil
}

// turn runs both, each first in every second turn.
func (o *Options) turn(ctx context.Context, i int) (ours, native *scenarios.Outcome, err error) {
	if i%2 == 0 {
		if ours, err = o.run(ctx, o.Ours); err != nil {
			return nil, nil, err
		}
	}
	native, err = o.run(ctx, o.right)
	if err == nil && i%2 == 1 {
		ours, err = o.run(ctx, o.Ours)
	}
	return ours, native, err
}

// run runs one of the two.
func (o *Options) run(ctx context.Context, machine Machine) (*scenarios.Outcome, error) {
	outcome, err := machine(ctx)
	if o.Agree != nil {
		err = o.Agree(err)
	}
	return outcome, err
}

// right runs the library's own, which must do what it should.
func (o *Options) right(ctx context.Context) (*scenarios.Outcome, error) {
	outcome, err := o.Native(ctx)
	if err == nil && outcome != nil && outcome.Verdict() != guarantee.Held {
		err = fmt.Errorf("the library's own operation: %s", outcome.Guarantees[0].Evidence)
	}
	return outcome, err
}

// add counts a turn.
func (r *Result) add(ours, native *scenarios.Outcome) {
	turn := Turn{inNanoseconds(ours), inNanoseconds(native)}
	r.Turns = append(r.Turns, turn)
	r.Series.Add(ours)
	if r.Broken == nil && ours.Verdict() == guarantee.Broken {
		r.Broken = ours
	}
	r.Ours.Add(turn.Ours...)
	r.Native.Add(turn.Native...)
}

// rate compares the medians of each turn in which there are both.
func (r *Result) rate() {
	if r == nil {
		return
	}
	var ratios stats.Sample
	for _, t := range r.Turns {
		if len(t.Ours) > 0 && median(t.Native) > 0 {
			ratios.Add(median(t.Ours) / median(t.Native))
		}
	}
	if ratios.Len() > 0 {
		r.Ratio = calibration.Quantity{Value: ratios.Median(), Low: ratios.Min(), High: ratios.Max()}
	}
}

func median(values []float64) float64 {
	var s stats.Sample
	s.Add(values...)
	return s.Median()
}

// inNanoseconds is what the operations of a run took: those of a series, or one, from when it was to begin until the result was there, the last rank was reached, or
// all had ended.
func inNanoseconds(o *scenarios.Outcome) []float64 {
	ticks := o.Latencies
	if len(ticks) == 0 {
		switch done := o.Completion; {
		case done.Attempts > 0 && done.At == clock.Never, len(o.Report.Unreached) > 0 && !o.Reduction:
			return nil // there is no result
		case done.Attempts > 0:
			ticks = []float64{float64(done.At)}
		case !o.Reduction:
			ticks = []float64{float64(o.Report.Colouring)}
		default:
			ticks = []float64{float64(o.Report.Exit)}
		}
	}
	all := make([]float64, len(ticks))
	for i, t := range ticks {
		all[i] = t * float64(o.Unit)
	}
	return all
}
