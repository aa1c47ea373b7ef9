package emutest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// Break is a promise that a protocol is known to break.
type Break struct {
	Promise string // its name, or "check"
	Faults  string // the smallest schedule that breaks it, as text
	Beyond  bool   // that is beyond what the promise stands (guarantee.Promise.Stands)
}

// Known runs a test of a protocol that is known to break some promises: a test that the search still finds what a README says of the limits of an
// algorithm. It fails t unless exactly these are found. What is found is logged, and not kept in files.
// The short form of tests does not make it shorter, or it would find less. Flags that ask for one run do the same as with [Run].
func Known(t testing.TB, test Test, breaks ...Break) {
	t.Helper()
	by := nextCall(t)
	if only := selected(); only != (selection{}) {
		only.run(t, by, test)
		return
	}
	if err := test.Validate(); err != nil {
		t.Fatal(err)
	}
	want, err := canonical(breaks, test.Machine.Ranks)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := inTime(t)
	defer cancel()
	result, err := newHunt(test, nil).check(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var found []Break
	for i := range result.Violations {
		v := &result.Violations[i]
		t.Log(v.known(test.Seed))
		found = append(found, v.breaks()...)
	}
	for _, b := range want {
		if !slices.Contains(found, b) {
			t.Errorf("known to break, and not found in %s: %v", text.Count(result.Runs, "run"), b)
		}
	}
	for _, b := range found {
		if !slices.Contains(want, b) {
			t.Errorf("broken, and not known: %v", b)
		}
	}
}

// canonical are breaks with schedules as they print.
func canonical(breaks []Break, ranks int) ([]Break, error) {
	if len(breaks) == 0 {
		return nil, fmt.Errorf("emutest: Known without a Break, want what is known to break; Run is for protocols of which nothing is")
	}
	all := slices.Clone(breaks)
	for i := range all {
		schedule, err := parseSchedule(cmp.Or(all[i].Faults, "none"), ranks)
		if err != nil {
			return nil, fmt.Errorf("emutest: Break of %q: %w", all[i].Promise, err)
		}
		all[i].Faults = schedule.String()
	}
	return all, nil
}

// breaks are the promises that a violation breaks.
func (v *Violation) breaks() (all []Break) {
	for _, b := range v.Broken {
		all = append(all, Break{Promise: b.Name, Faults: v.Schedule.String(), Beyond: b.Beyond != ""})
	}
	return all
}

// known says by what which promises were broken.
func (v *Violation) known(seed uint64) string {
	cause := fmt.Sprintf("faults: %v", v.Schedule)
	if v.Seed != seed {
		cause += fmt.Sprintf(", seed: %d", v.Seed)
	}
	said := []string{cause}
	for _, b := range v.Broken {
		said = append(said, b.String())
	}
	return strings.Join(said, "\n")
}

// String reads like "termination, by crash:0@t0, beyond what is claimed".
func (b Break) String() string {
	if b.Beyond {
		return fmt.Sprintf("%s, by %s, beyond what is claimed", b.Promise, b.Faults)
	}
	return fmt.Sprintf("%s, by %s", b.Promise, b.Faults)
}
