package scenarios

import (
	"context"
	"errors"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// Why explains how the line breaks a promise, and which of its faults mattered; promise "" is the first one that it breaks. Promises that need events are
// judged if trace says that these are recorded, as in [Options]. What cannot be explained, as the run is too large, has a note that says so.
func (r *Run) Why(ctx context.Context, promise string, trace emu.TraceLevel) (*cause.Explanation, error) {
	schedule, err := r.Schedule()
	if err != nil {
		return nil, err
	}
	judged, traced := NewExecutor(Options{Trace: trace, Workers: 1}), NewExecutor(Options{Trace: emu.TraceDecisions, Workers: 1})
	why, err := cause.Explain(ctx, cause.Case{
		Schedule: schedule,
		Promise:  promise,
		KindName: r.experiment.Program.KindName,
		Play: func(ctx context.Context, s faults.Schedule, events bool) (cause.Played, error) {
			if events {
				return r.played(ctx, traced, s)
			}
			return r.played(ctx, judged, s)
		},
	})
	if large := (*cause.TooLargeError)(nil); errors.As(err, &large) {
		return &cause.Explanation{Promise: promise, Note: "not explained: " + large.Error()}, nil
	}
	return why, err
}

// played runs the line with other faults, all else being the same.
func (r *Run) played(ctx context.Context, e *Executor, s faults.Schedule) (cause.Played, error) {
	other, err := r.protocol.ParseLine(r.WithFaults(s))
	if err != nil {
		return cause.Played{}, err
	}
	outcome, err := e.Run(ctx, other)
	if err == nil {
		return cause.Played{Report: outcome.Report, Verdicts: outcome.Guarantees}, nil
	}
	if broken, program := search.Blame(err); program {
		return cause.Played{Verdicts: []guarantee.Verdict{broken}}, nil
	}
	return cause.Played{}, err
}

// Explain adds to an outcome that is broken why it is. Runs that are too large for that are not run again.
func (o *Outcome) Explain(ctx context.Context, r *Run, trace emu.TraceLevel) error {
	broken := guarantee.OnlyBroken(o.Guarantees)
	if len(broken) == 0 {
		return nil
	}
	if err := cause.CheckSize(o.Report.Messages); err != nil {
		o.Why = &cause.Explanation{Promise: broken[0].Name, Note: "not explained: " + err.Error()}
		return nil
	}
	var err error
	o.Why, err = r.Why(ctx, broken[0].Name, trace)
	return err
}

// ExplainAll adds to the first so many violations why they are. Runs that are not the same each time prove nothing, and are left out.
func (r *Run) ExplainAll(ctx context.Context, all []Violation, most int) error {
	for i := range all {
		v := &all[i]
		if most == 0 {
			return nil
		}
		if v.Check || len(v.Broken) == 0 {
			continue
		}
		run, err := r.protocol.ParseLine(v.Line)
		if err != nil {
			return err
		}
		if v.Why, err = run.Why(ctx, v.Broken[0].Name, emu.TraceHash); err != nil {
			return err
		}
		most--
	}
	return nil
}
