package search

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Subject is a protocol on a machine, and what it promises.
type Subject struct {
	// Machine is all but what it records and how many workers it has, which is up to the search.
	Machine emu.Config
	// Seed is that of all runs, unless a search draws another one for each ([FuzzOptions].AnySeed).
	Seed uint64
	// Roots are the ranks that faults spare, unless they are asked for.
	Roots []int
	// Kinds are the faults that may take the place of others in a schedule that is made smaller; those that it has may stay. Empty: all.
	Kinds []faults.Kind
	// NewTrial is called once for each processor; trials run at the same time.
	NewTrial func() (Trial, error)
	// WithSeed is the same protocol for another seed, if its program or what is checked depends on the seed other than by the
	// random streams of the ranks. Nil: it does not.
	WithSeed func(seed uint64) (*Subject, error)
	// Twice makes every run twice, with different numbers of workers, and breaks the
	// guarantee Repeats if the two differ.
	Twice bool
	// Events has the events of every run recorded, for guarantees that look at them. It
	// makes a search about three times as slow. Without it Judge never sees events, not even
	// of those runs whose events the search looks at itself: what is checked must not depend
	// on how many faults may follow.
	Events bool
}

// machines is how many machines a search keeps for each schedule that it runs at a time: one
// that records events, which takes as much as three, one that does not, and another one to
// compare with.
const machines = 5

// CheckMemory refuses a search by so many workers that does not fit into memory; 0: one for each processor.
func (s *Subject) CheckMemory(workers int) error {
	return emu.CheckMemory(s.Machine.Ranks, machines*workersOr(workers))
}

// Trial is a program that can be run again and again, and judged after each run.
type Trial struct {
	Program protocols.Program
	Prepare func() // before each run; optional
	Judge   func(*report.Report) []guarantee.Verdict
}

// Repeats is the guarantee of the machine, for programs that touch nothing but their Proc.
const Repeats = "the same happens again"

// runner runs trials on machines of its own.
type runner struct {
	subject *Subject
	seed    uint64
	trial   Trial
	quick   *emu.Machine // records no more than it must
	tracing *emu.Machine // records events
	// deciding records what programs decide by time, too; nil unless something happens to messages
	deciding *emu.Machine
	twin     *emu.Machine // makes every run for a second time, if asked to
	// whole is the schedule that is run for one of the search; nil: itself
	whole  func(faults.Schedule) faults.Schedule
	report report.Report
	all    []guarantee.Verdict // of the last run; nil if it has none
}

func newRunner(s *Subject) (*runner, error) {
	trial, err := s.NewTrial()
	if err != nil {
		return nil, err
	}
	r := &runner{subject: s, seed: s.Seed, trial: trial}
	machine := s.machine
	r.tracing, err = machine(emu.TraceEvents, 1)
	if err != nil {
		return nil, err
	}
	if r.quick = r.tracing; !s.Events {
		r.quick, err = machine(emu.TraceHash, 1)
	}
	if s.Twice && err == nil {
		r.twin, err = machine(emu.TraceHash, 3)
	}
	return r, err
}

// machine makes one that records so much.
func (s *Subject) machine(trace emu.TraceLevel, workers int) (*emu.Machine, error) {
	cfg := s.Machine
	cfg.Trace, cfg.Workers = trace, workers
	return emu.New(cfg)
}

// newDecider makes a runner that also records what programs decide by time.
func newDecider(s *Subject) (*runner, error) {
	r, err := newRunner(s)
	if err == nil {
		r.deciding, err = s.machine(emu.TraceDecisions, 1)
	}
	return r, err
}

// seeded is the subject with another seed.
func (s *Subject) seeded(seed uint64) (*Subject, error) {
	if seed == s.Seed {
		return s, nil
	}
	if s.WithSeed != nil {
		other, err := s.WithSeed(seed)
		if err != nil {
			return nil, err
		}
		other.Twice, other.Events = s.Twice, s.Events
		return other, nil
	}
	other := *s
	other.Seed = seed
	return &other, nil
}

// reseed gives all further runs another seed.
func (r *runner) reseed(seed uint64) error {
	if seed == r.seed {
		return nil
	}
	r.seed = seed
	if r.subject.WithSeed == nil {
		return nil
	}
	other, err := r.subject.seeded(seed)
	if err != nil {
		return err
	}
	r.trial, err = other.NewTrial()
	return err
}

// judge runs a schedule and returns the guarantees that it breaks. The runner's report is
// that of the run, unless the program did not end; then ended is false.
func (r *runner) judge(ctx context.Context, m *emu.Machine, s faults.Schedule) (broken []guarantee.Verdict, ended bool, err error) {
	var again report.Hash
	r.all = nil
	if r.twin != nil && r.run(ctx, r.twin, s) == nil {
		again = r.report.Hash
	}
	err = r.run(ctx, m, s)
	switch {
	case err == nil && r.twin != nil && r.report.Hash != again:
		return []guarantee.Verdict{{Name: Repeats, Evidence: fmt.Sprintf("hash %v with one worker, %v with three", r.report.Hash, again)}}, true, nil
	case err == nil:
		return guarantee.OnlyBroken(r.verdicts()), true, nil
	}
	if verdict, program := Blame(err); program {
		return []guarantee.Verdict{verdict}, false, nil
	}
	for _, f := range s {
		if _, unread := faults.Parse(f.String()); unread != nil && f.At.Anchor == faults.AtStep { // which only a program can have named
			return nil, false, fmt.Errorf("search: rank %d passes step %q, at which no schedule can let it fail: %w", f.Rank, f.At.Step, err)
		}
	}
	return nil, false, fmt.Errorf("search: faults=%v: %w", s, err)
}

// verdicts judges the last run.
func (r *runner) verdicts() []guarantee.Verdict {
	events := r.report.Events
	if !r.subject.Events {
		r.report.Events = nil
	} else if r.deciding != nil {
		r.report.Events = slices.DeleteFunc(slices.Clone(events), func(e report.Event) bool { return e.Kind.OfDecisions() })
	}
	r.all = r.trial.Judge(&r.report)
	r.report.Events = events
	return r.all
}

// run makes one run.
func (r *runner) run(ctx context.Context, m *emu.Machine, s faults.Schedule) error {
	if r.trial.Prepare != nil {
		r.trial.Prepare()
	}
	if r.whole != nil {
		s = r.whole(s)
	}
	return m.RunInto(ctx, r.trial.Program, emu.Options{Faults: s, Seed: r.seed}, &r.report)
}

// workersOr returns how many runners to use.
func workersOr(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
