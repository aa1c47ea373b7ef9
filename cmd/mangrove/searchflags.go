package main

import (
	"fmt"
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
	most    int // faults; 0: not said
}

// register adds the flags to a command that knows these kinds of failures.
func (f *searchFlags) register(cmd *cobra.Command, kinds ...faults.Kind) {
	f.kinds = []faults.Kind{faults.Crash, faults.Hang}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the result as JSON")
	flags.BoolVar(&f.roots, "roots", false, "let roots fail, too")
	flags.Var(&kindList{&f.kinds, "kinds", kinds}, "kinds", "some of "+listKinds(kinds))
	flags.BoolVar(&f.check, "check", false, "make every run twice and compare")
	numberFlag(cmd, &f.workers, "workers", 0, maxWorkers, "run `n` schedules at a time, 0: one a processor")
}

// subject is what a line asks for, as something to search for failures in.
func (f *searchFlags) subject(run *scenarios.Run) *search.Subject {
	s := run.Subject()
	s.Twice, s.Excused = f.check, guarantee.NothingPromised
	return s
}

// scope says what fails in a search, and who does not.
type scope struct {
	Kinds       []string `json:"kinds"`
	RootsSpared bool     `json:"rootsSpared"`
	Checked     bool     `json:"checked"` // every run was made twice
	Notes       []string `json:"notes"`
}

func (f *searchFlags) scope(run *scenarios.Run, most int) scope {
	s := scope{Kinds: kindNames(f.kinds), RootsSpared: !f.roots && len(run.Experiment().Roots) > 0, Checked: f.check, Notes: []string{}}
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
	return strings.Join(s.Kinds, ", ") + " of " + who
}
