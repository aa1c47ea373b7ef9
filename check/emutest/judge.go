package emutest

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Names under which the checks of an instance are reported.
const (
	checked    = "check"
	unpanicked = "check does not panic"
)

// judge decides what a run has kept and what not.
func (test *Test) judge(instance *Instance, rep *report.Report) []guarantee.Verdict {
	run := guarantee.Run{Report: rep, Roots: test.Roots}
	verdicts := guarantee.Check(run, test.Guarantees...)
	verdicts = append(verdicts, guarantee.Check(run, instance.Guarantees...)...)
	if instance.Check == nil {
		return verdicts
	}
	if err := instance.Check(rep); err != nil {
		return append(verdicts, guarantee.Verdict{Name: checked, Evidence: err.Error()})
	}
	return append(verdicts, guarantee.Verdict{Name: checked, Value: guarantee.Held, Evidence: "found nothing wrong"})
}

// hunt is a test under way.
type hunt struct {
	Test
	kept  []keptFile
	ended atomic.Pointer[faults.Schedule] // with which a check ended its goroutine
}

func newHunt(test Test, kept []keptFile) *hunt { return &hunt{Test: test.withDefaults(), kept: kept} }

// subject is the test as package search wants it.
func (s *hunt) subject() *search.Subject {
	return &search.Subject{
		Machine:  s.config(),
		Seed:     s.Seed,
		Roots:    s.Spare,
		Kinds:    s.Kinds,
		NewTrial: s.trial,
		Events:   s.needsEvents(),
	}
}

func (s *hunt) trial() (search.Trial, error) {
	instance := s.New()
	return search.Trial{
		Program: withLimit(instance.Program, s.TimeLimit),
		Prepare: instance.Prepare,
		Judge:   func(rep *report.Report) []guarantee.Verdict { return s.protect(&instance, rep) },
	}, nil
}

// protect judges a run so that a check that panics is a finding like any other, with its
// schedule, and one that ends the goroutine of the search does not go unnoticed.
func (s *hunt) protect(instance *Instance, rep *report.Report) (verdicts []guarantee.Verdict) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil {
			verdicts = []guarantee.Verdict{{Name: unpanicked, Evidence: fmt.Sprintf("it panicked: %v", value)}}
			return
		}
		schedule := slices.Clone(rep.Faults)
		s.ended.Store(&schedule)
	}()
	verdicts = s.judge(instance, rep)
	returned = true
	return verdicts
}

// misused is an error if a check ended its goroutine.
func (s *hunt) misused() error {
	if schedule := s.ended.Load(); schedule != nil {
		return fmt.Errorf("emutest: with faults=%v a check ended its goroutine, as t.FailNow, t.Fatal and require do; want it to return an error", *schedule)
	}
	return nil
}

// needsEvents asks the test, its guarantees and those of an instance.
func (test *Test) needsEvents() bool {
	all := slices.Concat(test.Guarantees, test.New().Guarantees)
	return test.Events || slices.ContainsFunc(all, guarantee.Guarantee.NeedsEvents)
}

// seeing is a judge that sees events only if it does so in a search, for runs whose events are recorded in any case.
func (test *Test) seeing(all judge) judge {
	if test.needsEvents() {
		return all
	}
	return func(instance *Instance, rep *report.Report) []guarantee.Verdict {
		blind := *rep
		blind.Events = nil
		return all(instance, &blind)
	}
}
