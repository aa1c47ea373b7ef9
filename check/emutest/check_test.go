package emutest_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func TestResultsAreTheSameEachTime(t *testing.T) {
	first, err := emutest.Check(t.Context(), electionTest(2, 2))
	require.NoError(t, err)
	second, err := emutest.Check(t.Context(), electionTest(2, 2))
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.NotEmpty(t, first.Violations)
	require.EqualValues(t, 300, first.Random)
}

func TestOnePerClassFindsTheSameWithFewerRuns(t *testing.T) {
	test := ringTest(2, 2)
	every, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	test.OnePerClass = true
	few, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Less(t, few.Runs, every.Runs/4)
	require.Equal(t, every.Covered, few.Covered)
	require.Equal(t, every.Violations[0].Schedule, few.Violations[0].Schedule)
}

// boast has rank 0 believe that it is done before it has told anybody.
func boast(upTo int) emutest.Test {
	return emutest.Test{
		Exact:   true,
		Machine: machine(2),
		New: func() emutest.Instance {
			done := make([]bool, 2)
			return emutest.Instance{
				Prepare: func() { clear(done) },
				Program: protocols.Program{Main: func(p protocols.Proc) {
					if p.Rank() == 0 {
						done[0] = true
						p.Step("done")
						p.Send(1, mailbox.Message{})
						return
					}
					_, _, done[1] = p.RecvUntil(mailbox.From(0), 20)
				}},
				Check: func(rep *report.Report) error {
					if done[0] && !done[1] && !rep.Ranks[1].Outcome.Failed() {
						return errors.New("rank 0 was done and rank 1 does not know")
					}
					return nil
				},
			}
		},
		Faults: upTo,
	}
}

// To rank 1 it does not matter where before its send rank 0 fails. To the check it does.
func TestEveryPointIsRunUnlessOnePerClassIsAskedFor(t *testing.T) {
	result, err := emutest.Check(t.Context(), boast(1))
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.EqualValues(t, "crash:0@before-send1", result.Violations[0].Schedule.String())

	test := boast(1)
	test.OnePerClass = true
	result, err = emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Empty(t, result.Violations)
}

func TestSparedRanksDoNotFail(t *testing.T) {
	test := ringTest(1, 2)
	test.Spare, test.Random = []int{0, 2}, 200
	test.Guarantees = []guarantee.Guarantee{ifFailed(0, ""), ifFailed(2, ""), ifFailed(3, "")}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, "rank 3 lives ()", result.Violations[0].Broken[0].Name)
}

func TestRandomSchedulesCanHaveMoreFaults(t *testing.T) {
	test := ringTest(2, 1)
	test.Random = 500
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Empty(t, result.Violations)
	test.RandomFaults = 2
	result, err = emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, "crash:1@t0,crash:2@t0", sorted(result.Violations[0].Schedule).String())
}

func sorted(s faults.Schedule) faults.Schedule {
	return slices.SortedFunc(slices.Values(s), func(a, b faults.Fault) int { return a.Rank - b.Rank })
}

func TestGuaranteesKnowTheRoots(t *testing.T) {
	test := ringTest(2, 1)
	test.Spare = nil
	test.Guarantees = []guarantee.Guarantee{guarantee.When(guarantee.RootsLive, ifFailed(0, ""))}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Empty(t, result.Violations)
}

func TestInstancesHaveGuaranteesOfTheirOwn(t *testing.T) {
	test := ringTest(2, 1)
	test.Program, test.Guarantees = protocols.Program{}, nil
	test.New = func() emutest.Instance {
		return emutest.Instance{Program: ring(2), Guarantees: []guarantee.Guarantee{ifFailed(4, "mine")}}
	}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"rank 4 lives (mine)"}}, namesOf(result))
}

func TestPrepareComesBeforeEveryRun(t *testing.T) {
	test := ringTest(2, 1)
	test.Program, test.Random = protocols.Program{}, 50
	test.New = func() emutest.Instance {
		ready := false
		return emutest.Instance{
			Program: ring(2),
			Prepare: func() { ready = true },
			Check: func(*report.Report) error {
				if !ready {
					return errors.New("not prepared")
				}
				ready = false
				return nil
			},
		}
	}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Empty(t, result.Violations)
}

func TestSlowDownsHappenInRandomSchedulesOnly(t *testing.T) {
	onTime := guarantee.Func("no slow rank", false, func(run guarantee.Run) (bool, string) {
		return !slices.ContainsFunc(run.Report.Faults, func(f faults.Fault) bool { return f.Kind == faults.Slow }), "slow"
	})
	test := ringTest(2, 1)
	test.Guarantees = []guarantee.Guarantee{onTime}
	test.Kinds = []faults.Kind{faults.Slow, faults.Crash}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Empty(t, result.Violations)
	test.Random = 50
	result, err = emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
}

func TestEventsAreRecordedIfAnyPromiseNeedsThem(t *testing.T) {
	seen := func(needs bool) guarantee.Guarantee {
		return guarantee.Func("sees events", needs, func(run guarantee.Run) (bool, string) { return run.Report.Events != nil, "none" })
	}
	for name, c := range map[string]struct {
		change func(*emutest.Test)
		broken bool
	}{
		"nobody asks": {func(test *emutest.Test) { test.Guarantees = []guarantee.Guarantee{seen(false)} }, true},
		"a guarantee": {func(test *emutest.Test) { test.Guarantees = []guarantee.Guarantee{seen(false), guarantee.Integrity{}} }, false},
		"the test": {func(test *emutest.Test) {
			test.Guarantees, test.Events = []guarantee.Guarantee{seen(false)}, true
		}, false},
		"an instance": {func(test *emutest.Test) {
			test.Guarantees, test.Program = []guarantee.Guarantee{seen(false)}, protocols.Program{}
			test.New = func() emutest.Instance {
				return emutest.Instance{Program: ring(2), Guarantees: []guarantee.Guarantee{seen(true)}}
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			test := ringTest(2, 1)
			c.change(&test)
			result, err := emutest.Check(t.Context(), test)
			require.NoError(t, err)
			require.Equal(t, c.broken, len(result.Violations) > 0)
		})
	}
}

// Running a schedule again shows to checks what they saw in the search.
func TestReplayedChecksSeeEventsIfTheyDidBefore(t *testing.T) {
	for _, events := range []bool{false, true} {
		test := ringTest(2, 0)
		test.Events = events
		test.Guarantees = []guarantee.Guarantee{guarantee.Func("as before", false, func(run guarantee.Run) (bool, string) {
			return events == (run.Report.Events != nil), "not as before"
		})}
		result, err := emutest.Check(t.Context(), test)
		require.NoError(t, err)
		require.Empty(t, result.Violations)
		replayOnly(t, "none")
		f := run(t, test)
		require.False(t, f.failed(), f.all())
		require.NoError(t, flag.Set("mangrove.faults", ""))
	}
}

// The seed is that of every run of an exact test, in whatever part it is made.
func TestAllRunsHaveTheSeedOfTheTest(t *testing.T) {
	for _, change := range []func(*emutest.Test){
		func(test *emutest.Test) { test.Faults = 0 },
		func(test *emutest.Test) { test.Faults = 1 },
		func(test *emutest.Test) { test.Random = 20 },
	} {
		test := ringTest(2, 0)
		change(&test)
		test.Seed = 7
		test.Guarantees = []guarantee.Guarantee{guarantee.Func("seed 7", false, func(run guarantee.Run) (bool, string) {
			return run.Report.Seed == 7, "another one"
		})}
		result, err := emutest.Check(t.Context(), test)
		require.NoError(t, err)
		require.Empty(t, result.Violations)
	}
}

// The seed decides about random schedules, too.
func TestSeedsDecideAboutRandomSchedules(t *testing.T) {
	ran := func(seed uint64) (all []string) {
		var mu sync.Mutex
		test := ringTest(2, 0)
		test.Random, test.Seed = 20, seed
		test.Guarantees = []guarantee.Guarantee{guarantee.Func("ran", false, func(run guarantee.Run) (bool, string) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, run.Report.Faults.String())
			return true, ""
		})}
		_, err := emutest.Check(t.Context(), test)
		require.NoError(t, err)
		slices.Sort(all)
		return all
	}
	require.Equal(t, ran(3), ran(3))
	require.NotEqual(t, ran(3), ran(4))
}

func TestWhatCannotBeRepeatedIsRefused(t *testing.T) {
	promises := []guarantee.Guarantee{guarantee.NoDeadlock{}}
	send := func(a func() int64) protocols.Program {
		return protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{A: a()})
			}
		}}
	}
	var calls atomic.Int64
	left := emutest.Test{Machine: machine(2), New: func() emutest.Instance {
		runs := 0
		return emutest.Instance{Program: ring(1), Check: func(*report.Report) error {
			if runs++; runs > 1 && calls.Add(1)%2 == 0 {
				return errors.New("not cleared")
			}
			return nil
		}}
	}, Schedules: []faults.Schedule{nil, nil}}
	for name, c := range map[string]struct {
		test emutest.Test
		want string
	}{
		"random numbers of its own": {emutest.Test{Machine: machine(2), Program: send(rand.Int64), Guarantees: promises}, "depends on something outside its Proc"},
		"counter outside":           {emutest.Test{Machine: machine(2), Program: send(func() int64 { return calls.Add(1) }), Guarantees: promises}, "depends on something outside its Proc"},
		"only with faults": {emutest.Test{Machine: machine(3), Faults: 1, Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
			Program: protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() == 0 {
					p.Send(1, mailbox.Message{})
					p.Send(2, mailbox.Message{})
					return
				}
				if _, _, ok := p.RecvUntil(mailbox.Any, 30); !ok {
					p.Send(0, mailbox.Message{A: rand.Int64()})
				}
			}}}, "with faults=crash:0@after-send1"},
		"check": {left, "The checks depend on something outside the run"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := emutest.Check(t.Context(), c.test)
			require.ErrorIs(t, err, emutest.ErrNotRepeatable)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestRandomNumbersOfTheProcCanBeRepeated(t *testing.T) {
	test := emutest.Test{
		Machine:    machine(3),
		Seed:       7,
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Program: protocols.Program{Main: func(p protocols.Proc) {
			p.Send(p.Rand().IntN(p.Size()), mailbox.Message{A: p.Rand().Int64()})
		}},
		Faults: 1,
	}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Empty(t, result.Violations)
}

// A program that is broken without faults is not looked at any further, one that some schedule breaks is.
func TestSchedulesAreRunUnlessAllIsBroken(t *testing.T) {
	failed := func(most int) emutest.Test {
		return emutest.Test{
			Machine: machine(4),
			New: func() emutest.Instance {
				return emutest.Instance{Program: protocols.Program{Main: func(protocols.Proc) {}}, Check: func(rep *report.Report) error {
					if len(rep.Failed) > most {
						return errors.New("too many")
					}
					return nil
				}}
			},
			Schedules: []faults.Schedule{faults.MustParse("crash:1@t0"), faults.MustParse("crash:2@t0"), faults.MustParse("crash:3@t0")},
		}
	}
	result, err := emutest.Check(t.Context(), failed(-1))
	require.NoError(t, err)
	require.EqualValues(t, 1, result.Runs)
	require.Len(t, result.Violations, 1)
	require.Empty(t, result.Violations[0].Schedule)
	result, err = emutest.Check(t.Context(), failed(0))
	require.NoError(t, err)
	require.EqualValues(t, 4, result.Runs)
	require.NotEmpty(t, result.Violations)
	result, err = emutest.Check(t.Context(), failed(1))
	require.NoError(t, err)
	require.EqualValues(t, 4, result.Runs)
	require.Empty(t, result.Violations)
}
