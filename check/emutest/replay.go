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

// selection is the one run that flags ask for, in their words; "" and 0: not given.
type selection struct {
	faults, seed, page string
	nth                uint // call of a test
}

// selected is what the flags ask for.
func selected() selection { return selection{*onlyFaults, *onlySeed, *viewFile, *onlyNth} }

// run runs one schedule and says what became of each promise.
func (only selection) run(t testing.TB, by call, test Test) {
	t.Helper()
	if only.nth > 0 && int(only.nth) != by.nth {
		t.Log(by.leftOut(fmt.Sprintf(": -mangrove.run=%d", only.nth)))
		return
	}
	if err := test.Validate(); err != nil {
		t.Fatal(err)
	}
	schedule, err := only.read(&test)
	if err != nil && by.nth > 1 && only.nth == 0 { // it was meant for one of those before
		t.Log(by.leftOut(fmt.Sprintf(", and the schedule that of another: %v", err)))
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := only.claimPage(t, by)
	if err != nil {
		t.Fatal(err)
	}
	test = test.withDefaults()
	// The events are for the reader; checks see them if they do so in a search. A check that
	// panics here may do so: the stack is what one wants to see.
	p, err := newPlayer(&test, test.seeing(test.judge), 1, emu.TraceEvents)
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
	if page == "" {
		return
	}
	if err := p.writePage(page, by, run); err != nil {
		t.Fatalf("-mangrove.view=%s: %v", only.page, err)
	}
	t.Log("page: " + page)
}

// read reads the schedule, and the seed into the test.
func (only selection) read(test *Test) (schedule faults.Schedule, err error) {
	if only.faults != "" {
		if schedule, err = parseSchedule(only.faults, test.Machine.Ranks); err != nil {
			return nil, fmt.Errorf("-mangrove.faults=%s: %s", only.faults, problems.Of(err))
		}
	}
	if only.seed != "" {
		if test.Seed, err = strconv.ParseUint(only.seed, 10, 64); err != nil {
			return nil, fmt.Errorf("-mangrove.seed=%s: want a number from 0 to %d", only.seed, uint64(math.MaxUint64))
		}
	}
	return schedule, nil
}

// parseSchedule reads the schedule of one run, for so many ranks.
func parseSchedule(text string, ranks int) (faults.Schedule, error) {
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
