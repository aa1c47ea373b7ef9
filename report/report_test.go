package report_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

func TestOutcomesAreWordsInJSON(t *testing.T) {
	all := []report.Outcome{report.Finished, report.Crashed, report.Hung, report.Deadlocked}
	text, err := json.Marshal(all)
	require.NoError(t, err)
	require.Equal(t, `["finished","crashed","hung","deadlocked"]`, string(text))
	var back []report.Outcome
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, all, back)
	require.EqualError(t, new(report.Outcome).UnmarshalText([]byte("tired")), `report: outcome "tired", want one of finished, crashed, hung, deadlocked`)
}

// Ranks that failed count neither for the end of the run nor as unreached, but a failed rank may have been the last
// one to be coloured. Ranks may be counted in parts.
func TestATallyAddsUpTheResultsOfRanks(t *testing.T) {
	ranks := []report.RankResult{
		{Outcome: report.Finished, Coloured: 0, Exit: 4},
		{Outcome: report.Finished, Coloured: clock.Never, Exit: 6},
		{Outcome: report.Crashed, Coloured: 9, Exit: 12},
		{Outcome: report.Hung, Coloured: clock.Never, Exit: 0},
		{Outcome: report.Deadlocked, Coloured: 5, Exit: clock.Never},
		{Outcome: report.Deadlocked, Coloured: clock.Never, Exit: clock.Never},
	}
	for split := range len(ranks) + 1 {
		var low, high report.Tally
		for rank := range ranks {
			if rank < split {
				low.Add(rank, &ranks[rank])
			} else {
				high.Add(rank, &ranks[rank])
			}
		}
		var rep report.Report
		rep.Include(&low)
		rep.Include(&high)
		require.Equal(t, report.Report{
			Colouring: 9, Exit: 6, Unreached: []int{1, 5},
			Failed: []report.Failure{{Rank: 2, Outcome: report.Crashed, Time: 12}, {Rank: 3, Outcome: report.Hung}},
		}, rep, "split before rank %d", split)
	}
}

// Ranks that failed count, those that wait for ever do not.
func TestTheLastExitIsThatOfWhoeverEnded(t *testing.T) {
	require.Zero(t, report.LastExit(nil))
	require.EqualValues(t, 9, report.LastExit([]report.RankResult{
		{Outcome: report.Finished, Exit: 4}, {Outcome: report.Crashed, Exit: 9}, {Outcome: report.Finished, Exit: 6}, {Outcome: report.Deadlocked, Exit: clock.Never},
	}))
	require.Zero(t, report.LastExit([]report.RankResult{{Outcome: report.Deadlocked, Exit: clock.Never}}))
}

func TestFailuresAreFoundByRank(t *testing.T) {
	rep := report.Report{Failed: []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 3}, {Rank: 4, Outcome: report.Hung, Time: 2}, {Rank: 6, Outcome: report.Crashed, Time: 9}}}
	found := 0
	for rank := range 9 {
		f, failed := rep.FailureOf(rank)
		if failed {
			require.Equal(t, rep.Failed[found], f)
			require.Equal(t, rank, f.Rank)
			found++
		} else {
			require.Equal(t, report.Failure{}, f)
		}
	}
	require.Equal(t, len(rep.Failed), found)
}

func TestCrashesAndHangsAreFailures(t *testing.T) {
	require.Equal(t, []bool{false, true, true, false},
		[]bool{report.Finished.Failed(), report.Crashed.Failed(), report.Hung.Failed(), report.Deadlocked.Failed()})
}
