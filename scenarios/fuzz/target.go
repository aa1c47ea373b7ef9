package fuzz

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// target is a protocol, which says itself what it promises.
type target struct{ scenarios.Protocol }

// modeTwice is the bit of the first byte that asks for a second run, to compare.
const modeTwice = 1

// decode makes a line and its schedule of any bytes: the first says how to check, there is one for each
// key that is tried, and the rest are faults. Missing bytes count as 0.
func (t *target) decode(data []byte) (text string, twice bool) {
	next := func() (b byte) {
		if len(data) > 0 {
			b, data = data[0], data[1:]
		}
		return b
	}
	twice = next()&modeTwice != 0
	var ranks int
	text = t.MakeUp(func(key line.Key, values []string) string {
		b := int(next()) // also if there is no choice: a change of one byte leaves the others alone
		if len(values) == 0 {
			return ""
		}
		value := values[b%len(values)]
		if key.Name == "P" {
			ranks, _ = strconv.Atoi(value)
		}
		return value
	})
	if schedule := t.Decoder(ranks).Decode(data); len(schedule) > 0 {
		text += " faults=" + schedule.String()
	}
	return text, twice
}

// check runs what the bytes say and returns the first broken promise. Settings that do not go together
// are no run, and nobody's fault.
func (t *target) check(data []byte) error {
	text, twice := t.decode(data)
	run, err := t.ParseLine(text)
	if err != nil {
		return nil
	}
	if err := t.try(run, twice); err != nil {
		return fmt.Errorf("fuzz: %w\n\tmangrove run %s", err, shellescape.QuoteCommand(strings.Fields(text)))
	}
	return nil
}

// try runs a line and judges it. Events are recorded, since some promises are about them.
func (t *target) try(run *scenarios.Run, twice bool) error {
	outcome, err := patiently(run, scenarios.Options{Workers: 1, Trace: emu.TraceEvents})
	if err != nil {
		return err
	}
	if twice {
		if err := repeats(outcome, run); err != nil {
			return err
		}
	}
	return broken(outcome)
}

// broken is the first promise that a run broke though it was within what the protocol claims to stand.
func broken(outcome *scenarios.Outcome) error {
	for _, v := range guarantee.OnlyBroken(outcome.Guarantees) {
		if v.Beyond == "" {
			return fmt.Errorf("%s: broken: %s", v.Name, v.Evidence)
		}
	}
	return nil
}

// patience is how much real time a run has. Few take more than some milliseconds.
var patience = 10 * time.Second

var errEndless = errors.New("the run does not end")

// patiently runs a line on a machine of its own: making one costs little, and no run can then have an
// influence on another. A run that goes on for ever is an error.
func patiently(run *scenarios.Run, opts scenarios.Options) (*scenarios.Outcome, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, errEndless)
	defer cancel()
	return run.Execute(ctx, opts)
}

// repeats says whether the line gives the same run on two workers.
func repeats(first *scenarios.Outcome, run *scenarios.Run) error {
	second, err := patiently(run, scenarios.Options{Workers: 2})
	if err != nil {
		return err
	}
	if a, b := first.Report.Hash, second.Report.Hash; a != b {
		return fmt.Errorf("the same run has hash %s with one worker and %s with two", a, b)
	}
	return nil
}
