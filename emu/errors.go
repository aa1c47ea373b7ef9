package emu

import (
	"fmt"
	"strings"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
)

// ProgramError is the fault of a program, not of who runs it: a [PanicError], a [StepLimitError] or a
// [TimeLimitError].
type ProgramError interface {
	error
	Happened() string // what happened, in one line
}

// PanicError says that a program panicked.
type PanicError struct {
	Rank  int
	Time  clock.Time // the rank's own clock
	Value any        // what was passed to panic
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("emu: rank %d panicked at t=%d: %v\n%s", e.Rank, e.Time, e.Value, e.Stack)
}

// Happened leaves out the stack, and all but the first line of what was passed to panic.
func (e *PanicError) Happened() string {
	value, _, _ := strings.Cut(e.what(), "\n")
	return fmt.Sprintf("rank %d panicked at t=%d: %s", e.Rank, e.Time, value)
}

// what is what was passed to panic, as text.
func (e *PanicError) what() string { return fmt.Sprint(e.Value) }

// Unwrap returns the value of the panic, if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// StepLimitError says that a program made more calls than allowed without its clock
// advancing.
type StepLimitError struct {
	Rank  int
	Time  clock.Time
	Limit int
}

func (e *StepLimitError) Error() string { return "emu: " + e.Happened() }

// Happened says what to do about it, too.
func (e *StepLimitError) Happened() string {
	return fmt.Sprintf("rank %d has made more than %d calls at t=%d without its clock advancing; "+
		"a loop around Poll needs a WaitUntil or a Recv (or a higher step limit)", e.Rank, e.Limit, e.Time)
}

// TimeLimitError says that a run was not over at the time limit.
type TimeLimitError struct{ Limit clock.Time }

func (e *TimeLimitError) Error() string { return "emu: " + e.Happened() }

// Happened says when the limit was.
func (e *TimeLimitError) Happened() string {
	return fmt.Sprintf("the run is not over at the time limit t=%d", e.Limit)
}

// failure keeps the first error of a run: the one with the smallest (time, rank), so
// that it does not depend on which worker was faster.
type failure struct {
	mu   sync.Mutex
	err  error
	time clock.Time
	rank int
}

// fail ends the run with an error at the barrier that comes next.
func (m *Machine) fail(err error) {
	var at clock.Time
	var rank int
	switch e := err.(type) {
	case *PanicError:
		at, rank = e.Time, e.Rank
	case *StepLimitError:
		at, rank = e.Time, e.Rank
	}
	f := &m.failure
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || at < f.time || at == f.time && rank < f.rank {
		f.err, f.time, f.rank = err, at, rank
	}
}
