package scenarios_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// What is empty is a list all the same, what never happened is null, and what there is nothing to say about is left out.
func TestAnOutcomeInJSON(t *testing.T) {
	require.JSONEq(t, `{"line":"","held":false,"verdict":"not claimed","guarantees":[],"figures":[],"notes":[],"report":{
		"machine":{"P":0,"L":0,"o":0,"g":0,"G":0},"seed":0,"faults":"none","messages":0,"colouring":0,"quiescence":0,"exit":0,
		"ranks":[],"failed":[],"unreached":[],"deadlocks":[],"unfired":"none","windows":0,"wakes":0,"hash":"0000000000000000","wall_ns":0,"bytes_per_rank":0}}`,
		inJSON(t, &scenarios.Outcome{Report: &report.Report{}}))

	rep := &report.Report{
		Processes: true, Windows: 1, Wakes: 2, Hash: 3, BytesPerRank: 4, // none of which is known of processes
		LogP:   clock.LogP{Ranks: 2, Latency: 3, Overhead: 4, Gap: 5, PerByte: 6, ManyReceives: true},
		Ranks:  []report.RankResult{{Coloured: 0, Exit: 7}, {Outcome: report.Deadlocked, Coloured: clock.Never, Exit: clock.Never}},
		Failed: []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 8}}, Unreached: []int{1}, Deadlocks: []report.Deadlock{{Rank: 1, Call: "Recv"}},
	}
	require.JSONEq(t, `{"line":"x","held":true,"checked":true,"verdict":"held","guarantees":[{"name":"g","held":true,"verdict":"held","evidence":""}],
		"figures":[],"notes":["n"],"completion":9,"attempts":2,"processes":3,"late":4,"report":{
		"machine":{"P":2,"L":3,"o":4,"g":5,"G":6,"many_receives":true,"network":"uniform network, latency 3"},
		"seed":0,"faults":"none","messages":0,"colouring":0,"quiescence":0,"exit":0,
		"ranks":[{"outcome":"finished","coloured":0,"exit":7},{"outcome":"deadlocked","coloured":null,"exit":null}],
		"failed":[{"rank":1,"outcome":"crashed","time":8}],"unreached":[1],"deadlocks":[{"rank":1,"call":"Recv","want":"","since":0,"cause":""}],
		"unfired":"none","wall_ns":0}}`,
		inJSON(t, &scenarios.Outcome{
			Line: "x", Checked: true, Guarantees: []guarantee.Verdict{{Name: "g", Value: guarantee.Held}}, Notes: []string{"n"},
			Completion: scenarios.Completion{At: 9, Attempts: 2}, Processes: 3, Late: 4, Network: clock.Uniform(3), Report: rep,
		}))
}

// That a run was too late to judge is a verdict of its own, and scripts that know only the flag still find it.
func TestAnOutcomeThatIsTooLateInJSON(t *testing.T) {
	text := inJSON(t, &scenarios.Outcome{Report: &report.Report{}, Late: 4, Guarantees: []guarantee.Verdict{{Name: "g", Value: guarantee.TooLate, Evidence: "e"}}})
	require.Contains(t, text, `"held":false,"verdict":"too late","guarantees":[{"name":"g","held":false,"verdict":"too late","evidence":"e"}]`)
	require.Contains(t, text, `"late":4,"too_late":true`)
}

func inJSON(t *testing.T, o *scenarios.Outcome) string {
	t.Helper()
	text, err := json.Marshal(o)
	require.NoError(t, err)
	return string(text)
}
