package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/guarantee"
	"github.com/mangrove-emu/mangrove/search"
)

// Shrunk is a line made smaller.
type Shrunk struct {
	Line   string
	Broken []Guarantee // by that line
	Runs   int         // that it took
}

// ErrHeld says that a line breaks no guarantee, so there is nothing to shrink.
var ErrHeld = errors.New("scenarios: the line breaks no guarantee")

// Shrink returns a smaller line that breaks the same guarantee as this one: fewer and simpler
// faults, then fewer ranks and smaller parameters. What it returns depends on the line only.
// It makes about so many runs at most.
func (r *Run) Shrink(ctx context.Context, runs int) (Shrunk, error) {
	schedule, err := r.Schedule()
	if err != nil {
		return Shrunk{}, &InputError{[]string{err.Error()}}
	}
	explicit, err := ParseLine(r.With(schedule))
	if err != nil {
		return Shrunk{}, err
	}
	x := &lineShrinker{ctx: ctx, left: runs}
	broken, err := x.judge(explicit)
	if err != nil {
		return Shrunk{}, err
	}
	if len(broken) == 0 {
		return Shrunk{}, ErrHeld
	}
	x.best, x.broken, x.name = explicit, broken, broken[0].Name
	for x.shrinkFaults() || x.shrinkKeys() {
	}
	return Shrunk{x.best.String(), x.broken, runs - x.left}, x.err
}

// lineShrinker is a line that is being made smaller.
type lineShrinker struct {
	ctx    context.Context
	left   int
	name   string // the guarantee that must stay broken
	best   *Run
	broken []Guarantee
	err    error
}

// judge runs a line and returns what it breaks.
func (x *lineShrinker) judge(r *Run) ([]Guarantee, error) {
	x.left--
	outcome, err := r.Execute(x.ctx, Options{Workers: 1})
	if x.ctx.Err() != nil {
		return nil, x.ctx.Err()
	}
	if err != nil { // it panicked, or spun
		text, _, _ := strings.Cut(err.Error(), "\n")
		return []Guarantee{{Name: search.Ran, Evidence: text}}, nil
	}
	return guarantee.Broken(outcome.Guarantees), nil
}

// shrinkFaults makes the schedule smaller.
func (x *lineShrinker) shrinkFaults() bool {
	schedule := x.best.settings.Faults()
	if len(schedule) == 0 || x.left <= 0 || x.err != nil {
		return false
	}
	small, err := search.Shrink(x.ctx, x.best.Subject(), schedule, x.name, x.left)
	if err != nil {
		x.err = err
		return false
	}
	x.left -= small.Runs
	if slices.Equal(small.Schedule, schedule) {
		return false
	}
	return x.try(x.best.With(small.Schedule))
}

// try makes a line the best one if it is valid and breaks the guarantee.
func (x *lineShrinker) try(line string) bool {
	if x.left <= 0 || x.err != nil {
		return false
	}
	r, err := ParseLine(line)
	if err != nil {
		return false
	}
	broken, err := x.judge(r)
	if err != nil {
		x.err = err
		return false
	}
	if !slices.ContainsFunc(broken, func(g Guarantee) bool { return g.Name == x.name }) {
		return false
	}
	x.best, x.broken = r, broken
	return true
}

// shrinkKeys makes one parameter smaller, and reports whether that was possible.
func (x *lineShrinker) shrinkKeys() bool {
	for _, key := range x.best.protocol.AllKeys() {
		if key.Name == faultsKey.Name || key.Name != "P" && !x.best.settings.Typed(key.Name) {
			continue // what the line does not say is simple enough
		}
		for _, value := range smaller(key, x.best.settings.Text(key.Name)) {
			if x.try(x.best.set(key, value)) {
				return true
			}
		}
	}
	return false
}

// smaller lists simpler values of a key, the simplest first.
func smaller(key Key, value string) []string {
	var all []string
	if value != key.Default && key.Name != "P" {
		all = append(all, key.Default) // the line gets shorter
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return all // a name
	}
	for _, low := range []int64{0, 1, 2, n / 2, n - n/4, n - 1} {
		if text := fmt.Sprint(low); low >= 0 && low < n && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// set returns the line with another value of a key. A default need not be said.
func (r *Run) set(key Key, value string) string {
	words := slices.DeleteFunc(slices.Clone(r.words), func(word string) bool { return strings.HasPrefix(word, key.Name+"=") })
	if value != key.Default {
		at := len(words)
		if i := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, faultsKey.Name+"=") }); i >= 0 {
			at = i
		}
		words = slices.Insert(words, at, key.Name+"="+value)
	}
	return strings.Join(words, " ")
}
