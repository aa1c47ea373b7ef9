package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// ExploreOptions say how far to go.
type ExploreOptions struct {
	Faults  int           // how many faults a schedule has at most, 1 or more
	Kinds   []faults.Kind // crash and hang, if empty
	Every   bool          // run every point, also those that come to the same
	Roots   bool          // let roots fail, too
	Workers int           // 0: one for each processor
	// Resume goes on where an earlier exploration of the same subject with the same options
	// was interrupted. Optional.
	Resume *Exploration
	// Progress is called from time to time, by one goroutine at a time. Optional.
	Progress func(Progress)
}

// Progress is how far an exploration has come.
type Progress struct {
	Runs, Covered int64
	Violations    int
	Done          float64 // between 0 and 1
	Elapsed       time.Duration
}

// Left estimates how long the rest takes, from how long it took so far.
func (p Progress) Left() time.Duration {
	if p.Done <= 0 {
		return 0
	}
	return time.Duration(float64(p.Elapsed) * (1 - p.Done) / p.Done)
}

// explorer is an exploration under way.
type explorer struct {
	subject *Subject
	options ExploreOptions
	spared  map[int]bool
	first   []candidate // what can fail in the run without faults

	mu     sync.Mutex // guards what follows
	result *Exploration
	next   int // the first candidate that nobody has taken on
	began  time.Time
}

// Explore runs every schedule of up to so many faults, as far as they differ. If the context
// ends, the exploration so far is returned with its error, and can be resumed.
func Explore(ctx context.Context, s *Subject, options ExploreOptions) (*Exploration, error) {
	x, err := newExplorer(ctx, s, options)
	if err != nil {
		return nil, err
	}
	errs := make([]error, workersOr(options.Workers))
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() { errs[i] = x.work(ctx) })
	}
	wait.Wait()
	x.result.finish()
	x.report()
	return x.result, errors.Join(errs...)
}

func newExplorer(ctx context.Context, s *Subject, options ExploreOptions) (*explorer, error) {
	if options.Faults < 1 {
		return nil, fmt.Errorf("search: schedules of up to %d faults, want 1 or more", options.Faults)
	}
	if len(options.Kinds) == 0 {
		options.Kinds = []faults.Kind{faults.Crash, faults.Hang}
	}
	if slices.Contains(options.Kinds, faults.Slow) {
		return nil, errors.New("search: cannot explore slow-downs: any factor at any point would be another one; want crash or hang")
	}
	x := &explorer{subject: s, options: options, spared: make(map[int]bool), began: time.Now()}
	for _, root := range s.Roots {
		x.spared[root] = !options.Roots
	}
	return x, x.start(ctx)
}

// start makes the run without faults, which says what can fail first.
func (x *explorer) start(ctx context.Context) error {
	r, err := newRunner(x.subject)
	if err != nil {
		return err
	}
	broken, ended, err := r.judge(ctx, r.tracing, nil)
	if err != nil {
		return err
	}
	if ended {
		x.first = x.candidates(&r.report)
	}
	if x.result = x.options.Resume; x.result == nil {
		x.result = newExploration(len(x.first))
		x.result.add(nil, broken, 1, r.report.Hash)
	}
	if len(x.result.Done) != len(x.first) {
		return fmt.Errorf("search: the exploration to resume has %d parts, want %d: it is of another subject", len(x.result.Done), len(x.first))
	}
	return nil
}

// work takes on one candidate after the other, with all schedules that begin with it.
func (x *explorer) work(ctx context.Context) error {
	r, err := newRunner(x.subject)
	if err != nil {
		return err
	}
	for {
		i, ok := x.take()
		if !ok {
			return nil
		}
		part := newExploration(0)
		c := &x.first[i]
		if err := x.extend(ctx, r, part, faults.Schedule{c.fault}, c, c.points); err != nil {
			return err
		}
		x.finish(i, part)
	}
}

// take returns the next candidate of the run without faults that is not done.
func (x *explorer) take() (i int, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.next < len(x.first) && x.result.Done[x.next] {
		x.next++
	}
	x.next++
	return x.next - 1, x.next <= len(x.first)
}

func (x *explorer) finish(i int, part *Exploration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.result.merge(part)
	x.result.Done[i] = true
	x.reportLocked()
}

func (x *explorer) report() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.reportLocked()
}

func (x *explorer) reportLocked() {
	if x.options.Progress != nil {
		x.options.Progress(x.result.progress(time.Since(x.began)))
	}
}

// extend runs a schedule, whose last fault is given, and all that begin with it. points is
// how many schedules it stands for.
func (x *explorer) extend(ctx context.Context, r *runner, part *Exploration, s faults.Schedule, last *candidate, points int64) error {
	if last.shows == clock.Never && len(s) > 1 && !x.options.Every {
		part.Covered += points // nobody notices, so it is as without the last fault
		return nil
	}
	machine := r.quick
	if deeper := len(s) < x.options.Faults; deeper {
		machine = r.tracing
	}
	broken, ended, err := r.judge(ctx, machine, s)
	if err != nil {
		return err
	}
	part.add(s, broken, points, r.report.Hash)
	if len(s) == x.options.Faults || !ended {
		return nil
	}
	return x.deepen(ctx, r, part, s, last, points, &r.report)
}

// deepen adds one more fault to a schedule, in every way that shows later.
func (x *explorer) deepen(ctx context.Context, r *runner, part *Exploration, s faults.Schedule, last *candidate, points int64, rep *emu.Report) error {
	all := x.candidates(rep)
	for i := range all {
		c := &all[i]
		if c.compareShows(last) <= 0 {
			continue
		}
		longer := append(s[:len(s):len(s)], c.fault)
		if err := x.extend(ctx, r, part, longer, c, points*c.points); err != nil {
			return err
		}
	}
	return nil
}
