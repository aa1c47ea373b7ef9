package emutest

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// A test may call Run several times, for machines of several sizes, say. What one call finds is nothing to the others, so calls are told apart by
// their order.

// call is a Run, or a Known, of a test.
type call struct {
	test string // or subtest
	nth  int    // of that, from 1
}

// calls counts those of each test that is under way.
var calls sync.Map // from testing.TB to *atomic.Int64

// nextCall is the call that a test makes now. A test that is repeated, by -count, begins anew. A benchmark makes the same call again and again, and a wrapper
// that is equal to none, not even to itself, cannot be counted.
func nextCall(t testing.TB) call {
	if _, repeats := t.(*testing.B); repeats || !reflect.ValueOf(t).Comparable() {
		return call{t.Name(), 1}
	}
	known, later := calls.LoadOrStore(t, new(atomic.Int64))
	count := known.(*atomic.Int64)
	if only := selected(); !later && only.nth > 0 {
		t.Cleanup(func() { only.checkCalls(t, count.Load()) })
	}
	if _, one := t.(*testing.T); one && !later { // fuzzing makes millions of them; of wrappers there are few
		t.Cleanup(func() { calls.Delete(t) })
	}
	return call{t.Name(), int(count.Add(1))}
}

// checkCalls fails a test in which there was nothing to run: it would pass.
func (only selection) checkCalls(t testing.TB, calls int64) {
	if int64(only.nth) > calls && !t.Failed() && !t.Skipped() {
		t.Errorf("-mangrove.run=%d: nothing was run, %s has %s", only.nth, t.Name(), text.Count(calls, "Run"))
	}
}

// leftOut says that a call does nothing, and why.
func (c call) leftOut(why string) string {
	return fmt.Sprintf("left out, as it is run %d of this test%s", c.nth, why)
}

// flag tells a command which call it is, if it is not the first one.
func (c call) flag() string {
	if c.nth == 1 {
		return ""
	}
	return fmt.Sprintf(" -mangrove.run=%d", c.nth)
}

// folder is that of a later call in the folder of its test; "" for the first one. No subtest has it, see safeName.
func (c call) folder() string {
	if c.nth == 1 {
		return ""
	}
	return fmt.Sprintf("run-%d", c.nth)
}

// String reads like "TestA", and "run 2 of TestA".
func (c call) String() string {
	if c.nth == 1 {
		return c.test
	}
	return fmt.Sprintf("run %d of %s", c.nth, c.test)
}
