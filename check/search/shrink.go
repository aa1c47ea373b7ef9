package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Shrunk is a schedule made smaller.
type Shrunk struct {
	Schedule faults.Schedule
	Seed     uint64
	Broken   []guarantee.Verdict // by that schedule
	Runs     int                 // that it took
}

// Shrink returns a smaller schedule that still meets the goal: faults that do not matter are
// dropped, others made simpler. What it returns depends on its arguments only. It makes no
// more than so many runs. If the context ends, it returns the smallest schedule so far with
// the error; without anything broken if it had not even run the first one.
func Shrink(ctx context.Context, s *Subject, schedule faults.Schedule, goal Goal, runs int) (Shrunk, error) {
	return ShrinkFound(ctx, s, Violation{Schedule: schedule, Seed: s.Seed}, goal, runs)
}

// ShrinkFound is Shrink for what a search has found with another seed than the subject's. If it happens with that seed, too, it is taken;
// otherwise a small one that will do.
func ShrinkFound(ctx context.Context, s *Subject, found Violation, goal Goal, runs int) (Shrunk, error) {
	if runs < 1 {
		return Shrunk{}, fmt.Errorf("search: %d runs to make a schedule smaller, want 1 or more", runs)
	}
	r, err := newRunner(s)
	if err != nil {
		return Shrunk{}, err
	}
	x := &shrinker{ctx: ctx, runner: r, goal: goal, left: runs, best: Shrunk{Schedule: found.Schedule, Seed: found.Seed}}
	if !x.try(found.Schedule) && x.err == nil {
		return Shrunk{}, &keptError{found.Schedule, goal}
	}
	x.reseed(s.Seed)
	for x.pass() {
	}
	for seed := s.Seed; seed <= s.Seed+smallSeeds && x.best.Seed != s.Seed && !x.reseed(seed); {
		seed++
	}
	x.best.Runs = runs - x.left
	return x.best, x.err
}

// keptError says that there is nothing to make smaller.
type keptError struct {
	schedule faults.Schedule
	goal     Goal
}

func (e *keptError) Error() string {
	return fmt.Sprintf("search: faults=%v does not break %q", e.schedule, e.goal)
}

// shrinker is a schedule that is being made smaller.
type shrinker struct {
	ctx    context.Context
	runner *runner
	goal   Goal
	left   int // runs
	best   Shrunk
	err    error
}

// smallSeeds is how many seeds are tried in the place of a large one.
const smallSeeds = 20

// reseed takes another seed if it will do.
func (x *shrinker) reseed(seed uint64) bool {
	old := x.best.Seed
	if seed == old {
		return false
	}
	x.best.Seed = seed
	if x.try(x.best.Schedule) {
		return true
	}
	x.best.Seed = old
	return false
}

// try runs a schedule and makes it the best one if it meets the goal. It looks at no more than
// a search does, or it might see other guarantees broken than the search did.
func (x *shrinker) try(s faults.Schedule) bool {
	if x.left == 0 || x.err != nil {
		return false
	}
	x.left--
	if x.err = x.runner.reseed(x.best.Seed); x.err != nil {
		return false
	}
	var broken []guarantee.Verdict
	broken, _, x.err = x.runner.judge(x.ctx, x.runner.quick, s)
	if x.err != nil || !x.goal.Met(broken) {
		return false
	}
	x.best.Schedule, x.best.Broken = s, broken
	return true
}

// pass tries everything once, and reports whether anything helped.
func (x *shrinker) pass() (helped bool) {
	for size := max(1, len(x.best.Schedule)/2); size >= 1; size /= 2 {
		helped = x.drop(size) || helped
	}
	for i := range x.best.Schedule {
		helped = x.simplify(i) || helped
	}
	return helped
}

// drop leaves out so many neighbouring faults, wherever that is possible.
func (x *shrinker) drop(size int) (helped bool) {
	for at := 0; at+size <= len(x.best.Schedule); {
		if x.try(withoutOrphans(slices.Concat(x.best.Schedule[:at], x.best.Schedule[at+size:]))) {
			helped = true
		} else {
			at++
		}
	}
	return helped
}

// simplify replaces a fault by the simplest one that will do.
func (x *shrinker) simplify(i int) bool {
	old := x.best.Schedule[i]
	for _, f := range x.simpler(old) {
		if !x.allowed(f, old) {
			continue
		}
		// All that happens to a rank moves with it, and what happens to messages of the other rank may be the same: then it is there twice.
		s := replaced(x.best.Schedule, i, f)
		if s.Validate(x.runner.subject.Machine.Ranks) == nil && x.try(s) {
			return true
		}
	}
	return false
}

// simpler lists faults that are simpler than f, the simplest first.
func (x *shrinker) simpler(f faults.Fault) []faults.Fault {
	switch f.Kind {
	case faults.Rejoin:
		return earlier(f)
	case faults.Cut, faults.Mend:
		return simplerCuts(f)
	case faults.Late, faults.Lose, faults.Twice:
		return x.simplerMessages(f)
	}
	return simpler(f, x.sendsOf(f.Rank))
}

// allowed reports whether a fault may take the place of another: no rank fails twice because
// of that, no root fails or is cut off instead of another rank, and nothing happens that never does.
func (x *shrinker) allowed(f, old faults.Fault) bool {
	roots, kinds := x.runner.subject.Roots, x.runner.subject.Kinds
	if f.Kind != old.Kind && len(kinds) > 0 && !slices.Contains(kinds, f.Kind) {
		return false
	}
	if f.OfLinks() {
		moved := f.Left.Size() == 1 && f.Left != old.Left
		return !slices.Contains(x.best.Schedule, f) && !(moved && slices.Contains(roots, f.Left.Ranks()[0]))
	}
	if f.Rank == old.Rank || f.Kind.OfMessages() {
		return !slices.Contains(x.best.Schedule, f)
	}
	return !slices.Contains(roots, f.Rank) && !slices.ContainsFunc(x.best.Schedule, func(other faults.Fault) bool {
		return !other.OfLinks() && !other.Kind.OfMessages() && other.Rank == f.Rank
	})
}

// sendsOf is how many messages a rank sent, if the last run that broke the guarantee is known.
func (x *shrinker) sendsOf(rank int) int {
	if !x.trace() {
		return 0
	}
	n := 0
	for _, e := range x.runner.report.Events {
		if e.Rank == rank && e.Kind == report.EventSend {
			n++
		}
	}
	return n
}

// trace makes the last run that broke the guarantee again, with its events.
func (x *shrinker) trace() (known bool) {
	if x.left--; x.left < 0 {
		x.left = 0
		return false
	}
	_, ended, err := x.runner.judge(x.ctx, x.runner.tracing, x.best.Schedule)
	return err == nil && ended
}

// simpler lists faults of ranks that are simpler than f, the simplest first. A rank that fails
// has sent so many messages: points of its program can stand for instants.
func simpler(f faults.Fault, sends int) []faults.Fault {
	var all []faults.Fault
	add := func(kind faults.Kind, at faults.Point) {
		for _, kept := range fewerKept(f.Kept) {
			g := faults.Fault{Kind: kind, Rank: f.Rank, At: at, Kept: kept}
			if complexity(g) < complexity(f) {
				all = append(all, g)
			}
		}
	}
	for _, kind := range []faults.Kind{faults.Crash, f.Kind} {
		if kind == faults.Slow {
			continue
		}
		add(kind, faults.OnTime(0))
		for n := 1; n <= min(sends, maxSends); n++ {
			add(kind, faults.AfterNthSend(n))
		}
		add(kind, f.At)
	}
	for _, rank := range smallerRanks(f.Rank) {
		g := f
		g.Rank = rank
		all = append(all, g)
	}
	if f.Kind == faults.Slow && f.Factor > 2 {
		g := f
		g.Factor = 2
		all = append(all, g)
	}
	return all
}

// maxSends is up to which send the shrinker tries every one.
const maxSends = 64

func of(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// complexity orders faults: crashes before hangs before slow ranks before those that come back
// before cuts, from the start before after a send, early before late, points of the program
// before instants, cuts of few ranks before those of many, nothing kept before something.
func complexity(f faults.Fault) int { return keptSizes*point(f) + keptSize(f.Kept) }

// points orders points of programs, where storage has its place between steps and instants.
var points = map[faults.Anchor]int{
	faults.AfterSend: 10, faults.BeforeSend: 20, faults.MidSend: 30, faults.AtRecv: 40, faults.AtStep: 50, faults.AtTime: 60,
	faults.AfterSync: 52, faults.AfterWrite: 53, faults.BeforeSync: 54, faults.BeforeWrite: 55, faults.MidSync: 56, faults.MidWrite: 57,
}

// point is the complexity of a fault but for what it keeps.
func point(f faults.Fault) int {
	point := points[f.At.Anchor]
	n := f.At.N
	if f.At == faults.OnTime(0) {
		point, n = 0, 0
	}
	if f.OfLinks() {
		n = f.Left.Size() + f.Right.Size()
	}
	if f.Kind.OfMessages() {
		return int(f.Kind)*1_000_000 + of(f.OfLinks())*500_000 + min(n, 9) + 10*int(min(f.Delay, 40_000))
	}
	return int(f.Kind)*1_000_000 + point*10_000 + min(n, 99_999)
}
