package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// interruptedAfter runs a command line that the user ends after a while.
func interruptedAfter(wait time.Duration, args ...string) result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	time.AfterFunc(wait, cancel)
	return mangroveWith(ctx, testProtocols(), args...)
}

var broadcastOf24 = []string{"explore", "broadcast", "P=24", "correction=opportunistic", "d=2", "faults<=3"}

func TestInterruptedExplorationPrintsWhatItHasFound(t *testing.T) {
	got := interruptedAfter(300*time.Millisecond, broadcastOf24...)
	assert.Equal(t, 130, got.status)
	assert.Equal(t, "mangrove: interrupted\n", got.stderr)
	assert.Contains(t, got.stdout, "INTERRUPTED  after about ")
	assert.Contains(t, got.stdout, "\nBROKEN by ")
	assert.NotContains(t, got.stdout, "\nruns         0")
}

func TestInterruptedExplorationAsJSON(t *testing.T) {
	got := interruptedAfter(300*time.Millisecond, append(broadcastOf24, "--json")...)
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

func TestInterruptedExplorationKeepsItsState(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.json")
	args := append(broadcastOf24, "--state", state)
	first := interruptedAfter(300*time.Millisecond, args...)
	assert.Equal(t, 130, first.status)
	assert.Equal(t, "mangrove: interrupted, the same command goes on from here\n", first.stderr)
	require.FileExists(t, state)
	second := interruptedAfter(300*time.Millisecond, args...)
	assert.Greater(t, runsOf(t, second.stdout), runsOf(t, first.stdout))
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
	calm := interruptedAfter(200*time.Millisecond, "fuzz", "broadcast", "P=16", "--max-faults", "1", "--time", "1h")
	assert.Equal(t, 130, calm.status)
	assert.Equal(t, "mangrove: interrupted\n", calm.stderr)
	assert.Contains(t, calm.stdout, "INTERRUPTED  after ")
	broken := interruptedAfter(200*time.Millisecond, "fuzz", "broadcast", "P=16", "correction=none", "--time", "1h", "--json")
	assert.Equal(t, 1, broken.status)
	assert.Contains(t, broken.stdout, `"interrupted":true`)
	assert.Contains(t, broken.stdout, `"violations":[{"line":"broadcast P=16 correction=none faults=`)
}
