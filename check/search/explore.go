package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// ExploreOptions say how far to go.
type ExploreOptions struct {
	Faults  int           // how many faults a schedule has at most, besides what happens to messages
	Kinds   []faults.Kind // crash and hang, if empty
	Every   bool          // run every point, also those that come to the same
	Roots   bool          // let roots fail, too
	Workers int           // 0: one for each processor
	// Elsewhere takes a share of it; these must be assistants of an exploration with the same options ([AssistExploration]). Optional.
	Elsewhere *Elsewhere
	// KnowsPlain says that the run without faults is known: it is made, but counts for nothing.
	KnowsPlain bool
	// Runs ends the exploration after about so many, as if it had been interrupted, but without an error; 0: no limit. What is in it does not
	// depend on how many workers there are.
	Runs int64
	// Given happens in every run, in addition to what is explored. Where it has rejoins, all points are run, as with Every.
	Given faults.Schedule
	// Before is by when ranks fail; 0: at any time. Protocols that go on for ever, or that need
	// some time to get over a failure, promise little about late ones.
	Before clock.Time
	// Rejoins lets each rank that has failed come back so long after it, or not. A rejoin is a
	// fault like others. With any, all points are run, as with Every.
	Rejoins []clock.Time
	// Cuts lets ranks be cut off from all others at these instants: each of the CutSets, or if
	// there are none, each rank that may fail. A cut is a fault like others.
	Cuts    []clock.Time
	CutSets []faults.Group
	// Delays, Losses and Duplicates are how many messages are late, lost or arrive twice in a schedule at most. Delays are tried as
	// far as they make a difference to what ranks can notice, or by the tick with Every.
	Delays, Losses, Duplicates int
	// Seeds repeats all of it for so many seeds, from the subject's on; 0 is as 1.
	Seeds int
	// MaxLate is up to how many ticks messages are delayed; 0: as long as it makes a difference.
	MaxLate clock.Time
	// Resume goes on where an earlier exploration of the same subject with the same options
	// was interrupted. Optional.
	Resume *Exploration
	// Progress is called from time to time, by one goroutine at a time. Optional.
	Progress func(Progress)
	// Save is called about once in SaveEvery with what can be resumed, while everything else
	// waits. Optional.
	Save      func(*Exploration)
	SaveEvery time.Duration
}

// explorer is an exploration under way. Its parts are the faults that can happen first; each
// has followers, the faults that can happen after it.
type explorer struct {
	subject *Subject
	options ExploreOptions
	bounds  Bounds
	spared  map[int]bool
	given   faults.Schedule // of this seed
	first   []candidate     // what can fail in the run without faults
	shares  []float64       // of each part in the whole, as estimated
	meter   *meter
	book    book // where parts are noted that are explored here
	// plainSpan is how long the run without faults takes.
	plainSpan clock.Time

	mu     sync.Mutex // guards what follows
	result *Exploration
	next   int // the first part that nobody has taken on
	// limited keeps parts in order, if there is a limit
	limited *limited
	save    time.Time // when it is time to
}

// Explore runs every schedule of up to so many faults, as far as they differ. If the context
// ends, the exploration so far is returned with its error, and can be resumed.
func Explore(ctx context.Context, s *Subject, options ExploreOptions) (*Exploration, error) {
	result := options.Resume
	if result == nil {
		result = newExploration(max(1, options.Seeds))
	}
	result.restore()
	meter := newMeter(options.Progress)
	meter.resume(result)
	for {
		x, err := newExplorer(ctx, s, options, result, meter)
		if err != nil {
			return nil, err
		}
		err = together(ctx, crew{min(workersOr(options.Workers), max(1, len(x.first))), x.work}, crew{options.Elsewhere.hands(), x.workElsewhere})
		if err != nil && x.limited != nil {
			x.limited.interrupt()
		}
		if err != nil || result.Seed+1 >= result.seeds() || x.enough() {
			result.finish()
			meter.flush()
			return result, err
		}
		result.nextSeed()
	}
}

// newExplorer makes one for the seed that the exploration has come to.
func newExplorer(ctx context.Context, s *Subject, options ExploreOptions, result *Exploration, meter *meter) (*explorer, error) {
	s, err := s.seeded(s.Seed + uint64(result.Seed))
	if err != nil {
		return nil, err
	}
	if options.Kinds, err = checkFaults(max(1, options.Faults), options.Kinds); err != nil {
		return nil, err
	}
	bounds := Bounds{options.Faults, options.Delays, options.Losses, options.Duplicates}
	if err := bounds.check(); err != nil {
		return nil, err
	}
	if slices.Contains(options.Kinds, faults.Slow) {
		return nil, errors.New("search: cannot explore slow-downs: any factor at any point would be another one; want crash or hang")
	}
	if slices.ContainsFunc(options.Kinds, func(k faults.Kind) bool { return !k.Stops() }) {
		return nil, errors.New("search: cannot explore rejoins and cuts at all times; want crash or hang, and instants as Rejoins and Cuts")
	}
	if options.Seeds < 0 {
		return nil, fmt.Errorf("search: %d seeds, want 0 or more", options.Seeds)
	}
	if options.Before < 0 {
		return nil, fmt.Errorf("search: failures before t=%d, want 0 for no limit, or a later instant", options.Before)
	}
	if err := options.orderRejoins(); err != nil {
		return nil, err
	}
	x := &explorer{
		subject: s, options: options, bounds: bounds, spared: make(map[int]bool),
		meter: meter, result: result, save: time.Now().Add(options.SaveEvery),
	}
	for _, root := range s.Roots {
		x.spared[root] = !options.Roots
	}
	if err := x.orderCuts(); err != nil {
		return nil, err
	}
	if err := x.give(); err != nil {
		return nil, err
	}
	x.book = x.limit()
	return x, x.start(ctx)
}

// checkFaults refuses schedules without faults, and fills in which kinds they have if nothing is said about it.
func checkFaults(most int, kinds []faults.Kind) ([]faults.Kind, error) {
	if most < 1 {
		return nil, fmt.Errorf("search: schedules of up to %d faults, want 1 or more", most)
	}
	if len(kinds) == 0 {
		kinds = []faults.Kind{faults.Crash, faults.Hang}
	}
	return kinds, nil
}

// start makes the run without faults, which says what can fail first.
func (x *explorer) start(ctx context.Context) error {
	r, err := x.newRunner()
	if err != nil {
		return err
	}
	machine := r.tracing
	if r.deciding != nil {
		machine = r.deciding
	}
	broken, ended, err := r.judge(ctx, machine, nil)
	if err != nil {
		return err
	}
	if ended {
		x.plainSpan = lastInstant(&r.report)
		x.first = x.beginnings(&r.report)
	}
	if x.result.Done == nil {
		x.result.Done = make([]bool, len(x.first))
		x.plain(r, broken, ended)
	}
	if len(x.result.Done) != len(x.first) {
		return fmt.Errorf("search: the exploration to resume has %d parts, want %d: it is of another subject", len(x.result.Done), len(x.first))
	}
	x.measure()
	return nil
}

// plain notes the run without faults.
func (x *explorer) plain(r *runner, broken []guarantee.Verdict, ended bool) {
	if x.options.KnowsPlain {
		return
	}
	x.result.add(x.whole(nil), r.seed, broken, 1)
	x.result.Tally.Add(r.all)
	x.meter.plain(broken)
	switch {
	case ended && r.deciding != nil:
		x.result.placed(&r.report, x.subject)
	case ended:
		x.result.saw(r.report.Hash)
	}
}

// newRunner makes one that records what the exploration needs.
func (x *explorer) newRunner() (r *runner, err error) {
	if x.bounds.ofMessages() {
		r, err = newDecider(x.subject)
	} else {
		r, err = newRunner(x.subject)
	}
	if err == nil {
		r.whole = x.whole
	}
	return r, err
}

// beginnings are what can happen first.
func (x *explorer) beginnings(rep *report.Report) []candidate {
	if x.bounds.ofMessages() {
		return x.additions(rep, new(step))
	}
	return x.candidates(rep)
}

// measure estimates the share of each part, and counts those that are done.
func (x *explorer) measure() {
	x.shares = x.weigh(x.first, x.bounds.sum()-1)
	total := 1.0 // the run without faults
	for _, weight := range x.shares {
		total += weight
	}
	total *= float64(x.result.seeds())
	x.meter.skip(1 / total)
	for i := range x.shares {
		x.shares[i] /= total
		if x.result.Done[i] {
			x.meter.skip(x.shares[i])
		}
	}
}

// work takes on one part after the other.
func (x *explorer) work(ctx context.Context) error {
	r, err := x.newRunner()
	if err != nil {
		return err
	}
	for {
		i, ok := x.take()
		if !ok {
			return nil
		}
		if err := x.part(ctx, r, i, x.book); err != nil {
			return err
		}
	}
}

// take returns the next part that is not done.
func (x *explorer) take() (i int, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.enough() {
		return 0, false
	}
	for x.next < len(x.first) && x.result.Done[x.next] {
		x.next++
	}
	x.next++
	return x.next - 1, x.next <= len(x.first)
}

// part runs all schedules that begin with one fault. What each follower has found is noted at
// once, so that a part can be resumed in the middle.
func (x *explorer) part(ctx context.Context, r *runner, i int, book book) error {
	c := &x.first[i]
	w := &walk{x, ctx, r, newExploration(1)}
	first := (&step{points: 1}).longer(c)
	first.share = x.shares[i]
	followers, err := w.run(first)
	if err != nil {
		return err
	}
	done := book.open(i, w.found)
	for k := range followers {
		if k < done {
			x.meter.skip(followers[k].share)
			continue
		}
		w.found = newExploration(1)
		if err := w.all(followers[k]); err != nil {
			book.lose(w.found)
			return err
		}
		book.note(i, k+1, w.found)
	}
	book.close(i)
	return nil
}
