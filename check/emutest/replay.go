package emutest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// maxEvents is how many events a replay prints.
const maxEvents = 2_000

// replay runs one schedule and says what became of each promise.
func replay(t testing.TB, test Test, text, seed string) {
	t.Helper()
	if err := test.Validate(); err != nil {
		t.Fatal(err)
	}
	schedule, err := parseFlag(text, test.Machine.Ranks)
	if err != nil {
		t.Fatalf("-mangrove.faults=%s: %s", text, problems.Of(err))
	}
	if seed != "" {
		if test.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			t.Fatalf("-mangrove.seed=%s: want a number from 0 to %d", seed, uint64(math.MaxUint64))
		}
	}
	test = test.withDefaults()
	// The events are for the reader; checks see them if they do so in a search. A check that
	// panics here may do so: the stack is what one wants to see.
	judge := test.withoutEvents
	if test.needsEvents() {
		judge = test.judge
	}
	p, err := newPlayer(&test, judge, 1, emu.TraceEvents)
	if err != nil {
		t.Fatal(err)
	}
	run, err := p.play(t.Context(), schedule, test.Seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(run.text(schedule, p.instance.Program.KindName, testing.Verbose()))
	if broken := guarantee.OnlyBroken(run.verdicts); len(broken) > 0 {
		t.Error(listBroken(broken))
	}
}

// parseFlag reads the schedule of the flag, for so many ranks.
func parseFlag(text string, ranks int) (faults.Schedule, error) {
	schedule, err := faults.Parse(text)
	if err == nil {
		err = schedule.Validate(ranks)
	}
	switch {
	case err != nil:
		return nil, err
	case !schedule.Explicit():
		return nil, fmt.Errorf("one run cannot draw ranks; want their numbers, such as crash:0 to crash:%d; Random in the test runs drawn schedules", ranks-1)
	}
	return schedule, nil
}

// text tells what happened: with all events, or else in short.
func (p *played) text(schedule faults.Schedule, names func(mailbox.Kind) string, verbose bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "faults %v", schedule)
	if p.report == nil {
		fmt.Fprintf(&b, "\n%v", p.failure)
		return b.String()
	}
	if verbose {
		writeEvents(&b, p.report.Events, names)
	}
	fmt.Fprintf(&b, "\n%d messages, quiet at t=%d", p.report.Messages, p.report.Quiescence)
	for _, d := range p.report.Deadlocks {
		fmt.Fprintf(&b, "\n%v", d)
	}
	if len(p.report.Unfired) > 0 {
		fmt.Fprintf(&b, "\nfaults that did not happen, as the program never came to that point: %v", p.report.Unfired)
	}
	for _, v := range p.verdicts {
		if v.Value != guarantee.Broken {
			fmt.Fprintf(&b, "\n%v", v)
		}
	}
	return b.String()
}

// writeEvents prints one event on each line.
func writeEvents(b *strings.Builder, events []report.Event, names func(mailbox.Kind) string) {
	for i, e := range events {
		if i == maxEvents {
			fmt.Fprintf(b, "\n    and %d more events", len(events)-i)
			return
		}
		number, name := fmt.Sprintf(" kind=%d ", e.Msg), " kind="+mailbox.KindName(e.Msg, names)+" "
		fmt.Fprintf(b, "\n    %s", strings.Replace(e.String(), number, name, 1))
	}
}
