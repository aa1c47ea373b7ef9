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

// text is the message of a failed test: what is broken, by what, how to see it again, and where it is kept.
func (v *Violation) text(runs int64, by call, seed uint64, k place) string {
	said := append([]string{listBroken(v.Broken), "faults: " + v.cause(runs, seed)}, v.because...)
	said = append(said, "again, with all events:", "    "+v.command(by, seed))
	return strings.Join(append(said, k.lines(v, seed)...), "\n")
}

// isPlain reports whether nothing is needed to see it but the test.
func (v *Violation) isPlain(seed uint64) bool { return len(v.Schedule) == 0 && v.Seed == seed }

// cause is what breaks it, and how often that was seen.
func (v *Violation) cause(runs int64, seed uint64) string {
	if v.isPlain(seed) {
		return "none"
	}
	said := fmt.Sprint(v.Schedule)
	if v.Seed != seed {
		said += fmt.Sprintf(", seed: %d", v.Seed)
	}
	if v.file != "" {
		return said + " (kept in " + v.file + ")"
	}
	return said + fmt.Sprintf(" (the smallest found; %d of %d runs break this)", v.Runs, runs)
}

// inTest is how to have it in every run of the test.
func (v *Violation) inTest(seed uint64) []string {
	lines := []string{"in every run of the test from now on:"}
	if len(v.Schedule) > 0 {
		lines = append(lines, fmt.Sprintf("    Schedules: []faults.Schedule{faults.MustParse(%q)},", v.Schedule))
	}
	if v.Seed != seed {
		lines = append(lines, fmt.Sprintf("    Seeds: []uint64{%d},", v.Seed))
	}
	return lines
}

// listBroken prints two lines for each promise.
func listBroken(broken []guarantee.Verdict) string {
	var lines []string
	for _, b := range broken {
		lines = append(lines, "broken: "+b.Name, "    "+strings.ReplaceAll(b.Why(), "\n", "\n    "))
	}
	return strings.Join(lines, "\n")
}

// command is what to type to run the schedule again, from wherever in the module. The package comes first: go test takes what follows a flag
// of ours for arguments.
func (v *Violation) command(by call, seed uint64) string {
	flags := fmt.Sprintf("-mangrove.faults='%v'", v.Schedule)
	if v.Seed != seed {
		flags += fmt.Sprintf(" -mangrove.seed=%d", v.Seed)
	}
	flags += by.flag()
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("go test -v%s -run %s %s %s", buildTags(info), shellescape.Quote(pattern(by.test)), packagePath(info), flags)
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
func packagePath(info *debug.BuildInfo) string {
	if info != nil {
		if path, isTest := strings.CutSuffix(info.Path, ".test"); isTest {
			return path
		}
	}
	return "."
}

// buildTags is the flag that the test was built with, if it was: with others it may be another program.
func buildTags(info *debug.BuildInfo) string {
	if info != nil {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				return " -tags " + shellescape.Quote(s.Value)
			}
		}
	}
	return ""
}

// text says how much was tested.
func (r *Result) text(test Test) string {
	if v := r.Violations; len(v) > 0 && v[0].isPlain(test.Seed) {
		return "no faults were tried, as it breaks without any"
	} else if len(v) > 0 && v[0].file != "" {
		return fmt.Sprintf("nothing else was tried: %d of %s to be mended first", len(v), text.Count(r.Kept, "kept schedule"))
	}
	said := text.Count(r.Runs, "run")
	if r.Runs > 1 {
		said += fmt.Sprintf(", %d different", r.Different)
	}
	if r.Kept > 0 {
		said += ", " + r.keptText()
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

// keptText says how many kept schedules were run, and what of them does nothing any more: a step of the program has gone, say.
func (r *Result) keptText() string {
	said := text.Count(r.Kept, "kept schedule")
	var idle []string
	for _, kept := range r.idle {
		verb := "never happens"
		if len(kept.schedule) > 1 {
			verb = "never happen"
		}
		idle = append(idle, fmt.Sprintf("%v %s: %s", kept.schedule, verb, kept.path))
	}
	if len(idle) == 0 {
		return said
	}
	return fmt.Sprintf("%s (%s)", said, strings.Join(idle, "; "))
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
