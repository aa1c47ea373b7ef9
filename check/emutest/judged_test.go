package emutest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// promised is the test of a ring in which every rank has two next ones, with that promise.
func promised(g guarantee.Guarantee) emutest.Test {
	test := ringTest(2, 1)
	test.Guarantees = []guarantee.Guarantee{g, guarantee.NoDeadlock{}}
	return test
}

// never is a premise that no run meets.
var never = guarantee.Premise{Says: "all is well", Unmet: func(guarantee.Run) string { return "it is not" }}

// A promise that no run could have broken has not been tested.
func TestAPromiseThatIsJudgedInNoRunFails(t *testing.T) {
	f := run(t, promised(guarantee.When(never, guarantee.ReachesEveryLiveRank{})))
	require.Equal(t, []string{"never judged: reaches every live rank\n    none of 47 runs met its premises, or had anything to look at"}, f.errors)
	require.Equal(t, []string{"47 runs, 43 different, 47 schedules of up to 1 fault covered\nreaches every live rank: judged in 0 of 47 runs"}, f.logs)
	require.Empty(t, f.fatal)

	f = run(t, promised(guarantee.NoDuplicates{Step: "no such step"}))
	require.Equal(t, []string{"never judged: no duplicates\n    none of 47 runs met its premises, or had anything to look at"}, f.errors)
}

// Once is enough, and what was judged in some of the runs is said.
func TestAPromiseThatIsJudgedInSomeRunsPasses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*emutest.Test)
		log    string
	}{
		"by the run without faults": {func(*emutest.Test) {}, "47 runs, 43 different, 47 schedules of up to 1 fault covered\nreaches every live rank: judged in 1 of 47 runs"},
		"that is all there is":      {func(x *emutest.Test) { x.Faults = 0 }, "1 run"},
		"random schedules": {func(x *emutest.Test) { x.Faults, x.Random, x.Kinds = 0, 1, []faults.Kind{faults.Slow} },
			"2 runs, 1 different, 1 random schedule of up to 1 fault, with seed 0"},
		"a schedule of the list": {func(x *emutest.Test) { x.Faults, x.Schedules = 0, []faults.Schedule{faults.MustParse("crash:3")} },
			"2 runs, 2 different\nreaches every live rank: judged in 1 of 2 runs"},
	} {
		t.Run(name, func(t *testing.T) {
			test := promised(guarantee.When(guarantee.NobodyFails, guarantee.ReachesEveryLiveRank{}))
			c.change(&test)
			f := run(t, test)
			require.False(t, f.failed(), f.all())
			require.Equal(t, []string{c.log}, f.logs)
		})
	}
}

// What is broken is worth more than what was not tested.
func TestABrokenPromiseComesBeforeOneThatWasNotJudged(t *testing.T) {
	test := promised(guarantee.When(never, guarantee.Integrity{}))
	test.Guarantees = append(test.Guarantees, ifFailed(3, ""))
	f := run(t, test)
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "broken: rank 3 lives ()\n")
	require.Contains(t, f.logs[0], "\nintegrity: judged in 0 of 47 runs")
}

// Every run is judged once, that without faults as well.
func TestResultsSayInHowManyRunsAPromiseWasJudged(t *testing.T) {
	for name, change := range map[string]func(*emutest.Test){
		"without faults":  func(x *emutest.Test) { x.Faults = 0 },
		"explored":        func(*emutest.Test) {},
		"with schedules":  func(x *emutest.Test) { x.Schedules = []faults.Schedule{faults.MustParse("crash:3"), nil} },
		"and random ones": func(x *emutest.Test) { x.Random = 20 },
		"only these":      func(x *emutest.Test) { x.Faults, x.Random = 0, 20 },
		"broken at once":  func(x *emutest.Test) { x.Guarantees = []guarantee.Guarantee{guarantee.Termination{By: 3}} },
	} {
		t.Run(name, func(t *testing.T) {
			test := promised(guarantee.When(guarantee.NobodyFails, guarantee.ReachesEveryLiveRank{}))
			change(&test)
			result, err := emutest.Check(t.Context(), test)
			require.NoError(t, err)
			require.Equal(t, result.Runs, result.Judged.Runs)
			last := result.Judged.Counts[len(result.Judged.Counts)-1]
			require.Equal(t, result.Runs, last.Judged)
		})
	}
}

// A ring that claims to stand ranks that hang, and does not, breaks its promise. That crashes are beyond what it claims does
// not hide this.
func TestWhatIsBrokenBeyondWhatIsClaimedIsReportedByItself(t *testing.T) {
	test := ringTest(1, 2)
	crashes := guarantee.Premise{Says: "nobody crashes", Unmet: func(run guarantee.Run) string {
		for _, f := range run.Report.Failed {
			if f.Outcome == report.Crashed {
				return f.String()
			}
		}
		return ""
	}}
	test.Guarantees = []guarantee.Guarantee{
		guarantee.Promise{Guarantee: guarantee.ReachesEveryLiveRank{}, Stands: []guarantee.Premise{crashes}},
	}
	f := run(t, test)
	require.Len(t, f.errors, 2)
	require.Contains(t, f.errors[0], "broken: reaches every live rank\n    ranks 2, 3 and 4 never reached; beyond what is claimed: nobody crashes (rank 1 crashed at t=0)\nfaults: crash:1@t0 ")
	require.Contains(t, f.errors[1], "broken: reaches every live rank\n    ranks 2, 3 and 4 never reached\nfaults: hang:1@t0 ")
}

// A schedule that is run again says what was not claimed in it, and why.
func TestFlagSaysWhatWasNotClaimed(t *testing.T) {
	replayOnly(t, "crash:3")
	f := run(t, promised(guarantee.When(guarantee.NobodyFails, guarantee.ReachesEveryLiveRank{})))
	require.False(t, f.failed(), f.all())
	require.Contains(t, f.all(), "\nnot claimed: reaches every live rank: nobody fails (rank 3 crashed at t=0)\nheld: no deadlock: no rank waits for ever")
}
