package fuzz

import (
	"context"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Broadcast checks a tree with a correction, once or several times in a row.
func Broadcast(data []byte) error { return broadcastFamily.check(data) }

// MultiTree checks a broadcast down several trees at once.
func MultiTree(data []byte) error { return multiTreeFamily.check(data) }

// Reduce checks a reduction.
func Reduce(data []byte) error { return reduceFamily.check(data) }

// AllReduce checks a reduction whose result is broadcast.
func AllReduce(data []byte) error { return allReduceFamily.check(data) }

// Any lets the first byte choose one of the others, for fuzzers with a single entry.
func Any(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return families[int(data[0])%len(families)].check(data[1:])
}

// trial is a run and how it went.
type trial struct {
	family   *family
	chosen   choices
	schedule faults.Schedule
	report   *emu.Report
	outcome  *scenarios.Outcome
}

// check runs what the bytes say and returns the first broken promise.
func (f *family) check(data []byte) error {
	chosen, schedule, twice := f.decode(data)
	line := f.line(chosen, schedule)
	if err := f.try(line, chosen, schedule, twice); err != nil {
		return fmt.Errorf("fuzz: %w\n\tmangrove run %s", err, quoted(line))
	}
	return nil
}

// try runs a line and judges it.
func (f *family) try(line string, chosen choices, schedule faults.Schedule, twice bool) error {
	outcome, err := execute(line, 1)
	if err != nil {
		return err
	}
	if twice {
		if err := repeats(outcome, line); err != nil {
			return err
		}
	}
	return f.judge(&trial{f, chosen, schedule, outcome.Report, outcome})
}

// execute runs a line on a machine of its own: making one costs little, and no run can then
// have an influence on another.
func execute(line string, workers int) (*scenarios.Outcome, error) {
	run, err := scenarios.ParseLine(line)
	if err != nil {
		return nil, err
	}
	return run.Execute(context.Background(), scenarios.Options{Workers: workers})
}

// repeats says whether the line gives the same run on two workers.
func repeats(first *scenarios.Outcome, line string) error {
	second, err := execute(line, 2)
	if err != nil {
		return err
	}
	if a, b := first.Report.Hash, second.Report.Hash; a != b {
		return fmt.Errorf("the same run has hash %s with one worker and %s with two", a, b)
	}
	return nil
}

// quoted protects the schedule from the shell, which may take a # for a comment.
func quoted(line string) string {
	if before, schedule, ok := strings.Cut(line, "faults="); ok && strings.Contains(schedule, "#") {
		return before + "'faults=" + schedule + "'"
	}
	return line
}
