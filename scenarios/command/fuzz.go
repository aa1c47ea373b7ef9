package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

const fuzzHelp = `Run random schedules of failures until a number of runs or a time is over. Each
schedule leaves out whole kinds of failures and of points by chance. Without
--kinds ranks crash and hang, messages are late, and links are cut if the line
promises something about that. Each run has a seed of its own, unless the line
says seed=. Roots are spared unless --roots is given. What breaks a guarantee is
printed as a line to run, as it was found and made smaller: fewer and simpler
faults, then smaller P, L, o, g, G and seed, while all other keys stay as typed.
Runs that are not the same when repeated (--check) stay as found. Exit status 1
if there is anything, 3 if nothing was promised in any of the runs.

The same --seed and number of runs find the same.

After Ctrl-C or SIGTERM the report says what was found until then, not made
smaller; exit status 1 if that is anything, else 130.`

func (a *app) fuzzCommand() *cobra.Command {
	f := fuzzFlags{most: 4, shrink: 3000}
	cmd := &cobra.Command{
		Use:   "fuzz WORD...",
		Short: "Run random schedules of failures",
		Long:  fuzzHelp,
		Example: `  mangrove fuzz broadcast P=64 --runs 2000 --max-faults 1
  mangrove fuzz reduce P=20 f=2 --time 2s --max-faults 2
  mangrove fuzz broadcast P=32 correction=failure-proof f=3 --max-faults 3
  mpirun -n 4 mangrove fuzz broadcast P=64 --time 1m   # which share the runs`,
		Annotations: map[string]string{sharable: "yes"},
		RunE: func(cmd *cobra.Command, words []string) error {
			f.kindsSaid = cmd.Flags().Changed("kinds")
			return a.fuzz(cmd.Context(), words, f)
		},
	}
	f.register(cmd, faults.Crash, faults.Hang, faults.Slow, faults.Rejoin, faults.Cut, faults.Mend, faults.Late, faults.Lose, faults.Twice)
	f.kinds = append(f.kinds, faults.Late)
	cmd.Flags().Lookup("kinds").DefValue = listKinds(f.kinds)
	cmd.Flags().Var(duration(&f.time), "time", "stop after a `time` such as 30s; 0: no limit")
	cmd.Flags().Var(number(&f.runs, 0, math.MaxInt64), "runs", "stop after `n` runs; 0: no limit, or 10000 without --time")
	cmd.Flags().Var(number(&f.seed, 0, math.MaxUint64), "seed", "decides every schedule")
	cmd.Flags().Var(number(&f.most, 1, maxFaults), "max-faults", "up to `n` faults in a schedule")
	cmd.Flags().Var(number(&f.shrink, 0, math.MaxInt), "shrink", "make violations smaller, up to `n` runs each")
	return cmd
}

type fuzzFlags struct {
	searchFlags
	kindsSaid bool
	most      int // faults
	runs      int64
	time      time.Duration
	seed      uint64
	shrink    int
}

// fit makes the kinds fit the line if nobody has said which to try: links are cut if a promise is about that.
func (f *fuzzFlags) fit(run *scenarios.Run) {
	switch {
	case f.kindsSaid:
	case run.Config().Ranks < 2:
		f.kinds = f.kinds[:2] // there are no messages
	case run.Experiment().Cuts:
		f.kinds = append(slices.Clone(f.kinds), faults.Cut)
	}
}

// mayReturn refuses the kind rejoin where ranks cannot come back, or have never left.
func (f *fuzzFlags) mayReturn(run *scenarios.Run) error {
	switch {
	case !slices.Contains(f.kinds, faults.Rejoin):
		return nil
	case !slices.ContainsFunc(f.kinds, faults.Kind.Stops):
		return fmt.Errorf("--kinds %s: want crash or hang, too: nobody else comes back", listKinds(f.kinds))
	}
	flag := "--kinds " + listKinds(f.kinds)
	if err := mayReturn(run, flag); err != nil {
		return err
	}
	if f.most < 2 {
		return fmt.Errorf("%s with --max-faults %d: %s; want --max-faults 2 to %d", flag, f.most, aloneNobodyReturns, maxFaults)
	}
	return nil
}

// scope says what fails.
func (f *fuzzFlags) scope(run *scenarios.Run, by commandName) scope {
	s := f.searchFlags.scope(run, f.most, by)
	if !slices.Contains(f.kinds, faults.Rejoin) {
		s.noteUnread(run, f.toReturn())
	}
	return s
}

// toReturn is what to type for ranks to come back.
func (f *fuzzFlags) toReturn() string {
	kinds := slices.Clone(f.kinds)
	if !slices.ContainsFunc(kinds, faults.Kind.Stops) {
		kinds = append(kinds, faults.Crash)
	}
	typing := "--kinds " + listKinds(append(kinds, faults.Rejoin))
	if f.most < 2 {
		typing += " --max-faults 2"
	}
	return typing
}

// options turns flags into options. It is lines that are made smaller here, and schedules only
// as a part of them.
func (f *fuzzFlags) options() search.FuzzOptions {
	if f.runs == 0 && f.time == 0 {
		f.runs = 10_000
	}
	return search.FuzzOptions{
		Runs: f.runs, Time: f.time, Seed: f.seed, Faults: f.most, Kinds: f.kinds, Roots: f.roots, Workers: f.workers,
	}
}

var errFaultsTyped = errors.New("faults=: the faults are what is searched for; want --max-faults for how many")

// parseFuzz reads the line to fuzz, which has no faults of its own.
func (a *app) parseFuzz(words []string) (*scenarios.Run, error) {
	run, err := a.parse(words, func(n string) string { return "want --max-faults " + n })
	if err == nil && run.Settings().Typed("faults") {
		return nil, errFaultsTyped
	}
	return run, err
}

func (a *app) fuzz(ctx context.Context, words []string, f fuzzFlags) error {
	run, err := a.parseFuzz(words)
	if err != nil {
		return err
	}
	f.fit(run)
	if err := run.Subject().CheckMemory(f.workers); err != nil {
		return err
	}
	if err := f.mayReturn(run); err != nil {
		return err
	}
	options := f.options()
	options.AnySeed = !run.Settings().Typed("seed")
	return a.handOut(ctx, a.assist(f.workers, search.AssistFuzzing(f.subject(run), options)), func(office *handout.Office) error {
		options.Elsewhere = elsewhere(office)
		return a.fuzzRun(ctx, run, f, options)
	})
}

// fuzzRun fuzzes a line and says what was found.
func (a *app) fuzzRun(ctx context.Context, run *scenarios.Run, f fuzzFlags, options search.FuzzOptions) error {
	bar := a.newBar()
	options.Progress = bar.show
	began := time.Now()
	found, err := search.Fuzz(ctx, f.subject(run), options)
	bar.clear()
	if err != nil {
		return orInterrupted(ctx, err, "")
	}
	result := &fuzzing{
		Line: run.String(), Seed: f.seed, Seeds: options.AnySeed, Interrupted: ctx.Err() != nil, scope: f.scope(run, a.name),
		Runs: found.Runs, Faults: found.Faults, Steps: found.Steps, Judged: found.Tally, took: time.Since(began),
	}
	result.Violations, result.shrunk = run.ShrinkAll(ctx, run.Violations(found.Violations), f.shrink)
	if err := f.explain(ctx, run, result.Violations); err != nil {
		return err
	}
	if err := show(a.stdout, result, f.json); err != nil {
		return err
	}
	if result.Interrupted && len(result.Violations) == 0 {
		return interrupted{}
	}
	return searched(result.Judged, result.Violations)
}

// fuzzing is what random schedules have found, as JSON shows it.
type fuzzing struct {
	Line        string `json:"line"`
	Seed        uint64 `json:"seed"`
	Seeds       bool   `json:"seeds"` // each run has another one
	Interrupted bool   `json:"interrupted"`
	scope
	Runs       int64                 `json:"runs"`
	Faults     int64                 `json:"faults"`
	Steps      map[string]int64      `json:"steps"`
	Judged     guarantee.Tally       `json:"judged"`
	Violations []scenarios.Violation `json:"violations"`

	shrunk bool          // violations were made smaller
	took   time.Duration // the runs
}

func (f *fuzzing) print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n\n", f.Line)
	if f.Interrupted {
		printRow(b, "INTERRUPTED", "after %s", text.Count(f.Runs, "run"))
	}
	printRow(b, "failures", "%s", f.who())
	printRow(b, "runs", "%d, drawn with --seed %d; %s", f.Runs, f.Seed, f.seeds())
	printRow(b, "faults", "%d took effect", f.Faults)
	for _, step := range slices.Sorted(maps.Keys(f.Steps)) {
		fmt.Fprintf(b, "%14s%d at step %s\n", "", f.Steps[step], step)
	}
	printScope(b, f.scope, f.Judged, f.Violations)
	for i := range f.Violations {
		f.printViolation(b, &f.Violations[i], f.title(&f.Violations[i]))
	}
	fmt.Fprintf(b, "\nmeasured: %s runs per second\n", rate(float64(f.Runs)/f.took.Seconds()))
	printWarning(b, f.Judged)
	return b.Flush()
}

// seeds says whether the seed of the line varies.
func (f *fuzzing) seeds() string {
	if f.Seeds {
		return "each has a seed= of its own"
	}
	return "all have the seed= of the line"
}

// title says whether the line of a violation was made smaller.
func (f *fuzzing) title(v *scenarios.Violation) string {
	switch {
	case v.Check:
		return "as found"
	case f.shrunk:
		return "made smaller"
	}
	return f.by.in("as found; mangrove shrink makes it smaller")
}
