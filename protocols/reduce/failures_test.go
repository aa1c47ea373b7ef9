package reduce_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
)

// Every set of members down from the start, however many: there is a complete result if
// some subtree is whole, and a complete result has all values of live ranks.
func TestCompleteResultsAreRightForAnyNumberOfFailures(t *testing.T) {
	t.Parallel()
	incomplete := 0
	for f := range 4 {
		logp := clock.LogP{Ranks: 10, Latency: 2, Overhead: 1}
		b := newTrial(t, logp, reduce.Options{Root: 4, Redundancy: f})
		for set := range 1 << logp.Ranks {
			if set>>b.options.Root&1 == 0 {
				b.run(t, down(set))
				b.check(t)
				if !b.complete {
					incomplete++
				}
			}
		}
	}
	require.NotZero(t, incomplete)
}

// down is a schedule in which the ranks of a set, given as bits, never start.
func down(set int) faults.Schedule {
	var schedule faults.Schedule
	for rank := 0; set>>rank > 0; rank++ {
		if set>>rank&1 == 1 {
			schedule = append(schedule, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnTime(0)})
		}
	}
	return schedule
}

// A rank may fail once it has reported: nothing more is expected of it.
func TestRanksThatHaveReportedAreNotMissed(t *testing.T) {
	logp := clock.LogP{Ranks: 9, Latency: 2, Overhead: 1}
	b := newTrial(t, logp, reduce.Options{Redundancy: 1})
	b.run(t, faults.MustParse("crash:1@after-send2,crash:2@after-send2,hang:3@after-send2,hang:4@after-send2"))
	require.Len(t, b.report.Failed, 4)
	require.True(t, b.complete)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, b.ranks())
}

// With redundancy 1, failures in both subtrees leave none whole; the root hears of it.
func TestRootDoesNotWaitForTheDeadlineOnceAllPartsAreBroken(t *testing.T) {
	logp := clock.LogP{Ranks: 33, Latency: 2, Overhead: 1}
	b := newTrial(t, logp, reduce.Options{Redundancy: 1})
	b.run(t, faults.MustParse("crash:31,crash:32"))
	require.False(t, b.complete)
	require.Less(t, b.report.Ranks[0].Exit, b.reduce.Deadline())
	b.check(t)
	broken := 0
	for _, e := range b.trace(t, faults.MustParse("crash:31,crash:32")) {
		if e.Kind == report.EventTake && e.Rank == 0 {
			require.Equal(t, reduce.Broken, e.Msg)
			broken++
		}
	}
	require.Equal(t, 2, broken)
}

// If all members may fail and the root hears from none, its own value is all there is.
func TestRootAloneIsACompleteResult(t *testing.T) {
	for ranks := 1; ranks <= 5; ranks++ {
		logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
		b := newTrial(t, logp, reduce.Options{Redundancy: 4})
		b.run(t, down(1<<ranks-2))
		require.True(t, b.complete, "%v", b)
		require.Equal(t, own(0), b.result)
		require.Equal(t, b.reduce.Deadline(), b.report.Ranks[0].Exit)
	}
	b := newTrial(t, clock.LogP{Ranks: 5, Latency: 2, Overhead: 1}, reduce.Options{Redundancy: 3})
	b.run(t, down(0b11110))
	require.False(t, b.complete, "4 of 4 members have failed, and only 3 may")
}

// Without its root the operation comes to nothing, but to an end.
func TestNobodyWaitsForAFailedRoot(t *testing.T) {
	logp := clock.LogP{Ranks: 12, Latency: 2, Overhead: 1}
	b := newTrial(t, logp, reduce.Options{Root: 5, Redundancy: 2})
	for _, failure := range b.failures(5) {
		b.run(t, faults.Schedule{failure, {Kind: faults.Crash, Rank: 7, At: faults.OnTime(3)}})
		require.Empty(t, b.unending(), "%v", b)
	}
}
