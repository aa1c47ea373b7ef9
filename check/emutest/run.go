package emutest

import (
	"context"
	"flag"
	"testing"
	"time"
)

// onlyFaults is the schedule that tests run in the place of all others.
var onlyFaults = flag.String("mangrove.faults", "", "run `schedule` only, such as crash:3@send2, or none, without what Test.Given says; with -v print all events")

// onlySeed is the seed of that one run.
var onlySeed = flag.String("mangrove.seed", "", "with -mangrove.faults or -mangrove.view: the `seed` of the run, if it is not that of the test")

// viewFile is where the page of that one run is written.
var viewFile = flag.String("mangrove.view", "", "write the page of the run of -mangrove.faults, or of the one without faults, to `file`")

// onlyNth is which call of a test has that one run.
var onlyNth = flag.Uint("mangrove.run", 0, "with -mangrove.faults or -mangrove.view: only the `n`th Run of a test that has several")

// Run tests a protocol and fails t if it breaks a promise. Each failure message has the
// smallest schedule found, how to run it again, where it is kept for the next run of the test, and where its page is. Command and
// files name the test; if it has several Runs, also which of them it is, by their order, for which subtests are the better names. A promise that no run could have broken, because none met its
// premises or had anything to look at, fails t, too.
func Run(t testing.TB, test Test) {
	t.Helper()
	by, keeps := nextCall(t), keeps(t)
	if only := selected(); only != (selection{}) {
		only.run(t, by, test)
		return
	}
	if err := test.Validate(); err != nil {
		t.Fatal(err)
	}
	kept, err := readAllKept(packageFolder, by, &test)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		test.Random = shorter(test.Random)
	}
	ctx, cancel := inTime(t)
	defer cancel()
	s := newHunt(test, kept)
	result, err := s.check(ctx)
	if result != nil {
		s.report(ctx, t, by, keeps, result)
		if err == nil && len(result.Violations) == 0 {
			for _, message := range result.unseen() {
				t.Error(message)
			}
		}
		t.Log(result.text(s.Test))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// report fails t with what was found, and keeps that if it may.
func (s *hunt) report(ctx context.Context, t testing.TB, by call, keeps bool, result *Result) {
	t.Helper()
	for i := range result.Violations {
		v, k := &result.Violations[i], place{}
		if keeps {
			k = s.keep(context.WithoutCancel(ctx), packageFolder, by, v)
		}
		v.because = s.explain(context.WithoutCancel(ctx), v)
		t.Error(v.text(result.Runs, by, s.Seed, k))
	}
}

// shorter is how many random schedules are left in a short test. None stay none, and a mistake is reported as it is.
func shorter(random int) int { return min(random, max(1, random/10)) }

// inTime is the context of a test, cut off a little before the deadline of go test, so that
// there is time to say what was found.
func inTime(t testing.TB) (context.Context, context.CancelFunc) {
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, set := limited.Deadline(); set {
			return context.WithTimeout(t.Context(), time.Until(deadline)*9/10)
		}
	}
	return context.WithCancel(t.Context())
}
