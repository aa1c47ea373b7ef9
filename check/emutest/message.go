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
func (v *Violation) text(runs int64, testName string) string {
	again := "again, with all events:\n    " + v.command(testName)
	if len(v.Schedule) == 0 {
		return fmt.Sprintf("%s\nfaults: none\n%s", listBroken(v.Broken), again)
	}
	return fmt.Sprintf(`%s
faults: %v (the smallest found; %d of %d runs break this)
%s
in every run of the test from now on:
    Schedules: []faults.Schedule{faults.MustParse(%q)},`,
		listBroken(v.Broken), v.Schedule, v.Runs, runs, again, v.Schedule)
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
func (v *Violation) command(testName string) string {
	return fmt.Sprintf("go test -v -run %s -mangrove.faults='%v' %s", shellescape.Quote(pattern(testName)), v.Schedule, packagePath())
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
	if len(r.Violations) > 0 && len(r.Violations[0].Schedule) == 0 {
		return "no faults were tried, as it breaks without any"
	}
	said := text.Count(r.Runs, "run")
	if test.Faults > 0 {
		said += fmt.Sprintf(", %s of up to %s covered", text.Count(r.Covered, "schedule"), text.Count(test.Faults, "fault"))
	}
	if test.Random > 0 {
		said += fmt.Sprintf(", %s of up to %s with seed %d", text.Count(r.Random, "random schedule"), text.Count(test.RandomFaults, "fault"), test.Seed)
	}
	for _, c := range r.Judged.Counts {
		if c.Judged < r.Judged.Runs {
			said += fmt.Sprintf("\n%s: judged in %d of %d runs", c.Name, c.Judged, r.Judged.Runs)
		}
	}
	return said
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
