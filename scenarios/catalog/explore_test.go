package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func explore(t *testing.T, line string, options search.ExploreOptions) *search.Exploration {
	t.Helper()
	run, err := ParseLine(line)
	require.NoError(t, err)
	found, err := search.Explore(t.Context(), run.Subject(), options)
	require.NoError(t, err)
	require.True(t, found.Complete())
	return found
}

// What is known to break is found, with the smallest schedule, and pasting the line shows it.
func TestKnownLimitsAreFound(t *testing.T) {
	for line, want := range map[string]string{
		"broadcast P=8 correction=none":                                 "crash:1@t0",
		"broadcast P=8 correction=ack":                                  "crash:1@t0",
		"broadcast P=8 numbering=in-order correction=opportunistic d=2": "crash:4@t0",
	} {
		found := explore(t, line, search.ExploreOptions{Faults: 1})
		require.NotEmpty(t, found.Violations, line)
		v := found.Violations[0]
		require.Equal(t, want, v.Schedule.String(), line)
		run, err := ParseLine(line)
		require.NoError(t, err)
		outcome := mustExecute(t, run.WithFaults(v.Schedule), scenarios.Options{})
		require.Equal(t, v.Broken, guarantee.OnlyBroken(outcome.Guarantees))
	}
}

// Checked correction on interleaved trees of eight stands every schedule of two failures.
func TestCheckedCorrectionStandsTwoFailuresOfEight(t *testing.T) {
	for _, tree := range []string{"binomial", "kary", "kary k=3", "lame", "lame k=3", "optimal"} {
		require.Empty(t, explore(t, "broadcast P=8 tree="+tree, search.ExploreOptions{Faults: 2}).Violations, tree)
	}
}

// Failure-proof correction stands every single failure for f=1 and every pair for f=2, those
// of the root included.
func TestFailureProofCorrectionStandsAsManyFailuresAsItSays(t *testing.T) {
	for ranks := 8; ranks <= 16; ranks += thorough.Stride(9) {
		for _, arrangement := range []string{"start=sync", "start=overlapped", "start=overlapped early=rest numbering=in-order"} {
			line := fmt.Sprintf("broadcast correction=failure-proof f=1 P=%d %s", ranks, arrangement)
			require.Empty(t, explore(t, line, search.ExploreOptions{Faults: 1, Roots: true}).Violations, line)
		}
	}
	if !testing.Short() {
		require.Empty(t, explore(t, "broadcast correction=failure-proof f=2 P=10", search.ExploreOptions{Faults: 2, Roots: true}).Violations)
	}
}

// Multi-trees and reductions stand every schedule of as many failures as they say.
func TestOthersStandAsManyFailuresAsTheySay(t *testing.T) {
	for line, most := range map[string]int{
		"multitree P=9 trees=2": 1, "multitree P=10 trees=3": 2,
		"reduce P=8 f=1": 1, "reduce P=7 f=2 root=3": 2, "reduce P=9 f=1 tree=kary k=3": 1,
		"allreduce P=7 f=1 correction=failure-proof": 1, "allreduce P=6 f=1 correction=failure-proof start=overlapped": 1,
	} {
		require.Empty(t, explore(t, line, search.ExploreOptions{Faults: most}).Violations, line)
	}
}

// What a search runs is what the line that it prints runs, whatever the protocol, also where
// bytes cost something: nothing may be built for the faults of a line.
func TestTrialsAreTheRunsOfTheirLines(t *testing.T) {
	shorter := map[string]string{"samplesort": "n=500", "calibration": "rounds=20 warmup=2 bursts=2 trips=2 largest=4096"}
	for _, protocol := range All() {
		for _, machine := range []string{"P=8 G=1", "P=13 L=3 o=2 g=4 G=6 seed=5 faults=crash:7"} {
			run, err := ParseLine(fmt.Sprint(protocol.Name, " ", machine, " ", shorter[protocol.Name]))
			require.NoError(t, err)
			subject := run.Subject()
			trial, err := subject.NewTrial()
			require.NoError(t, err)
			m, err := emu.New(emu.Config{LogP: subject.Machine.LogP, Detection: subject.Machine.Detection, Trace: emu.TraceHash})
			require.NoError(t, err)
			for _, text := range []string{"none", "crash:3", "crash:3@after-send1", "hang:2@recv1,crash:5@t9", "slow:4x7,crash:1@send2", "crash:1,crash:3,crash:5"} {
				schedule := faults.MustParse(text)
				if trial.Prepare != nil {
					trial.Prepare()
				}
				report, err := m.Run(t.Context(), trial.Program, emu.Options{Faults: schedule, Seed: subject.Seed})
				require.NoError(t, err, "%v, faults %s", run, text)
				outcome := mustExecute(t, run.WithFaults(schedule), scenarios.Options{})
				require.Equal(t, outcome.Report.Hash, report.Hash, outcome.Line)
				require.Equal(t, outcome.Guarantees, trial.Judge(report), outcome.Line)
			}
		}
	}
}
