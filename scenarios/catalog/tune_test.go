package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Figure 7's T follow from the equations, the tie rule and a margin of one message: all but that
// of CCG without failures.
func TestTuningFindsTheTimesOfFigure7(t *testing.T) {
	tuned, err := TuneGossip([]string{"N=4096", "L=2 o=1"})
	require.NoError(t, err)
	require.Equal(t, []clock.Time{50, 32, 34, 37}, gossipEnds(tuned))
	tuned, err = TuneGossip([]string{"P=1024 L=1 variant=ocg"})
	require.NoError(t, err)
	require.Equal(t, []clock.Time{24}, gossipEnds(tuned), "figure 3")
}

// Where fcg has too few ranks, the others are tuned.
func TestTuningOfSmallMachines(t *testing.T) {
	tuned, err := TuneGossip([]string{"N=2"})
	require.NoError(t, err)
	require.Len(t, tuned.Plans, 3)
	require.Equal(t, []string{"fcg: live ranks = 2, want 2f+3 = 5 or more"}, tuned.Notes)
}

func gossipEnds(tuned GossipTuning) []clock.Time {
	var ends []clock.Time
	for _, plan := range tuned.Plans {
		ends = append(ends, plan.GossipEnd)
	}
	return ends
}

// A million runs of which none shall miss a rank, with even odds: delta = 6.93e-7.
func TestTuningTakesDeltaFromManyRuns(t *testing.T) {
	tuned, err := TuneGossip([]string{"psi=0.5", "runs=1000000"})
	require.NoError(t, err)
	require.InEpsilon(t, 6.93e-7, tuned.Delta, 1e-3)
}

func TestTuningNamesTheProblems(t *testing.T) {
	for words, want := range map[string]string{
		"N=1 delta=7":         `scenarios: "N=1": want a number from 2 to 2147483647; "delta=7": want a number above 0 and below 1`,
		"delta=0.1 runs=5":    `scenarios: delta=0.1 and runs=5, want one of the two`,
		"N=64 failures=64":    `scenarios: gos: failures = 64, want 0 to 63`,
		"colour=red":          `scenarios: unknown key "colour", tune gossip has N, L, o, g, failures, variant, f, delta, psi, runs, margin`,
		"N=4 variant=fcg f=1": `scenarios: fcg: live ranks = 4, want 2f+3 = 5 or more`,
		"N=8 P=8":             `scenarios: "P=8": key N is set twice, first by "N=8"`,
	} {
		_, err := TuneGossip([]string{words})
		require.EqualError(t, err, want, words)
	}
}

// The lines that tune prints do what was planned, whatever the machine.
func TestTunedLinesDoWhatWasPlanned(t *testing.T) {
	for _, words := range []string{"N=64", "N=200 g=4", "N=90 L=7 o=3 g=5 failures=3", "N=40 f=2 delta=0.001"} {
		tuned, err := TuneGossip([]string{words})
		require.NoError(t, err)
		require.Len(t, tuned.Plans, 4)
		for _, plan := range tuned.Plans {
			line := tuned.LineOf(plan)
			run, err := ParseLine(line)
			require.NoError(t, err)
			outcome, err := run.Execute(t.Context(), scenarios.Options{})
			require.NoError(t, err)
			require.Equal(t, guarantee.Held, outcome.Verdict(), line)
			want := []scenarios.Detail{{Name: "gossip", Text: fmt.Sprintf("until T=%d", plan.GossipEnd)}}
			if plan.Variant == tuning.Opportunistic {
				want = append(want, scenarios.Detail{Name: "correction", Text: fmt.Sprintf("%d messages each", plan.Corrections)})
				require.Equal(t, plan.Latency, outcome.Report.Quiescence, line)
			}
			require.Equal(t, want, outcome.Details, line)
			if plan.Variant == tuning.FailureProof {
				require.Contains(t, line, fmt.Sprintf(" f=%d ", tuned.OnlineFailures))
			}
		}
	}
}
