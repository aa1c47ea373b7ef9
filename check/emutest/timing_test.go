package emutest_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// gossipOfThree has rank 0 tell 2 and then 1, and 1 answer to 2, which takes for granted that it hears 0 first.
func gossipOfThree() emutest.Instance {
	var first int
	return emutest.Instance{
		Prepare: func() { first = -1 },
		Program: protocols.Program{Main: func(p protocols.Proc) {
			switch p.Rank() {
			case 0:
				p.Send(2, mailbox.Message{})
				p.Send(1, mailbox.Message{})
			case 1:
				p.Recv(mailbox.Any)
				p.Send(2, mailbox.Message{})
			case 2:
				from, _ := p.Recv(mailbox.Any)
				first = from
				p.Recv(mailbox.Any)
			}
		}},
		Check: func(rep *report.Report) error {
			if first == 1 && len(rep.Failed) == 0 {
				return errors.New("rank 2 has heard 1 before 0")
			}
			return nil
		},
	}
}

// What only another timing shows is found without being asked for, made smaller to one delay, and shown again by what is printed.
func TestAMessageThatOvertakesIsFound(t *testing.T) {
	test := emutest.Test{Machine: machine(3), New: gossipOfThree, Faults: 1, Random: 1000}
	f := run(t, test)
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "rank 2 has heard 1 before 0\nfaults: late:0@send1+6 (the smallest found; ")
	require.Contains(t, f.errors[0], "-mangrove.faults='late:0@send1+6'\n")
	replayOnly(t, "late:0@send1+6")
	require.Contains(t, run(t, test).all(), "rank 2 has heard 1 before 0")
}

func TestAnExactTestHasOneTiming(t *testing.T) {
	f := run(t, emutest.Test{Machine: machine(3), New: gossipOfThree, Faults: 1, Random: 1000, Exact: true})
	require.False(t, f.failed(), f.all())
}

// Timing alone can be asked for.
func TestNobodyFailsInATestOfTimingAlone(t *testing.T) {
	test := emutest.Test{Machine: machine(3), New: gossipOfThree, Random: 300, NoFailures: true}
	test.Guarantees = []guarantee.Guarantee{guarantee.Func("nobody fails", false, func(run guarantee.Run) (bool, string) {
		return len(run.Report.Failed) == 0, fmt.Sprint(run.Report.Failed)
	})}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, "late:0@send1+6", result.Violations[0].Schedule.String())
	require.True(t, result.AllDelays)
	require.Greater(t, result.Different, int64(20))
}

// impatient waits for an answer for a while, and takes none for a no: a delay that is longer than its patience shows it.
func impatient(patience clock.Time) func() emutest.Instance {
	return func() emutest.Instance {
		var gaveUp bool
		return emutest.Instance{
			Prepare: func() { gaveUp = false },
			Program: protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() == 0 {
					p.Send(1, mailbox.Message{})
					_, _, ok := p.RecvUntil(mailbox.From(1), p.Now()+patience)
					gaveUp = !ok
					return
				}
				p.Recv(mailbox.From(0))
				p.Send(0, mailbox.Message{})
			}},
			Check: func(rep *report.Report) error {
				if gaveUp && len(rep.Failed) == 0 {
					return errors.New("rank 1 lives")
				}
				return nil
			},
		}
	}
}

func TestDelaysAreLongerThanPatience(t *testing.T) {
	result, err := emutest.Check(t.Context(), emutest.Test{Machine: machine(2), New: impatient(700), Faults: 1})
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, "late:0@send1+694", result.Violations[0].Schedule.String())
}

// diceGame breaks with some seeds only: one of a hundred.
func diceGame() emutest.Instance {
	var drawn int
	return emutest.Instance{
		Program: protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				drawn = p.Rand().IntN(100)
			}
		}},
		Check: func(*report.Report) error {
			if drawn == 7 {
				return errors.New("seven")
			}
			return nil
		},
	}
}

// What some seeds show is found, made smaller to a seed, and shown again by it.
func TestASeedIsFound(t *testing.T) {
	test := emutest.Test{Machine: machine(2), New: diceGame, Faults: 1, Random: 10_000}
	result, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Empty(t, result.Violations[0].Schedule)
	seed := result.Violations[0].Seed
	require.NotZero(t, seed)
	f := run(t, test)
	require.Contains(t, f.errors[0], fmt.Sprintf("faults: none, seed: %d (the smallest", seed))
	require.Contains(t, f.errors[0], fmt.Sprintf(" -mangrove.faults='none' -mangrove.seed=%d\n", seed))
	require.NotContains(t, f.all(), "no faults were tried")
	require.Contains(t, f.errors[0], fmt.Sprintf("from now on:\n    Seeds: []uint64{%d},", seed))
	test.Random, test.Seeds = 0, []uint64{3, seed}
	result, err = emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, seed, result.Violations[0].Seed)
}

// What one crash shows comes before all that takes two.
func TestFewFaultsComeFirst(t *testing.T) {
	one, err := emutest.Check(t.Context(), ringTest(2, 1))
	require.NoError(t, err)
	var mu sync.Mutex
	var sizes []int
	test := ringTest(2, 2)
	test.Guarantees = []guarantee.Guarantee{guarantee.Func("counts", false, func(run guarantee.Run) (bool, string) {
		mu.Lock()
		defer mu.Unlock()
		sizes = append(sizes, len(run.Report.Faults))
		return true, ""
	})}
	_, err = emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.GreaterOrEqual(t, slices.Index(sizes, 2), int(one.Runs))
}

func TestTimingThatMakesNoSenseIsRefused(t *testing.T) {
	for want, change := range map[string]func(*emutest.Test){
		"NoFailures with Faults = 1, want 0":           func(x *emutest.Test) { x.NoFailures = true },
		"nothing would differ, want Random 0":          func(x *emutest.Test) { x.NoFailures, x.Exact, x.Faults, x.Random = true, true, 0, 1 },
		"NoFailures with Rejoins or Cuts, want":        func(x *emutest.Test) { x.NoFailures, x.Faults, x.Cuts = true, 0, []clock.Time{3} },
		"Rejoins with Faults = 1: nobody would come b": func(x *emutest.Test) { x.Rejoins = []clock.Time{30} },
	} {
		test := ringTest(2, 1)
		change(&test)
		require.ErrorContains(t, test.Validate(), want)
	}
}
