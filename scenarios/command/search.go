package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// searchFlags are those of explore and fuzz.
type searchFlags struct {
	json    bool
	roots   bool
	kinds   []faults.Kind
	workers int
	check   bool
	why     whyFlag
}

// register adds the flags to a command that knows these kinds of failures.
func (f *searchFlags) register(cmd *cobra.Command, kinds ...faults.Kind) {
	f.kinds = []faults.Kind{faults.Crash, faults.Hang}
	flags := cmd.Flags()
	say := "some of " + listKinds(kinds)
	if len(kinds) > 5 { // the line has an end
		say = "some of " + listKinds(kinds[:5]) + "\n" + listKinds(kinds[5:])
	}
	flags.BoolVar(&f.json, "json", false, "print the result as JSON")
	flags.BoolVar(&f.roots, "roots", false, "let roots fail, too")
	flags.Var(kindList(&f.kinds, kinds), "kinds", say)
	f.why.register(cmd)
	flags.BoolVar(&f.check, "check", false, "make every run twice and compare")
	cmd.Flags().Var(number(&f.workers, 0, maxWorkers), "workers", "run `n` schedules at a time, 0: one a processor")
}

// subject is what a line asks for, as something to search for failures in.
func (f *searchFlags) subject(run *scenarios.Run) *search.Subject {
	s := run.Subject()
	s.Twice = f.check
	return s
}

// scope says what fails in a search, and who does not.
type scope struct {
	Kinds       []string `json:"kinds"`
	RootsSpared bool     `json:"rootsSpared"`
	Checked     bool     `json:"checked"` // every run was made twice
	Notes       []string `json:"notes"`

	by commandName
}

func (f *searchFlags) scope(run *scenarios.Run, most int, by commandName) scope {
	s := scope{by: by, Kinds: names(f.kinds), RootsSpared: !f.roots && len(run.Experiment().Roots) > 0, Checked: f.check, Notes: []string{}}
	s.Notes = append(s.Notes, run.Notes()...)
	if able := f.able(run); most > able && !slices.ContainsFunc(f.kinds, func(k faults.Kind) bool { return k > faults.Slow }) {
		s.Notes = append(s.Notes, fmt.Sprintf("up to %s asked for, but only %s can fail", text.Count(most, "fault"), text.Count(able, "rank")))
	}
	return s
}

// able is how many ranks can fail.
func (f *searchFlags) able(run *scenarios.Run) int {
	if f.roots {
		return run.Config().Ranks
	}
	return run.Config().Ranks - len(run.Experiment().Roots)
}

// who says which ranks fail and how.
func (s *scope) who() string {
	who := "any rank"
	if s.RootsSpared {
		who = "any rank but the root (--roots: that, too)"
	}
	var failures, others []string
	for _, kind := range s.Kinds {
		switch kind {
		case "late":
			others = append(others, "messages are late")
		case "lose":
			others = append(others, "messages are lost")
		case "twice":
			others = append(others, "messages arrive twice")
		default:
			failures = append(failures, kind)
		}
	}
	if len(failures) > 0 {
		others = append([]string{strings.Join(failures, ", ") + " of " + who}, others...)
	}
	return strings.Join(others, "; ")
}

// mayReturn refuses a flag if ranks cannot come back on a line.
func mayReturn(run *scenarios.Run, flag string) error {
	if why := run.NoReturn(); why != "" {
		return fmt.Errorf("%s: %s", flag, why)
	}
	return nil
}

// aloneNobodyReturns says why ranks need two faults to come back.
const aloneNobodyReturns = "nobody would come back, as a failure and a rejoin are two faults"

// noteUnread notes that storage is tried in vain, for a search in which nobody comes back, and what to type for it to be otherwise.
func (s *scope) noteUnread(run *scenarios.Run, typing string) {
	if run.Protocol().Stores && run.NoReturn() == "" {
		s.Notes = append(s.Notes, "nobody comes back, so nobody reads what a rank has stored that failed: "+typing)
	}
}

// showing is the command that shows a violation with a line.
func (s *scope) showing(v *scenarios.Violation, line string) string {
	if v.Check {
		return s.by.run(line) + " --check"
	}
	return s.by.run(line)
}

// printViolation prints the line and what it breaks. The title says how it was chosen.
func (s *scope) printViolation(w io.Writer, v *scenarios.Violation, title string) {
	fmt.Fprintf(w, "\nBROKEN by %s, %s\n%s\n", text.Count(v.Count, "run"), title, s.showing(v, v.Line))
	for _, b := range v.Broken {
		fmt.Fprintf(w, "  %s: %s\n", b.Name, b.Why())
	}
	if v.Why != nil {
		printWhy(w, v.Why)
	}
	if v.Found != v.Line {
		fmt.Fprintf(w, "found as\n%s\n", s.showing(v, v.Found))
	}
}

// printScope prints what holds for all runs of a search.
func printScope(w io.Writer, s scope, judged guarantee.Tally, all []scenarios.Violation) {
	if s.Checked {
		printRow(w, "checked", "every run twice, with 1 and 3 workers: %s", sameHashes(all))
	}
	printJudged(w, judged)
	for _, note := range s.Notes {
		printRow(w, "note", "%s", note)
	}
	printRow(w, "violations", "%d", len(all))
}

// printJudged prints in how many runs each promise was judged.
func printJudged(w io.Writer, judged guarantee.Tally) {
	for i, c := range judged.Counts {
		name := ""
		if i == 0 {
			name = "judged"
		}
		printRow(w, name, "%s: in %d of %s", c.Name, c.Judged, text.Count(judged.Runs, "run"))
	}
}

// printWarning is the last line of a report on many runs, if too few of them were judged.
func printWarning(w io.Writer, judged guarantee.Tally) {
	if seldom := judged.Warning(); seldom != "" {
		fmt.Fprintf(w, "\nwarning: %s\n", seldom)
	}
}

// searched is what a search comes to. Runs that panic or differ are violations without a verdict.
func searched(judged guarantee.Tally, violations []scenarios.Violation) error {
	if len(violations) > 0 {
		return errBroken
	}
	return verdict(judged.Overall())
}

// sameHashes says how comparing came out. Where runs differ, the report has a violation.
func sameHashes(all []scenarios.Violation) string {
	if slices.ContainsFunc(all, func(v scenarios.Violation) bool { return v.Check }) {
		return "DIFFERENT hashes"
	}
	return "same hashes"
}
