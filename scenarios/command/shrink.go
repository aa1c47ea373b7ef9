package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

const shrinkHelp = `Make a line smaller that breaks guarantees: fewer and simpler faults, then fewer
ranks and smaller L, o, g, G and seed, as long as the same guarantees stay
broken. All other keys, those of the protocol, stay as typed; with --all they
may change, too, and --keep names keys that must not.

Exit status 1, as that of the line itself; 0 if the line breaks nothing. After
Ctrl-C or SIGTERM it prints the smallest line so far; exit status 130.`

func (a *app) shrinkCommand() *cobra.Command {
	f := shrinkFlags{ShrinkOptions: scenarios.ShrinkOptions{Runs: 3000}}
	cmd := &cobra.Command{
		Use:     "shrink 'LINE'",
		Short:   "Make a line that breaks a guarantee smaller",
		Long:    shrinkHelp,
		Example: `  mangrove shrink broadcast P=8`,
		RunE:    func(cmd *cobra.Command, words []string) error { return a.shrink(cmd.Context(), words, f) },
	}
	cmd.Flags().Var(number(&f.Runs, 1, math.MaxInt), "runs", "make up to `n` runs")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as JSON")
	f.why.register(cmd)
	cmd.Flags().BoolVar(&f.All, "all", false, "make all other keys smaller, too")
	cmd.Flags().StringSliceVar(&f.Keep, "keep", nil, "leave these `keys` as they are, such as P,seed")
	return cmd
}

type shrinkFlags struct {
	scenarios.ShrinkOptions
	json bool
	why  whyFlag
}

// shrunk is a line made smaller, as JSON shows it.
type shrunk struct {
	Line        string              `json:"line"`
	Found       string              `json:"found"` // the line as it was given
	Interrupted bool                `json:"interrupted"`
	Held        bool                `json:"held"` // there was nothing to make smaller
	Runs        int                 `json:"runs"`
	Broken      []guarantee.Verdict `json:"broken"`
	Why         *cause.Explanation  `json:"why,omitempty"`

	by commandName
}

func (a *app) shrink(ctx context.Context, words []string, f shrinkFlags) error {
	words = a.withoutCommand(words)
	run, err := a.parse(words, a.name.shrinkAdvice)
	if err != nil {
		return err
	}
	if err := f.check(run); err != nil {
		return err
	}
	if err := run.Subject().CheckMemory(1); err != nil {
		return err
	}
	small, err := run.Shrink(ctx, f.ShrinkOptions)
	held := errors.Is(err, scenarios.ErrHeld)
	if err != nil && !held && small.Line == "" { // it has not even begun
		return orInterrupted(ctx, err, "")
	}
	result := &shrunk{Line: small.Line, Found: run.String(), Interrupted: ctx.Err() != nil && err != nil, Held: held, Runs: small.Runs, Broken: small.Broken, by: a.name}
	if held {
		result.Line, result.Broken = result.Found, []guarantee.Verdict{}
	}
	var unexplained error
	if !held && ctx.Err() == nil && f.why.wanted(run, f.json) {
		if result.Why, unexplained = a.whyLine(ctx, small); unexplained != nil {
			result.Why = nil // the small line is worth more than why
		}
		result.Why = f.why.worth(result.Why)
	}
	switch shown := show(a.stdout, result, f.json); {
	case shown != nil:
		return shown
	case result.Interrupted:
		return interrupted{}
	case unexplained != nil && f.why.asked():
		return orInterrupted(ctx, unexplained, "")
	case held:
		return nil
	case err != nil:
		return failure{err}
	}
	return errBroken
}

// check makes sure that the keys to keep exist.
func (f *shrinkFlags) check(run *scenarios.Run) error {
	var names []string
	for _, key := range run.Protocol().AllKeys() {
		names = append(names, key.Name)
	}
	for _, name := range f.Keep {
		if !slices.Contains(names, name) {
			return badFlag("keep", name, "some of "+strings.Join(names, ", "))
		}
	}
	return nil
}

// print prints the line and what it breaks.
func (s *shrunk) print(w io.Writer) error {
	var b strings.Builder
	switch {
	case s.Held:
		fmt.Fprintln(&b, "the line breaks no guarantee")
	case s.Interrupted:
		fmt.Fprintf(&b, "INTERRUPTED, the smallest line so far\n")
	}
	if !s.Held {
		fmt.Fprintln(&b, s.by.run(s.Line))
		for _, g := range s.Broken {
			fmt.Fprintf(&b, "  %s: %s\n", g.Name, g.Why())
		}
		if s.Why != nil {
			printWhy(&b, s.Why)
		}
		fmt.Fprintf(&b, "%s\nfound as\n%s\n", text.Count(s.Runs, "run"), s.by.run(s.Found))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
