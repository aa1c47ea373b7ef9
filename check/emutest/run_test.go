package emutest_test

import (
	"context"
	"errors"
	"flag"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func TestBrokenProtocolsFailWithTheSmallestSchedule(t *testing.T) {
	promises := []guarantee.Guarantee{guarantee.NoDeadlock{}}
	for name, c := range map[string]struct {
		test     emutest.Test
		broken   string
		schedule string
	}{
		"ring":            {ringTest(1, 1), "reaches every live rank", "crash:1@t0"},
		"ring of two":     {ringTest(2, 2), "reaches every live rank", "crash:1@t0,crash:2@t0"},
		"election":        {electionTest(1, 1), "check", "crash:0@after-send1"},
		"longer election": {electionTest(2, 2), "check", "crash:0@after-send1,crash:1@after-send5"},
		"commit": {emutest.Test{Machine: machine(3), Program: protocols.Program{Main: naiveCommit}, Guarantees: promises, Faults: 1},
			"no deadlock", "crash:0@t0"},
		"commit, live coordinator": {emutest.Test{Machine: machine(3), Program: protocols.Program{Main: naiveCommit}, Guarantees: promises, Random: 500, Spare: []int{0}},
			"no deadlock", "crash:1@t0"},
		"repeats for ever": {emutest.Test{Machine: machine(3), Program: protocols.Program{Main: stubborn}, Guarantees: promises, Faults: 1},
			"program neither panics nor spins", "crash:0@t0"},
	} {
		t.Run(name, func(t *testing.T) {
			f := run(t, c.test)
			require.NotEmpty(t, f.errors)
			require.Empty(t, f.fatal)
			require.Contains(t, f.errors[0], "broken: "+c.broken+"\n")
			require.Contains(t, f.errors[0], "\nfaults: "+c.schedule+" (the smallest found; ")
			require.Contains(t, f.errors[0], "-mangrove.faults='"+c.schedule+"'")
		})
	}
}

func TestCorrectedProtocolsPass(t *testing.T) {
	for name, test := range map[string]emutest.Test{
		"ring without faults":  ringTest(1, 0),
		"ring of two":          ringTest(2, 1),
		"ring of three":        ringTest(3, 2),
		"election":             electionTest(2, 1),
		"election without any": electionTest(1, 0),
	} {
		t.Run(name, func(t *testing.T) {
			if test.Faults == 0 {
				test.Random = 0
			}
			f := run(t, test)
			require.False(t, f.failed(), f.all())
			require.Len(t, f.logs, 1)
		})
	}
}

func TestFailureMessageSaysWhatBrokeAndHowToSeeItAgain(t *testing.T) {
	f := run(t, ringTest(1, 1))
	require.Equal(t, []string{`broken: reaches every live rank
    ranks 2, 3 and 4 never reached
broken: no deadlock
    ranks 2, 3 and 4 waiting for ever
faults: crash:1@t0 (the smallest found; 24 of 35 runs break this)
because, compared with the run without crash:1@t0:
    rank 2 waits for ever in Recv(any) since t=0; so do 2 more
    it did not get the message from rank 1, which would have come at t=8
    rank 1 did not send the message to rank 2: it crashed at t=0 (crash:1@t0)
without crash:1@t0: holds
again, with all events:
    go test -v -run '^TestFake$/^some_case$' github.com/mangrove-emu/mangrove/check/emutest -mangrove.faults='crash:1@t0'
in every run of the test from now on:
    Schedules: []faults.Schedule{faults.MustParse("crash:1@t0")},`}, f.errors)
	require.Equal(t, []string{"35 runs, 35 different, 35 schedules of up to 1 fault covered"}, f.logs)
}

func TestWhatBreaksWithoutFaultsIsAllThatIsReported(t *testing.T) {
	test := ringTest(1, 1)
	test.Guarantees = []guarantee.Guarantee{guarantee.Termination{By: 3}}
	f := run(t, test)
	require.Equal(t, []string{`broken: termination by t=3
    ranks 1, 2, 3 and 4 returned after t=3, the last at t=16
faults: none
because:
    what led rank 1 to t=5: the message from rank 0 (t=0 to 4) <- rank 0 began
again, with all events:
    go test -v -run '^TestFake$/^some_case$' github.com/mangrove-emu/mangrove/check/emutest -mangrove.faults='none'`}, f.errors)
	require.Equal(t, []string{"no faults were tried, as it breaks without any"}, f.logs)
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.EqualValues(t, 1, result.Runs)
}

// One schedule breaks two promises, another one a third; those that break some of these need
// no message of their own.
func TestEachBrokenPromiseIsReportedOnce(t *testing.T) {
	early := guarantee.Func("failures are early", false, func(run guarantee.Run) (bool, string) {
		return len(run.Report.Failed) == 0 || run.Report.Failed[0].Time < 5, "late"
	})
	test := ringTest(2, 1)
	test.Guarantees = []guarantee.Guarantee{ifFailed(3, "a"), ifFailed(3, "b"), ifFailed(4, "a"), early}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"rank 3 lives (a)", "rank 3 lives (b)"},
		{"rank 4 lives (a)"},
		{"failures are early"},
	}, namesOf(result))
	test.Spare = []int{0, 1, 2, 4}
	result, err = emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Equal(t, "failures are early", namesOf(result)[1][0], "what is new comes first")
	require.Len(t, namesOf(result)[1], 3)
}

// namesOf lists what each violation breaks.
func namesOf(result *emutest.Result) [][]string {
	var all [][]string
	for _, v := range result.Violations {
		var names []string
		for _, b := range v.Broken {
			names = append(names, b.Name)
		}
		all = append(all, names)
	}
	return all
}

// ifFailed is broken if a rank fails.
func ifFailed(rank int, name string) guarantee.Guarantee {
	return guarantee.Func("rank "+string(rune('0'+rank))+" lives ("+name+")", false, func(run guarantee.Run) (bool, string) {
		return !run.Report.Ranks[rank].Outcome.Failed(), "it failed"
	})
}

// replayOnly sets the flag for the length of a test.
func replayOnly(t *testing.T, schedule string) {
	t.Helper()
	require.NoError(t, flag.Set("mangrove.faults", schedule))
	t.Cleanup(func() { require.NoError(t, flag.Set("mangrove.faults", "")) })
}

func TestFlagRunsOneScheduleOnly(t *testing.T) {
	replayOnly(t, "crash:3@send1")
	f := run(t, ringTest(1, 1))
	require.Equal(t, []string{"broken: reaches every live rank\n    rank 4 never reached\nbroken: no deadlock\n    rank 4 waiting for ever"}, f.errors)
	require.Len(t, f.logs, 1)
	require.Contains(t, f.logs[0], "faults crash:3@send1\n")
	require.Contains(t, f.logs[0], "\n3 messages, quiet at t=12\nrank 4 in Recv(any) since t=0: no message is under way; rank 3 crashed at t=12")
	require.Equal(t, testing.Verbose(), len(f.logs[0]) > 400, "events with -v only")
}

func TestFlagRunsWithoutFaults(t *testing.T) {
	replayOnly(t, "none")
	f := run(t, ringTest(1, 1))
	require.False(t, f.failed(), f.all())
	require.Contains(t, f.all(), "held: reaches every live rank: all 5 live ranks reached\nheld: no deadlock: no rank waits for ever")
}

func TestFlagSaysWhichFaultsDidNotHappen(t *testing.T) {
	replayOnly(t, "crash:4@send9")
	require.Contains(t, run(t, ringTest(1, 1)).all(), "faults that did not happen, as the program never came to that point: crash:4@send9")
}

func TestFlagWithAWrongScheduleIsRefused(t *testing.T) {
	replayOnly(t, "crash:5")
	require.Equal(t, `-mangrove.faults=crash:5: crash:5@t0: rank 5, want 0 to 4`, run(t, ringTest(1, 1)).fatal)
	replayOnly(t, "crush:3")
	require.Contains(t, run(t, ringTest(1, 1)).fatal, `-mangrove.faults=crush:3: item 1 "crush:3"`)
	replayOnly(t, "crash:~1")
	require.Equal(t, "-mangrove.faults=crash:~1: one run cannot draw ranks; want their numbers, such as crash:0 to crash:4; Random in the test runs drawn schedules",
		run(t, ringTest(1, 1)).fatal)
}

func TestFlagShowsTheStackOfAPanic(t *testing.T) {
	replayOnly(t, "none")
	f := run(t, emutest.Test{
		Machine:    machine(2),
		Program:    protocols.Program{Main: func(p protocols.Proc) { panic("ouch") }},
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
	})
	require.Equal(t, []string{"broken: program neither panics nor spins\n    rank 0 panicked at t=0: ouch"}, f.errors)
	require.Contains(t, f.logs[0], "run_test.go")
}

func TestSchedulesOfTheListAreRun(t *testing.T) {
	test := ringTest(1, 0)
	test.Schedules = []faults.Schedule{faults.MustParse("crash:4@recv1"), faults.MustParse("crash:0,crash:3@send1")}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.EqualValues(t, 3, result.Runs)
	require.Len(t, result.Violations, 1)
	require.Equal(t, faults.MustParse("crash:1"), result.Violations[0].Schedule, "made smaller, too")
}

// What the list breaks is reported first, then what others do.
func TestSchedulesOfTheListAreReportedFirst(t *testing.T) {
	test := ringTest(1, 1)
	test.Guarantees = []guarantee.Guarantee{ifFailed(3, "explored"), ifFailed(4, "listed")}
	test.Schedules = []faults.Schedule{faults.MustParse("crash:4@recv1")}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"rank 4 lives (listed)"}, {"rank 3 lives (explored)"}}, namesOf(result))
}

func TestTestStopsBeforeTheDeadlineAndSaysWhatItFound(t *testing.T) {
	test := electionTest(1, 1)
	test.Random = 1 << 40
	f := &fakeTB{TB: t, ctx: t.Context(), deadline: time.Now().Add(time.Second)}
	f.run(test)
	require.Less(t, time.Since(f.deadline), 5*time.Second, "in time, but for a computer with much else to do")
	require.Contains(t, f.fatal, "emutest: not complete after ")
	require.Contains(t, f.fatal, context.DeadlineExceeded.Error())
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "faults: crash:0@after-send1 ")
}

func TestTestEndsWithItsContext(t *testing.T) {
	for name, test := range map[string]emutest.Test{"explore": ringTest(3, 2), "random": electionTest(2, 0)} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var made atomic.Int64
			test.Guarantees = append(test.Guarantees, guarantee.Func("cancels", false, func(guarantee.Run) (bool, string) {
				if made.Add(1) == 50 {
					cancel()
				}
				return true, ""
			}))
			result, err := emutest.Check(ctx, test)
			require.ErrorIs(t, err, context.Canceled)
			require.Less(t, result.Runs, int64(60))
			require.Less(t, made.Load(), int64(60))
		})
	}
}

func TestCheckThatPanicsIsAFindingWithItsSchedule(t *testing.T) {
	test := ringTest(2, 1)
	test.New = func() emutest.Instance {
		return emutest.Instance{Program: ring(2), Check: func(rep *report.Report) error {
			if rep.Ranks[3].Outcome.Failed() {
				panic("index out of mind")
			}
			return nil
		}}
	}
	test.Program = protocols.Program{}
	f := run(t, test)
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "broken: check does not panic\n    it panicked: index out of mind\nfaults: crash:3@t0 ")
}

func TestCheckThatCallsFailNowIsRefusedWithItsSchedule(t *testing.T) {
	for at, want := range map[string]string{ // without faults, in the sample, in the search
		"none":                "with faults=none a check",
		"crash:2@after-send1": "with faults=crash:2@after-send1 a check",
		"crash:2@send2":       "with faults=crash:2@send2 a check",
	} {
		t.Run(at, func(t *testing.T) {
			inner := &fakeTB{TB: t}
			test := ringTest(2, 1)
			test.Program = protocols.Program{}
			test.New = func() emutest.Instance {
				return emutest.Instance{Program: ring(2), Check: func(rep *report.Report) error {
					if rep.Faults.String() == at {
						inner.Fatal("no")
					}
					return nil
				}}
			}
			f := run(t, test)
			require.Contains(t, f.fatal, want+" ended its goroutine, as t.FailNow, t.Fatal and require do; want it to return an error")
		})
	}
}

func TestErrorsOfChecksAreTheEvidence(t *testing.T) {
	test := emutest.Test{Machine: machine(2), New: func() emutest.Instance {
		return emutest.Instance{Program: ring(1), Check: func(*report.Report) error {
			return errors.Join(errors.New("one thing"), errors.New("another"))
		}}
	}}
	require.Contains(t, run(t, test).errors[0], "broken: check\n    one thing\n    another\nfaults: none")
}
