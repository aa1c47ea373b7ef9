package proctest

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

// setup is how a run differs from the usual one.
type setup struct {
	seed       uint64
	initiators []int
	faults     faults.Schedule
	deadlocks  bool // ranks may wait for ever
}

// gather runs main on every rank and returns what it returned on each of them.
func gather[T any](c *checker, main func(p protocols.Proc) T) []T {
	return gatherWith(c, setup{seed: 1}, main)
}

// gatherWith is gather with more to choose.
func gatherWith[T any](c *checker, s setup, main func(p protocols.Proc) T) []T {
	seen := run(c, s, func(p protocols.Proc, note func(func(own *T))) {
		result := main(p)
		note(func(own *T) { *own = result })
	})
	c.judge(seen.aftermath, count[int](c.Ranks)...)
	return seen.by
}

// run runs main on every rank and returns what they have noted down. A rank notes what it has observed itself, when it likes
// to, and never sees what others have: these may be in another process.
func run[T any](c *checker, s setup, main func(p protocols.Proc, note func(func(own *T)))) observations[T] {
	if lost := leftOut(reflect.TypeFor[account[T]]()); lost != "" {
		panic("proctest: other processes would not hear of " + lost)
	}
	book := notebook[T]{pages: make(map[int]page[T])}
	c.runs++
	rep, err := c.machine.Run(c.LogP, s.seed, s.faults, protocols.Program{
		Initiators: s.initiators,
		Main: func(p protocols.Proc) {
			book.open(p.Rank())
			main(p, func(change func(own *T)) { book.note(p.Rank(), change) })
			book.close(p.Rank())
		},
	})
	own := account[T]{End: endingOf(rep), Pages: book.read()}
	if err != nil {
		own.Failed = err.Error()
	}
	all, err := share(c, own)
	seen := merge(c.Ranks, all)
	switch {
	case err != nil:
		seen.trouble = err
	case seen.trouble == nil && seen.Deadlock != "" && !s.deadlocks:
		seen.trouble = errors.New("deadlock: " + seen.Deadlock)
	}
	return seen
}

// current says which run it is that goes on.
func (c *checker) current() string {
	return fmt.Sprintf("run %d of attempt %d on %s: %s", c.runs, c.attempt, describe(c.LogP), c.claim)
}

// judge notes a run that failed, or in which the program of one of these ranks did not return once.
func (c *checker) judge(a aftermath, returning ...int) {
	before := len(c.found)
	if a.trouble != nil {
		c.errorf("the run failed: %w", a.trouble)
	}
	for _, rank := range a.strangers {
		c.errorf("a program ran as rank %d of %d", rank, c.Ranks)
	}
	for _, rank := range returning {
		if n := a.returned[rank]; n != 1 && a.trouble == nil {
			c.errorf("the program of rank %d returned %d times, want once", rank, n)
		}
	}
	c.broken = c.broken || len(c.found) > before
}
