package search

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// runsElsewhere is how many runs are made elsewhere at once: enough for the way there to cost little.
const runsElsewhere = 32

// someRuns are runs of a search at random, by their numbers.
type someRuns struct {
	First int64 `json:"first"`
	Some  int64 `json:"some"`
}

// someFound is what some runs have found.
type someFound struct {
	Fuzzing
	Found  []foundElsewhere `json:"found"`
	Hashes []report.Hash    `json:"hashes"`
}

// foundElsewhere is a finding.
type foundElsewhere struct {
	Run       int64     `json:"run"`
	Violation Violation `json:"violation"`
}

// workElsewhere has runs made elsewhere until there are enough.
func (f *fuzzer) workElsewhere(ctx context.Context) error {
	for {
		first, some := f.take(runsElsewhere)
		if some == 0 {
			return nil
		}
		var found someFound
		err := f.options.Elsewhere.do(ctx, someRuns{first, some}, &found)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		f.merge(&found)
	}
}

// merge adds what was found elsewhere.
func (f *fuzzer) merge(found *someFound) {
	f.mu.Lock()
	f.sum.Runs += found.Runs
	f.sum.Faults += found.Faults
	for step, n := range found.Steps {
		f.sum.Steps[step] += n
	}
	f.sum.Tally.Merge(found.Tally)
	f.mu.Unlock()
	for _, hash := range found.Hashes {
		f.saw(hash)
	}
	for _, x := range found.Found {
		f.keep(x.Run, x.Violation)
	}
	f.meter.ranSome(found)
}

// ranSome counts runs made elsewhere.
func (m *meter) ranSome(found *someFound) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Runs += found.Runs
	m.now.Covered = plus(m.now.Covered, found.Runs)
	for i := range found.Found {
		m.broken[found.Found[i].Violation.name()] = true
	}
	m.reportInTime()
}

// AssistFuzzing returns who makes runs of a search at random with these options.
func AssistFuzzing(s *Subject, options FuzzOptions) Assistant {
	options.Progress, options.Elsewhere = nil, nil
	a := &fuzzAssistant{subject: s, options: options}
	return a.do
}

// fuzzAssistant makes runs.
type fuzzAssistant struct {
	subject *Subject
	options FuzzOptions
	fuzzers spares[*fuzzer] // each with a runner of its own
}

func (a *fuzzAssistant) do(ctx context.Context, task []byte) ([]byte, error) {
	var runs someRuns
	if err := json.Unmarshal(task, &runs); err != nil {
		return nil, fmt.Errorf("search: a task: %w", err)
	}
	f, err := a.fuzzers.take(func() (*fuzzer, error) { return a.newFuzzer(ctx) })
	if err != nil {
		return nil, err
	}
	for run := runs.First; run < runs.First+runs.Some; run++ {
		if err := f.try(ctx, f.runner, run); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	found := f.takeFound()
	a.fuzzers.giveBack(f) // not after an error, with what was found before that
	return json.Marshal(found)
}

// newFuzzer makes one that has found nothing yet.
func (a *fuzzAssistant) newFuzzer(ctx context.Context) (*fuzzer, error) {
	f, err := newFuzzer(ctx, a.subject, a.options)
	if err != nil {
		return nil, err
	}
	clear(f.found) // of the run without faults, which counts once
	f.runner, err = newRunner(a.subject)
	return f, err
}

// takeFound is what was found since it was asked for the last time.
func (f *fuzzer) takeFound() *someFound {
	found := &someFound{Fuzzing: f.sum, Hashes: slices.Collect(maps.Keys(f.hashes))}
	for _, x := range f.found {
		found.Found = append(found.Found, foundElsewhere{x.run, x.violation})
	}
	f.sum = Fuzzing{Steps: make(map[string]int64)}
	clear(f.hashes)
	clear(f.found)
	return found
}
