package emutest

import (
	"context"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// player runs one schedule at a time on an instance of its own.
type player struct {
	test     *Test
	judge    judge
	instance Instance
	machine  *emu.Machine
}

// judge decides what a run of an instance has kept and what not.
type judge func(*Instance, *report.Report) []guarantee.Verdict

// played is how a run went.
type played struct {
	report   *report.Report // nil if the program did not end
	failure  error          // why it did not end
	verdicts []guarantee.Verdict
}

func newPlayer(test *Test, judge judge, workers int, trace emu.TraceLevel) (*player, error) {
	cfg := test.config()
	cfg.Workers, cfg.Trace = workers, trace
	machine, err := emu.New(cfg)
	return &player{test, judge, test.New(), machine}, err
}

// play runs a schedule with a seed. The error is not nil if that says nothing about the program.
func (p *player) play(ctx context.Context, s faults.Schedule, seed uint64) (played, error) {
	if p.instance.Prepare != nil {
		p.instance.Prepare()
	}
	program := withLimit(p.instance.Program, p.test.TimeLimit)
	rep, err := p.machine.Run(ctx, program, emu.Options{Faults: s, Seed: seed})
	if err == nil {
		return played{report: rep, verdicts: p.judge(&p.instance, rep)}, nil
	}
	if broken, program := search.Blame(err); program {
		return played{failure: err, verdicts: []guarantee.Verdict{broken}}, nil
	}
	return played{}, err
}
