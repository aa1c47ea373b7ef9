package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// ShrinkOptions say what may become smaller.
type ShrinkOptions struct {
	Runs int // about how many to make at most
	// All lets every key change. Otherwise all but P, L, o, g, G, seed and faults stay as
	// typed: another tree or another distance is another question.
	All bool
	// Keep names further keys that stay as typed.
	Keep []string
}

// Shrunk is a line made smaller.
type Shrunk struct {
	Line   string
	Broken []guarantee.Verdict // by that line
	Runs   int                 // that it took
}

// ErrHeld says that a line breaks no guarantee, so there is nothing to shrink.
var ErrHeld = errors.New("scenarios: the line breaks no guarantee")

// Shrink returns a smaller line that breaks the same guarantees as this one, and no others:
// fewer and simpler faults, then fewer ranks and smaller parameters. What it returns depends on
// the line and the options only. If the context ends, it returns the smallest line so far with
// the error; no line if it had not even run the first one.
func (r *Run) Shrink(ctx context.Context, options ShrinkOptions) (Shrunk, error) {
	if options.Runs < 1 {
		return Shrunk{}, fmt.Errorf("scenarios: %d runs to make a line smaller, want 1 or more", options.Runs)
	}
	schedule, err := r.Schedule()
	if err != nil {
		return Shrunk{}, line.Refuse(err)
	}
	x := &lineShrinker{ctx: ctx, options: options, left: options.Runs}
	explicit, err := r.protocol.ParseLine(r.WithFaults(schedule))
	if err != nil {
		return Shrunk{}, err
	}
	broken, err := x.judge(explicit)
	if err != nil {
		return Shrunk{}, err
	}
	if len(broken) == 0 {
		return Shrunk{}, ErrHeld
	}
	x.best, x.broken, x.goal = explicit, broken, search.BreaksTheSame(broken)
	for x.shrinkFaults(); x.shrinkKeys(); x.shrinkFaults() {
	}
	return Shrunk{x.best.String(), x.broken, options.Runs - x.left}, x.err
}

// lineShrinker is a line that is being made smaller.
type lineShrinker struct {
	ctx     context.Context
	options ShrinkOptions
	left    int // runs
	goal    search.Goal
	best    *Run
	broken  []guarantee.Verdict
	err     error
}

// judge runs a line and returns what it breaks. The error is not nil if that says nothing about
// the program.
func (x *lineShrinker) judge(r *Run) ([]guarantee.Verdict, error) {
	x.left--
	outcome, err := r.Execute(x.ctx, Options{Workers: 1})
	if x.ctx.Err() != nil {
		return nil, x.ctx.Err()
	}
	if err == nil {
		return guarantee.OnlyBroken(outcome.Guarantees), nil
	}
	if broken, program := search.Blame(err); program {
		return []guarantee.Verdict{broken}, nil
	}
	return nil, err
}

// shrinkFaults makes the schedule as small as it gets.
func (x *lineShrinker) shrinkFaults() {
	schedule := x.best.Settings().Faults()
	if len(schedule) == 0 || x.left <= 1 || x.err != nil || x.keeps("faults") {
		return
	}
	small, err := search.Shrink(x.ctx, x.best.Subject(), schedule, x.goal, x.left-1) // and one to try the line
	x.left -= small.Runs
	x.err = err
	if len(small.Broken) == 0 || slices.Equal(small.Schedule, schedule) {
		return
	}
	text := x.best.WithFaults(small.Schedule)
	if x.try(text) {
		return
	}
	if r, wrong := x.best.protocol.ParseLine(text); x.err != nil && wrong == nil {
		x.best, x.broken = r, small.Broken // there is no time to try it
	}
}

// try makes a line the best one if it is valid and breaks the same.
func (x *lineShrinker) try(text string) bool {
	if x.left <= 0 || x.err != nil {
		return false
	}
	r, err := x.best.protocol.ParseLine(text)
	if err != nil {
		return false
	}
	broken, err := x.judge(r)
	var impossible *line.InputError
	switch {
	case errors.As(err, &impossible):
		return false
	case err != nil:
		x.err = err
		return false
	case !x.goal.Met(broken):
		return false
	}
	x.best, x.broken = r, broken
	return true
}

// shrinkKeys makes one parameter smaller, and reports whether that was possible.
func (x *lineShrinker) shrinkKeys() bool {
	for _, key := range x.best.protocol.AllKeys() {
		if x.keeps(key.Name) || key.Name != "P" && !x.best.Settings().Typed(key.Name) {
			continue // what the line does not say is simple enough
		}
		for _, value := range smaller(key, x.best.Settings()) {
			if x.try(x.best.InPlace(key, value)) {
				return true
			}
		}
	}
	return false
}

// sizes are the keys whose values say how much of something there is, and not what.
var sizes = []string{"P", "L", "o", "g", "G", "seed", "faults"}

// keeps reports whether a key stays as it is.
func (x *lineShrinker) keeps(name string) bool {
	return !x.options.All && !slices.Contains(sizes, name) || slices.Contains(x.options.Keep, name)
}

// smallSeeds is how many seeds are tried in the place of a larger one.
const smallSeeds = 20

// smaller lists simpler values of a key, the simplest first.
func smaller(key line.Key, s line.Settings) []string {
	var all []string
	value := s.Text(key.Name)
	if unsaid := s.Unsaid(key); value != unsaid && key.Name != "P" {
		all = append(all, unsaid) // the line gets shorter
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return all // a name
	}
	lows := []int64{0, 1, 2, n / 2, n - n/4, n - 1}
	if key.Name == "seed" { // seeds close to each other have nothing in common
		lows = lows[:0]
		for seed := range int64(smallSeeds) {
			lows = append(lows, seed)
		}
	}
	for _, low := range lows {
		if text := strconv.FormatInt(low, 10); low >= 0 && low < n && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
