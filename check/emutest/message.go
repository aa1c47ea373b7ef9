package emutest

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// text is the message of a failed test: what is broken, by what, and how to see it again.
func (v *Violation) text(runs int64, testName string, seed uint64) string {
	again := "again, with all events:\n    " + v.command(testName, seed)
	if len(v.Schedule) == 0 && v.Seed == seed {
		return fmt.Sprintf("%s\nfaults: none\n%s", listBroken(v.Broken), again)
	}
	cause, keep := fmt.Sprint(v.Schedule), fmt.Sprintf("\n    Schedules: []faults.Schedule{faults.MustParse(%q)},", v.Schedule)
	if len(v.Schedule) == 0 {
		keep = ""
	}
	if v.Seed != seed {
		cause += fmt.Sprintf(", seed: %d", v.Seed)
		keep += fmt.Sprintf("\n    Seeds: []uint64{%d},", v.Seed)
	}
	return fmt.Sprintf("%s\nfaults: %s (the smallest found; %d of %d runs break this)\n%s\nin every run of the test from now on:%s",
		listBroken(v.Broken), cause, v.Runs, runs, again, keep)
}

// listBroken prints two lines for each promise.
func listBroken(broken []guarantee.Verdict) string {
	var lines []string
	for _, b := range broken {
		lines = append(lines, "broken: "+b.Name, "    "+strings.ReplaceAll(b.Why(), "\n", "\n    "))
	}
	return strings.Join(lines, "\n")
}

// command is what to type to run the schedule again, from wherever in the module.
func (v *Violation) command(testName string, seed uint64) string {
	flags := fmt.Sprintf("-mangrove.faults='%v'", v.Schedule)
	if v.Seed != seed {
		flags += fmt.Sprintf(" -mangrove.seed=%d", v.Seed)
	}
	return fmt.Sprintf("go test -v -run %s %s %s", shellescape.Quote(pattern(testName)), flags, packagePath())
}

// pattern is a regular expression for go test -run that matches one test or subtest.
func pattern(testName string) string {
	parts := strings.Split(testName, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// packagePath is the package that is being tested. Other packages may not know the flag.
func packagePath() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if path, isTest := strings.CutSuffix(info.Path, ".test"); isTest {
			return path
		}
	}
	return "."
}

// text says how much was tested.
func (r *Result) text(test Test) string {
	if v := r.Violations; len(v) > 0 && len(v[0].Schedule) == 0 && v[0].Seed == test.Seed {
		return "no faults were tried, as it breaks without any"
	}
	said := text.Count(r.Runs, "run")
	if r.Runs > 1 {
		said += fmt.Sprintf(", %d different", r.Different)
	}
	if test.Faults > 0 {
		said += fmt.Sprintf(", %s of up to %s covered", text.Count(r.Covered, "schedule"), text.Count(test.Faults, "fault"))
	}
	if test.varies() {
		said += fmt.Sprintf(", one late message in %s (%s)", r.places(), text.Count(r.Delayed, "case"))
	}
	if test.Random > 0 {
		seeds := "each with a seed of its own"
		if test.Exact {
			seeds = fmt.Sprintf("with seed %d", test.Seed)
		}
		said += fmt.Sprintf(", %s of up to %s, %s", text.Count(r.Random, "random schedule"), text.Count(test.RandomFaults, "fault"), seeds)
	}
	for _, c := range r.Judged.Counts {
		if c.Judged < r.Judged.Runs {
			said += fmt.Sprintf("\n%s: judged in %d of %d runs", c.Name, c.Judged, r.Judged.Runs)
		}
	}
	return said
}

// places says whether all delays were tried.
func (r *Result) places() string {
	if r.AllDelays {
		return "every place"
	}
	return "many places, of more"
}

// unseen has a message for each promise that none of the runs could have broken.
func (r *Result) unseen() (messages []string) {
	for _, c := range r.Judged.Counts {
		if c.Judged == 0 {
			messages = append(messages, fmt.Sprintf("never judged: %s\n    none of %s met its premises, or had anything to look at", c.Name, text.Count(r.Judged.Runs, "run")))
		}
	}
	return messages
}
