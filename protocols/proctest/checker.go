package proctest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// checker is what a case works with: the parameters of the machine it is checked on, and
// a place for what it finds.
type checker struct {
	clock.LogP
	machine Machine
	claim   string // of the case
	attempt int    // at checking it
	runs    int    // begun in this attempt
	found   []error
	late    int  // how many of them a machine that was only too slow would have brought about as well
	broken  bool // a run failed, so what comes after says nothing
}

func (c *checker) errorf(format string, args ...any) {
	if !c.broken {
		c.found = append(c.found, fmt.Errorf(format, args...))
	}
}

// tooLate is errorf for what comes later than it should, or was not there yet.
func (c *checker) tooLate(format string, args ...any) {
	before := len(c.found)
	c.errorf(format, args...)
	c.late += len(c.found) - before
}

// onlyLate reports whether something was found, and nothing that time would not have mended.
func (c *checker) onlyLate() bool { return c.late > 0 && c.late == len(c.found) }

// same checks a list of things that have nothing to do with time, and reports the first
// difference. What is missing at its end may still have been under way.
func same[T comparable](c *checker, what string, got, want []T) {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			c.errorf("%s (%d of %d): got %v, want %v", what, i+1, len(want), got[i], want[i])
			return
		}
	}
	report := c.errorf
	if len(got) < len(want) {
		report = c.tooLate
	}
	if len(got) != len(want) {
		report("%s: %d in all, want %d", what, len(got), len(want))
	}
}

// at checks an instant that the model gives.
func (c *checker) at(what string, got, model clock.Time) {
	c.within(what, got, model-c.machine.Early, model+c.machine.Late)
}

// waited checks an instant that a rank has waited for on its own clock.
func (c *checker) waited(what string, got, until clock.Time) {
	c.within(what, got, until, until+c.machine.Late)
}

// waits checks a sequence of instants that a rank has waited for one after the other.
func (c *checker) waits(what string, got, until []clock.Time) {
	if len(got) != len(until) {
		c.errorf("%s: %d times, want %d", what, len(got), len(until))
		return
	}
	before := clock.Time(0)
	for i, t := range got {
		c.waited(fmt.Sprintf("%s (%d of %d)", what, i+1, len(got)), t, max(until[i], before))
		before = t
	}
}

func (c *checker) within(what string, got, from, to clock.Time) {
	report := c.errorf
	if got > to {
		report = c.tooLate
	}
	switch {
	case from <= got && got <= to:
	case from == to:
		report("%s: at t=%d, want t=%d", what, got, from)
	default:
		report("%s: at t=%d, want t=%d to %d", what, got, from, to)
	}
}

// each checks a sequence of instants that the model gives.
func (c *checker) each(what string, got, model []clock.Time) {
	if len(got) != len(model) {
		c.errorf("%s: %d times, want %d", what, len(got), len(model))
		return
	}
	for i := range got {
		c.at(fmt.Sprintf("%s (%d of %d)", what, i+1, len(got)), got[i], model[i])
	}
}

// settled is when everything that the model has happen by t has happened.
func (c *checker) settled(t clock.Time) clock.Time { return t + c.machine.Late }

// spacing is how long a port takes for a message of one byte.
func (c *checker) spacing() clock.Time { return max(c.Overhead, c.Gap) }

// series returns n instants that lie step apart.
func series(first, step clock.Time, n int) []clock.Time {
	list := make([]clock.Time, n)
	for i := range list {
		list[i] = first + clock.Time(i)*step
	}
	return list
}

// count returns 0, 1, ... n-1.
func count[T int | int64](n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = T(i)
	}
	return list
}
