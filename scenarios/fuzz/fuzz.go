package fuzz

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// Broadcast checks a tree with a correction, once or several times in a row.
func Broadcast(data []byte) error { return broadcastFamily.check(data) }

// MultiTree checks a broadcast down several trees at once.
func MultiTree(data []byte) error { return multiTreeFamily.check(data) }

// Reduce checks a reduction.
func Reduce(data []byte) error { return reduceFamily.check(data) }

// AllReduce checks a reduction whose result is broadcast.
func AllReduce(data []byte) error { return allReduceFamily.check(data) }

// Gossip checks Corrected Gossip, in all its variants.
func Gossip(data []byte) error { return gossipFamily.check(data) }

// Big checks a broadcast over a binomial graph.
func Big(data []byte) error { return bigFamily.check(data) }

// Bfb checks Buntinas' broadcast, which begins again when ranks fail.
func Bfb(data []byte) error { return bfbFamily.check(data) }

// Membership checks the group membership service, with ranks that come back and cut links.
func Membership(data []byte) error { return membershipFamily.check(data) }

// Collective checks collective operations that go on when ranks fail.
func Collective(data []byte) error { return collectiveFamily.check(data) }

// SampleSort checks sample sort, which is made of such operations.
func SampleSort(data []byte) error { return sampleSortFamily.check(data) }

// Query checks TPC-H query 3, which is, too.
func Query(data []byte) error { return queryFamily.check(data) }

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
	report   *report.Report
	outcome  *scenarios.Outcome
}

// check runs what the bytes say and returns the first broken promise.
func (f *family) check(data []byte) error {
	chosen, schedule, twice := f.decode(data)
	line := f.line(chosen, schedule)
	if err := f.try(line, chosen, schedule, twice); err != nil {
		return fmt.Errorf("fuzz: %w\n\tmangrove run %s", err, shellescape.QuoteCommand(strings.Fields(line)))
	}
	return nil
}

// try runs a line and judges it.
func (f *family) try(line string, chosen choices, schedule faults.Schedule, twice bool) error {
	outcome, err := f.execute(line)
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

// patience is how much real time a run has. Few take more than some milliseconds.
var patience = 10 * time.Second

var errEndless = errors.New("the run does not end")

// execute runs a line on a machine of its own: making one costs little, and no run can then
// have an influence on another. A run that goes on for ever is an error.
func execute(line string, opts scenarios.Options) (*scenarios.Outcome, error) {
	run, err := catalog.ParseLine(line)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, errEndless)
	defer cancel()
	return run.Execute(ctx, opts)
}

// execute runs a line with what is needed to judge it.
func (f *family) execute(line string) (*scenarios.Outcome, error) {
	opts := scenarios.Options{Workers: 1}
	if f.traced {
		opts.Trace = emu.TraceEvents
	}
	return execute(line, opts)
}

// repeats says whether the line gives the same run on two workers.
func repeats(first *scenarios.Outcome, line string) error {
	second, err := execute(line, scenarios.Options{Workers: 2})
	if err != nil {
		return err
	}
	if a, b := first.Report.Hash, second.Report.Hash; a != b {
		return fmt.Errorf("the same run has hash %s with one worker and %s with two", a, b)
	}
	return nil
}
