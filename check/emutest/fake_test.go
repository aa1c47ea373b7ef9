package emutest_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/faults"
)

// fakeTB notes what a test reports. The embedded TB is there for the method that only package
// testing can write.
type fakeTB struct {
	testing.TB
	ctx      context.Context
	deadline time.Time // zero: none
	errors   []string
	fatal    string
	logs     []string
}

func (f *fakeTB) Name() string                { return "TestFake/some_case" }
func (f *fakeTB) Helper()                     {}
func (f *fakeTB) Context() context.Context    { return f.ctx }
func (f *fakeTB) Deadline() (time.Time, bool) { return f.deadline, !f.deadline.IsZero() }
func (f *fakeTB) Error(args ...any)           { f.errors = append(f.errors, fmt.Sprint(args...)) }
func (f *fakeTB) Errorf(format string, args ...any) {
	f.Error(fmt.Sprintf(format, args...))
}
func (f *fakeTB) Log(args ...any) { f.logs = append(f.logs, fmt.Sprint(args...)) }
func (f *fakeTB) Fatalf(format string, args ...any) {
	f.Fatal(fmt.Sprintf(format, args...))
}
func (f *fakeTB) Fatal(args ...any) {
	f.fatal = fmt.Sprint(args...)
	runtime.Goexit()
}

// failed reports whether anything was wrong.
func (f *fakeTB) failed() bool { return len(f.errors) > 0 || f.fatal != "" }

// all is everything that was reported.
func (f *fakeTB) all() string {
	return strings.Join(f.errors, "\n") + "\n" + f.fatal + "\n" + strings.Join(f.logs, "\n")
}

// run runs a test and returns what it reported.
func run(t *testing.T, test emutest.Test) *fakeTB {
	t.Helper()
	f := &fakeTB{TB: t, ctx: t.Context()}
	f.run(test)
	for _, e := range f.errors { // what is kept is run again
		if found := regexp.MustCompile(`\nfaults: (\S+?)(?:, seed: \d+)? \(the smallest`).FindStringSubmatch(e); found != nil && len(test.Schedules) == 0 {
			require.NoError(t, emutest.Excludes(test, faults.MustParse(found[1])), "the test has found it itself")
		}
	}
	return f
}

// run is on a goroutine of its own, which Fatal ends.
func (f *fakeTB) run(test emutest.Test) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		emutest.Run(f, test)
	}()
	<-done
}
