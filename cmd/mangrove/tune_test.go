package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// The lines that tune prints do what was planned, whatever the machine.
func TestTunedLinesDoWhatWasPlanned(t *testing.T) {
	for _, words := range []string{"N=64", "N=200 g=4", "N=90 L=7 o=3 g=5 failures=3", "N=40 f=2 delta=0.001"} {
		tuned, err := catalog.TuneGossip([]string{words})
		require.NoError(t, err)
		require.Len(t, tuned.Plans, 4)
		for _, plan := range tuned.Plans {
			line := tunedLine(tuned, plan)
			run, err := catalog.ParseLine(line)
			require.NoError(t, err)
			outcome, err := run.Execute(t.Context(), scenarios.Options{})
			require.NoError(t, err)
			assert.True(t, outcome.Held(), line)
			want := []scenarios.Detail{{Name: "gossip", Text: fmt.Sprintf("until T=%d", plan.GossipEnd)}}
			if plan.Variant == tuning.Opportunistic {
				want = append(want, scenarios.Detail{Name: "correction", Text: fmt.Sprintf("%d messages each", plan.Corrections)})
				assert.Equal(t, plan.Latency, outcome.Report.Quiescence, line)
			}
			assert.Equal(t, want, outcome.Details, line)
			if plan.Variant == tuning.FailureProof {
				assert.Contains(t, line, fmt.Sprintf(" f=%d ", tuned.OnlineFailures))
			}
		}
	}
}

func TestTuneSaysWhatItWants(t *testing.T) {
	for _, c := range []struct{ words, stderr string }{
		{"tune", `tune "": want tune gossip`},
		{"tune trees", `tune "trees": want tune gossip`},
		{"tune gossip N=1", `"N=1": want a number from 2 to 16777216`},
		{"paper", "no name, want all or some of: trees-fig1b"},
		{"paper nothing", `paper "nothing": want trees-fig1b`},
		{"paper gossip-table --runs -1", "--runs -1: want a whole number from 0 to 1000000000"},
	} {
		got := mangrove(strings.Fields(c.words)...)
		assert.Equal(t, statusInput, got.status, c.words)
		assert.Contains(t, got.stderr, c.stderr, c.words)
	}
	got := mangrove("tune", "gossip", "N=64", "--json")
	assert.Equal(t, statusHeld, got.status)
	assert.Contains(t, got.stdout, `"variant":"ccg","T":`)
}

func TestPapersAreMadeAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	got := mangrove("paper", "gossip-fig5", "--runs", "1")
	require.Equal(t, statusHeld, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\n24          34 ")
	assert.Contains(t, got.stdout, "the last rank is done")
}

// Ranks that wait are deadlocked only if the guarantee about deadlocks says so.
func TestExcusedRanksWait(t *testing.T) {
	got := mangrove("run", "broadcast", "P=8", "correction=none", "faults=crash:0@after-send1")
	assert.Equal(t, statusBroken, got.status)
	assert.Contains(t, got.stdout, "waiting")
	assert.NotContains(t, got.stdout, "deadlocked")
}
