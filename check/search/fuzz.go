package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/report"
)

// FuzzOptions say how long to look, and for what.
type FuzzOptions struct {
	Runs    int64         // 0: no limit
	Time    time.Duration // 0: no limit
	Seed    uint64        // decides every schedule
	AnySeed bool          // draw a seed for each run, and not the subject's for all of them
	Faults  int           // how many a schedule has at most, 1 or more
	Kinds   []faults.Kind // crash and hang, if empty
	Roots   bool          // let roots fail, too
	// Rejoins are times after which ranks that have failed come back, besides those that are drawn. Optional.
	Rejoins []clock.Time
	// AmidUnrest lets one rank fail just after a message while many are late, in half of the runs, if messages may be late at all. Each takes a run more.
	AmidUnrest bool
	Workers    int // 0: one for each processor
	// Elsewhere takes a share of the runs; these must be assistants of a search with the same options ([AssistFuzzing]). Optional.
	Elsewhere *Elsewhere
	// ShrinkRuns is how many runs the smallest schedule of each class of violations may cost.
	ShrinkRuns int
	// Progress is called from time to time, by one goroutine at a time. Optional.
	Progress func(Progress)
}

// Fuzzing is what random schedules have found.
type Fuzzing struct {
	Runs       int64            `json:"runs"`
	Faults     int64            `json:"faults"` // that took effect
	Steps      map[string]int64 `json:"steps"`  // faults that took effect at each named step
	Tally      guarantee.Tally  `json:"judged"`
	Violations []Violation      `json:"violations"`
	Hashes     []report.Hash    `json:"-"` // of runs that ended, each once, sorted
}

// fuzzer runs random schedules until it has enough of them.
type fuzzer struct {
	subject *Subject
	options FuzzOptions
	draw    *drawer
	meter   *meter
	next    atomic.Int64
	runner  *runner // of one that assists

	mu     sync.Mutex // guards what follows
	found  map[string]finding
	hashes map[report.Hash]struct{}
	sum    Fuzzing
}

// finding is the run that broke these guarantees with the smallest schedule.
type finding struct {
	run       int64
	violation Violation
}

// Fuzz runs random schedules. Whole kinds of faults and points are left out of each one, by
// chance, so that what is rare among all is frequent among some. What a given
// number of runs finds depends on the options only. If the context ends, it returns what it
// has found so far, and no error.
func Fuzz(ctx context.Context, s *Subject, options FuzzOptions) (*Fuzzing, error) {
	f, err := newFuzzer(ctx, s, options)
	if err != nil {
		return nil, err
	}
	limited := ctx
	if options.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, options.Time)
		defer cancel()
	}
	if err := together(limited, crew{f.workers(), f.work}, crew{options.Elsewhere.hands(), f.workElsewhere}); err != nil {
		return nil, err
	}
	return f.conclude(ctx)
}

// workers is how many goroutines there is work for.
func (f *fuzzer) workers() int {
	workers := workersOr(f.options.Workers)
	if f.options.Runs > 0 {
		workers = int(min(int64(workers), f.options.Runs))
	}
	return workers
}

func newFuzzer(ctx context.Context, s *Subject, options FuzzOptions) (*fuzzer, error) {
	var err error
	if options.Kinds, err = checkFaults(options.Faults, options.Kinds); err != nil {
		return nil, err
	}
	if options.Runs < 0 || options.Time < 0 || options.Runs == 0 && options.Time == 0 {
		return nil, fmt.Errorf("search: %d runs in %v, want a limit of either", options.Runs, options.Time)
	}
	if err := options.checkKinds(s.Machine.Ranks); err != nil {
		return nil, err
	}
	r, err := newRunner(s)
	if err != nil {
		return nil, err
	}
	broken, _, err := r.judge(ctx, r.tracing, nil)
	if err != nil {
		return nil, err
	}
	f := &fuzzer{subject: s, options: options, meter: newMeter(options.Progress), found: make(map[string]finding), hashes: make(map[report.Hash]struct{})}
	f.meter.done = options.done
	f.draw = newDrawer(&r.report, s, options)
	f.sum.Steps = make(map[string]int64)
	if len(broken) > 0 {
		f.note(withoutFaults, nil, s.Seed, broken)
		f.meter.found(broken)
	}
	return f, nil
}

// checkKinds refuses kinds that cannot be drawn.
func (o *FuzzOptions) checkKinds(ranks int) error {
	if slices.Contains(o.Kinds, faults.Rejoin) && !slices.ContainsFunc(o.Kinds, faults.Kind.Stops) {
		return errors.New("search: rejoins without failures, want crash or hang among the kinds: nobody else comes back")
	}
	if slices.Contains(o.Kinds, faults.Mend) && !slices.Contains(o.Kinds, faults.Cut) {
		return errors.New("search: mends without cuts, want cut among the kinds: nothing else is mended")
	}
	if slices.Contains(o.Kinds, faults.Cut) && ranks < 2 {
		return errors.New("search: cuts on one rank, want two or more: nobody else is there to be cut off from")
	}
	return nil
}

// withoutFaults is the run before all others, which does not count as one of them.
const withoutFaults = -1

// work makes one run after the other until there are enough.
func (f *fuzzer) work(ctx context.Context) error {
	r, err := newRunner(f.subject)
	if err != nil {
		return err
	}
	for {
		run, some := f.take(1)
		if some == 0 {
			return nil
		}
		if err := f.try(ctx, r, run); err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// take returns the numbers of the next runs that nobody has made: the first one, and how many, up to so many; none if there are enough.
func (f *fuzzer) take(most int64) (first, some int64) {
	first = f.next.Add(most) - most
	if f.options.Runs > 0 {
		most = max(0, min(most, f.options.Runs-first))
	}
	return first, most
}

// try makes one run. One that the context has ended counts for nothing.
func (f *fuzzer) try(ctx context.Context, r *runner, run int64) error {
	random := rand.New(rand.NewPCG(f.options.Seed, uint64(run)))
	if err := r.reseed(f.seed(run)); err != nil {
		return err
	}
	s, err := f.draws(ctx, r, random)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	broken, ended, err := r.judge(ctx, r.quick, s)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	var unfired faults.Schedule
	if ended {
		unfired = r.report.Unfired
	}
	f.count(s, unfired, r.all)
	if ended {
		f.saw(r.report.Hash)
	}
	if len(broken) > 0 {
		f.note(run, s, r.seed, broken)
	}
	f.meter.ran(1, 0, broken)
	return nil
}

// seed is that of a run, which depends on nothing but its number. Seeds are short, as people will type them. A program that has to be made anew
// for each of them keeps one for a while.
func (f *fuzzer) seed(run int64) uint64 {
	if !f.options.AnySeed {
		return f.subject.Seed
	}
	if f.subject.WithSeed != nil {
		run /= runsPerSeed
	}
	return splitmix.At(f.options.Seed, uint64(run)+1) >> (64 - seedBits)
}

const runsPerSeed, seedBits = 16, 16

// count notes that a schedule was run.
func (f *fuzzer) count(s, unfired faults.Schedule, verdicts []guarantee.Verdict) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sum.Runs++
	f.sum.Tally.Add(verdicts)
	for _, fault := range s {
		if slices.Contains(unfired, fault) {
			continue
		}
		f.sum.Faults++
		if fault.At.Anchor == faults.AtStep {
			f.sum.Steps[fault.At.Step]++
		}
	}
}

// saw notes what happened in a run. As long as they are few, that is: it is for people who wonder whether their runs differ.
func (f *fuzzer) saw(hash report.Hash) {
	const few = 10_000_000
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.hashes) < few {
		f.hashes[hash] = struct{}{}
	}
}

// done is how much of the runs is made, or of the time is over.
func (o FuzzOptions) done(p Progress) (done float64) {
	if o.Runs > 0 {
		done = float64(p.Runs) / float64(o.Runs)
	}
	if o.Time > 0 {
		done = max(done, float64(p.Elapsed)/float64(o.Time))
	}
	return done
}

// note keeps the smallest schedule of each class of violations, and of several the earliest: which worker comes first does not
// matter.
func (f *fuzzer) note(run int64, s faults.Schedule, seed uint64, broken []guarantee.Verdict) {
	v := Violation{Broken: broken, Schedule: s, Seed: seed, Count: 1}
	if run == withoutFaults {
		v.Count = 0
	}
	f.keep(run, v)
}

// keep keeps a violation, see note.
func (f *fuzzer) keep(run int64, v Violation) {
	f.mu.Lock()
	defer f.mu.Unlock()
	old, known := f.found[v.name()]
	if !known {
		f.found[v.name()] = finding{run, v}
		return
	}
	better, other := finding{run, v}, old
	if cmp.Or(compareSize(old.violation.Schedule, v.Schedule), cmp.Compare(old.run, run)) < 0 {
		better, other = old, better
	}
	others := slices.Concat(better.violation.Others, other.violation.Others, []Found{{other.violation.Schedule, other.violation.Seed, other.run}})
	slices.SortFunc(others, func(a, b Found) int { return cmp.Or(compareSize(a.Schedule, b.Schedule), cmp.Compare(a.Run, b.Run)) })
	better.violation.Others = others[:min(len(others), mostOthers)]
	better.violation.Count += other.violation.Count
	f.found[v.name()] = better
}

// conclude makes the schedules that were found smaller, unless the context has ended.
func (f *fuzzer) conclude(ctx context.Context) (*Fuzzing, error) {
	byRun := func(a, b finding) int { return cmp.Compare(a.run, b.run) }
	for _, found := range slices.SortedFunc(maps.Values(f.found), byRun) {
		v := found.violation
		if err := f.shrink(ctx, &v); err != nil {
			return nil, err
		}
		f.sum.Violations = append(f.sum.Violations, v)
	}
	f.sum.Hashes = slices.Sorted(maps.Keys(f.hashes))
	sortViolations(f.sum.Violations)
	f.meter.flush()
	return &f.sum, nil
}

// shrink makes the schedule of a violation smaller, as far as there is time.
func (f *fuzzer) shrink(ctx context.Context, v *Violation) error {
	if len(v.Schedule) == 0 && v.Seed == f.subject.Seed || f.options.ShrinkRuns == 0 || ctx.Err() != nil {
		return nil
	}
	small, err := ShrinkFound(ctx, f.subject, *v, BreaksTheSame(v.Broken), f.options.ShrinkRuns)
	if len(small.Broken) > 0 {
		v.Schedule, v.Seed, v.Broken = small.Schedule, small.Seed, small.Broken
	}
	var kept *keptError
	if ctx.Err() != nil || errors.As(err, &kept) { // a run that cannot be repeated stays as it was found
		return nil
	}
	return err
}
