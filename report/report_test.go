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
