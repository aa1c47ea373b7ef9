package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/search"
)

const exploreHelp = `Run every schedule of up to so many failures: each rank crashes or hangs before,
in the middle of and after each of its sends, at each receive and at each named
step, in all combinations. Schedules that no other rank can tell apart are run
once. The report says how many were covered, and has the smallest schedule for
each set of guarantees that is broken; exit status 1 if there is any.

With --state FILE an exploration that is interrupted goes on where it stopped
when the same command is given again.`

func (a *app) exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore WORD... 'faults<=N'",
		Short: "Run every schedule of up to N failures",
		Long:  exploreHelp,
		Example: `  mangrove explore broadcast P=8 'faults<=2'
  mangrove explore broadcast correction=failure-proof f=1 P=8 --roots
  mangrove explore reduce P=6 f=1 --json`,
		RunE: func(cmd *cobra.Command, words []string) error { return a.explore(cmd.Context(), words, f) },
	}
	f.searchFlags.register(cmd)
	cmd.Flags().BoolVar(&f.every, "every", false, "run every point, also those that come to the same")
	cmd.Flags().StringVar(&f.state, "state", "", "keep the state of the exploration in `file`")
	return cmd
}

// searchFlags are those of explore and fuzz.
type searchFlags struct {
	json    bool
	roots   bool
	kinds   []string
	workers int
	check   bool
}

func (f *searchFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the result as JSON")
	flags.BoolVar(&f.roots, "roots", false, "let roots fail, too")
	flags.StringSliceVar(&f.kinds, "kinds", []string{"crash", "hang"}, "`kinds` of failures: crash, hang")
	flags.IntVar(&f.workers, "workers", 0, "run `n` schedules at a time, 0: one a processor")
	flags.BoolVar(&f.check, "check", false, "make every run twice and compare")
}

// faultKinds reads the kinds, of which some may be allowed.
func (f *searchFlags) faultKinds(allowed ...faults.Kind) ([]faults.Kind, error) {
	var kinds []faults.Kind
	for _, name := range f.kinds {
		i := slices.IndexFunc(allowed, func(k faults.Kind) bool { return k.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("--kinds %q, want some of %v", name, allowed)
		}
		kinds = append(kinds, allowed[i])
	}
	if f.workers < 0 {
		return nil, fmt.Errorf("--workers %d, want 0 or more", f.workers)
	}
	return kinds, nil
}

type exploreFlags struct {
	searchFlags
	every bool
	state string
}

// resumption says how to go on after an interrupt.
func (f *exploreFlags) resumption() string {
	if f.state == "" {
		return ""
	}
	return ", the same command goes on from here"
}

var bound = regexp.MustCompile(`^faults<=(\d{1,3})$`)

// takeBound takes the word faults<=N off a line.
func takeBound(words []string) (rest []string, most int, err error) {
	most = 1
	for _, word := range strings.Fields(strings.Join(words, " ")) {
		switch match := bound.FindStringSubmatch(word); {
		case match != nil:
			most, _ = strconv.Atoi(match[1])
		case strings.HasPrefix(word, "faults<"):
			return nil, 0, fmt.Errorf("%q: want faults<= and a number from 1 to 999", word)
		case strings.HasPrefix(word, "faults="):
			return nil, 0, fmt.Errorf("%q: the faults are what is searched for; want 'faults<=N' for how many", word)
		default:
			rest = append(rest, word)
		}
	}
	if most < 1 {
		return nil, 0, errors.New(`"faults<=0": want a number from 1 to 999`)
	}
	return rest, most, nil
}

func (a *app) explore(ctx context.Context, words []string, f exploreFlags) error {
	words, most, err := takeBound(words)
	if err != nil {
		return err
	}
	run, err := a.registry.Parse(words)
	if err != nil {
		return err
	}
	options := search.ExploreOptions{Faults: most, Every: f.every, Roots: f.roots, Workers: f.workers}
	if options.Kinds, err = f.faultKinds(faults.Crash, faults.Hang); err != nil {
		return err
	}
	state := exploreState{Line: run.String(), Faults: most, Every: f.every, Roots: f.roots, Kinds: f.kinds}
	if options.Resume, err = state.load(f.state); err != nil {
		return err
	}
	bar := newBar(a.stderr)
	options.Progress = bar.show
	subject := run.Subject()
	subject.Twice = f.check
	found, err := search.Explore(ctx, subject, options)
	bar.clear()
	if found == nil {
		return failure{err}
	}
	if stored := state.store(f.state, found); stored != nil {
		return failure{stored}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted%s: %w", f.resumption(), ctx.Err())
	}
	if err != nil {
		return failure{err}
	}
	return a.showExploration(run, most, found, f.json)
}

func (a *app) showExploration(run *scenarios.Run, most int, found *search.Exploration, asJSON bool) error {
	var err error
	if asJSON {
		err = printJSON(a.stdout, struct {
			Line       string          `json:"line"`
			Faults     int             `json:"faults"`
			Covered    int64           `json:"covered"`
			Runs       int64           `json:"runs"`
			Distinct   int64           `json:"distinct"`
			Violations []jsonViolation `json:"violations"`
		}{run.String(), most, found.Covered, found.Runs, found.Distinct, jsonViolations(run, found.Violations)})
	} else {
		err = printExploration(a.stdout, run, most, found)
	}
	return verdictOf(err, found.Violations)
}

// verdictOf is errBroken if there are violations.
func verdictOf(err error, all []search.Violation) error {
	if err != nil {
		return failure{err}
	}
	if len(all) > 0 {
		return errBroken
	}
	return nil
}

func printExploration(w io.Writer, run *scenarios.Run, most int, found *search.Exploration) error {
	_, err := fmt.Fprintf(w, "%s faults<=%d\n\n%-12s %d schedules of up to %d faults\n%-12s %d, of which %d differ\n%-12s %d\n",
		run, most, "covered", found.Covered, most, "runs", found.Runs, found.Distinct, "violations", len(found.Violations))
	if err == nil {
		err = printViolations(w, run, found.Violations)
	}
	return err
}

// printViolations prints each class of violations with the line that shows it.
func printViolations(w io.Writer, run *scenarios.Run, all []search.Violation) error {
	for _, v := range all {
		fmt.Fprintf(w, "\nBROKEN by %d runs, the smallest of which is\n%s\n", v.Count, commandLine(run.With(v.Schedule)))
		for _, b := range v.Broken {
			if _, err := fmt.Fprintf(w, "  %s: %s\n", b.Name, b.Evidence); err != nil {
				return err
			}
		}
	}
	return nil
}

// jsonViolation is a violation with the line that shows it.
type jsonViolation struct {
	Line   string                `json:"line"`
	Count  int64                 `json:"count"`
	Broken []scenarios.Guarantee `json:"broken"`
}

func jsonViolations(run *scenarios.Run, all []search.Violation) []jsonViolation {
	list := []jsonViolation{}
	for _, v := range all {
		list = append(list, jsonViolation{run.With(v.Schedule), v.Count, v.Broken})
	}
	return list
}

// exploreState is what is kept of an exploration between commands.
type exploreState struct {
	Line         string              `json:"line"`
	Faults       int                 `json:"faults"`
	Every, Roots bool                `json:",omitempty"`
	Kinds        []string            `json:"kinds"`
	Found        *search.Exploration `json:"found"`
}

// load returns what an earlier command has left, if it explored the same.
func (s *exploreState) load(name string) (*search.Exploration, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the state: %w", err)
	}
	var old exploreState
	if err := json.Unmarshal(text, &old); err != nil || old.Found == nil {
		return nil, fmt.Errorf("%s is not the state of an exploration", name)
	}
	if old.Line != s.Line || old.Faults != s.Faults || old.Every != s.Every || old.Roots != s.Roots || !slices.Equal(old.Kinds, s.Kinds) {
		return nil, fmt.Errorf("%s is the state of another exploration, %s faults<=%d; want another file", name, old.Line, old.Faults)
	}
	return old.Found, nil
}

// store keeps the state. The file is complete at any time.
func (s *exploreState) store(name string, found *search.Exploration) error {
	if name == "" {
		return nil
	}
	s.Found = found
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", text, 0o666); err != nil {
		return fmt.Errorf("cannot keep the state: %w", err)
	}
	return os.Rename(name+".new", name)
}
