package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var broadcastOf24 = []string{"explore", "broadcast", "P=24", "correction=opportunistic", "d=2", "faults<=3"}

func TestInterruptedExplorationPrintsWhatItHasFound(t *testing.T) {
	got := interruptedInRun(2000, broadcastOf24...)
	assert.Equal(t, 130, got.status)
	assert.Equal(t, "mangrove: interrupted\n", got.stderr)
	assert.Contains(t, got.stdout, "INTERRUPTED  after about ")
	assert.Contains(t, got.stdout, "\nBROKEN by ")
	assert.NotContains(t, got.stdout, "\nruns         0")
}

func TestInterruptedExplorationAsJSON(t *testing.T) {
	got := interruptedInRun(2000, append(broadcastOf24, "--json")...)
	assert.Equal(t, 130, got.status)
	var result struct {
		Interrupted bool
		Done        float64
		Runs        int64
		Violations  []struct{ Line string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result))
	assert.True(t, result.Interrupted)
	assert.Positive(t, result.Runs)
	assert.NotEmpty(t, result.Violations)
	assert.Greater(t, 1.0, result.Done)
}

// telling is a registry whose broadcasts tell how many runs of them have begun.
func telling(tell func(runs int64)) scenarios.Registry {
	var runs atomic.Int64
	registry := testProtocols()
	build := registry[0].Build
	registry[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := build(s)
		e.State = scenarios.PerRank[int]{Forget: func() { tell(runs.Add(1)) }}
		return e, err
	}
	return registry
}

// interruptedInRun runs a command line about a broadcast that the user ends in the n-th run.
func interruptedInRun(n int64, args ...string) result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return mangroveWith(ctx, telling(func(runs int64) {
		if runs == n {
			cancel()
		}
	}), args...)
}

// However often it is interrupted, an exploration tells the same in the end as one that was not.
func TestInterruptedExplorationKeepsItsState(t *testing.T) {
	args := []string{"explore", "broadcast", "P=10", "numbering=in-order", "correction=opportunistic", "d=2", "faults<=2"}
	want := mangrove(args...)
	require.Equal(t, 1, want.status)
	all := runsOf(t, want.stdout)

	state := filepath.Join(t.TempDir(), "state.json")
	args = append(args, "--state", state)
	done := 0
	for range 3 {
		got := interruptedInRun(int64(all/4), args...)
		require.Equal(t, 130, got.status)
		assert.Equal(t, "mangrove: interrupted, the same command goes on from here\n", got.stderr)
		require.FileExists(t, state)
		assert.Greater(t, runsOf(t, got.stdout), done)
		done = runsOf(t, got.stdout)
	}
	assert.Less(t, done, all)
	var made atomic.Int64
	count := func(int64) { made.Add(1) }
	assert.Equal(t, want, mangroveWith(t.Context(), telling(count), args...))
	assert.Less(t, made.Swap(0), int64(all), "it did not begin anew")
	assert.Equal(t, want, mangroveWith(t.Context(), telling(count), args...))
	assert.EqualValues(t, 1, made.Load(), "there was nothing left to do")
}

// runsOf is how many runs a report tells of.
func runsOf(t *testing.T, report string) (n int) {
	t.Helper()
	_, rest, ok := strings.Cut(report, "\nruns         ")
	require.True(t, ok, report)
	text, _, _ := strings.Cut(rest, ",")
	require.NoError(t, json.Unmarshal([]byte(text), &n))
	return n
}

// An exploration that is over before the user ends it is complete.
func TestEndedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, command := range []string{"explore", "fuzz", "shrink", "run"} {
		got := mangroveWith(ctx, testProtocols(), command, "broadcast", "P=8")
		assert.Equal(t, result{"", "mangrove: interrupted\n", 130}, got, command)
	}
}

func TestInterruptedFuzzPrintsWhatItHasFound(t *testing.T) {
	calm := interruptedInRun(200, "fuzz", "broadcast", "P=16", "--max-faults", "1", "--time", "1h")
	assert.Equal(t, 130, calm.status)
	assert.Equal(t, "mangrove: interrupted\n", calm.stderr)
	assert.Contains(t, calm.stdout, "INTERRUPTED  after ")
	broken := interruptedInRun(200, "fuzz", "broadcast", "P=16", "correction=none", "--time", "1h", "--json")
	assert.Equal(t, 1, broken.status)
	assert.Contains(t, broken.stdout, `"interrupted":true`)
	assert.Contains(t, broken.stdout, `"violations":[{"line":"broadcast P=16 correction=none faults=`)
}
