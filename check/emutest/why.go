package emutest

import (
	"context"
	"errors"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Why explains a violation that [Check] has found: how it came to that, and which of its faults mattered. It makes a few runs for each fault. Messages of
// failed tests have it already.
func Why(ctx context.Context, test Test, v Violation) (*cause.Explanation, error) {
	if err := test.Validate(); err != nil {
		return nil, err
	}
	return newHunt(test, nil).why(ctx, &v)
}

func (s *hunt) why(ctx context.Context, v *Violation) (*cause.Explanation, error) {
	trace := emu.TraceHash
	if s.needsEvents() {
		trace = emu.TraceEvents
	}
	judged, err := newPlayer(&s.Test, s.protect, 1, trace)
	if err != nil {
		return nil, err
	}
	traced, err := newPlayer(&s.Test, func(*Instance, *report.Report) []guarantee.Verdict { return nil }, 1, emu.TraceDecisions)
	if err != nil {
		return nil, err
	}
	c := cause.Case{
		Schedule: v.Schedule, Given: s.Given, KindName: judged.instance.Program.KindName,
		Play: func(ctx context.Context, schedule faults.Schedule, events bool) (cause.Played, error) {
			p := judged
			if events {
				p = traced
			}
			run, err := p.play(ctx, schedule, v.Seed)
			return cause.Played{Report: run.report, Verdicts: run.verdicts}, err
		},
	}
	if len(v.Broken) > 0 {
		c.Promise = v.Broken[0].Name
	}
	return cause.Explain(ctx, c)
}

// explain is the explanation as lines of a message; none if nothing can be said.
func (s *hunt) explain(ctx context.Context, v *Violation) []string {
	x, err := s.why(ctx, v)
	var large *cause.TooLargeError
	switch {
	case errors.As(err, &large):
		return []string{"not explained: " + large.Error()}
	case err != nil:
		return nil // what was found is worth reporting all the same
	}
	return x.Lines()
}
