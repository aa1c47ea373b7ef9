package emutest_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// greeting has all ranks send to all others, and wait for nobody.
var greeting = protocols.Program{Main: func(p protocols.Proc) {
	for i := 1; i < p.Size(); i++ {
		p.Send((p.Rank()+i)%p.Size(), mailbox.Message{})
	}
}}

// givenTest explores one crash on three ranks.
func givenTest(given string, check func(*report.Report) error) emutest.Test {
	return emutest.Test{
		Machine: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		New:     func() emutest.Instance { return emutest.Instance{Program: greeting, Check: check} },
		Given:   faults.MustParse(given),
		Faults:  1,
		Kinds:   []faults.Kind{faults.Crash},
		Exact:   true,
	}
}

func TestWhatIsGivenHappensInEveryRunAndIsAdded(t *testing.T) {
	result, err := emutest.Check(context.Background(), givenTest("crash:0@after-send1", func(rep *report.Report) error {
		if _, failed := rep.FailureOf(0); !failed {
			return fmt.Errorf("rank 0 has not failed")
		}
		if len(rep.Failed) > 1 {
			return fmt.Errorf("%d ranks have failed", len(rep.Failed))
		}
		return nil
	}))
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	v := result.Violations[0]
	require.Equal(t, "2 ranks have failed", v.Broken[0].Evidence)
	require.Len(t, v.Schedule, 2)
	require.Equal(t, faults.MustParse("crash:0@after-send1"), v.Schedule[:1], "it belongs to the test and is not left out")
	require.Greater(t, result.Runs, v.Runs+1, "rank 0 also fails earlier, and then alone")
}

func TestATestThatBreaksWithWhatIsGivenTriesNothingElse(t *testing.T) {
	result, err := emutest.Check(context.Background(), givenTest("crash:2@t0", func(rep *report.Report) error {
		return fmt.Errorf("%d ranks have failed", len(rep.Failed))
	}))
	require.NoError(t, err)
	require.Equal(t, int64(1), result.Runs)
	require.Equal(t, faults.MustParse("crash:2@t0"), result.Violations[0].Schedule)
}

// Whoever fails comes back, also at points that only the search knows.
func TestRanksThatAreGivenToComeBackDoWhoeverFails(t *testing.T) {
	var rejoined atomic.Int64 // of all processors
	result, err := emutest.Check(context.Background(), givenTest("rejoin:0@t90,rejoin:1@t90,rejoin:2@t90", func(rep *report.Report) error {
		rejoined.Add(int64(len(rep.Rejoined)))
		if len(rep.Failed) > 0 {
			return fmt.Errorf("rank %d is missing", rep.Failed[0].Rank)
		}
		return nil
	}))
	require.NoError(t, err)
	require.Empty(t, result.Violations)
	require.Positive(t, rejoined.Load())
}

func TestWhatCannotBeGivenIsRefused(t *testing.T) {
	test := givenTest("crash:3@t0", func(*report.Report) error { return nil })
	test.Random = 10
	require.EqualError(t, test.Validate(), "emutest: Given: "+faultError(t, "crash:3@t0", 3)+"; Given with Random = 10: random schedules do not have it, want Random 0")
	test = givenTest("crash:~1@t0", func(*report.Report) error { return nil })
	require.ErrorContains(t, test.Validate(), "Given: crash:~1@t0 draws ranks at random, want Schedule.Expand before")
}

func faultError(t *testing.T, schedule string, ranks int) string {
	err := faults.MustParse(schedule).Validate(ranks)
	require.Error(t, err)
	return err.Error()
}
