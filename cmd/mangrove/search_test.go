package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExploreReportsTheSmallestSchedule(t *testing.T) {
	got := mangrove("explore", "broadcast", "P=8", "correction=none", "faults<=1")
	assert.Equal(t, 1, got.status)
	assert.Empty(t, got.stderr)
	golden(t, "explore-broken", got.stdout)
	line := reproducer(t, got.stdout)
	assert.Equal(t, 1, mangrove(append([]string{"run"}, strings.Fields(line)...)...).status, "pasting the line shows it")
	assert.Equal(t, 0, mangrove("explore", "broadcast P=8 faults<=2").status)
}

// reproducer finds the command that a report prints.
func reproducer(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\nmangrove run ")
	require.True(t, ok, text)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.ReplaceAll(line, "'", "")
}

func TestExploreAsJSON(t *testing.T) {
	got := mangrove("explore", "broadcast", "P=8", "correction=none", "--json", "--check")
	assert.Equal(t, 1, got.status)
	var result struct {
		Line                    string
		Covered, Runs, Distinct int64
		Violations              []struct{ Line string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result))
	assert.Equal(t, "broadcast P=8 correction=none", result.Line)
	assert.Equal(t, "broadcast P=8 correction=none faults=crash:1@t0", result.Violations[0].Line)
	assert.Greater(t, result.Covered, result.Runs)
}

// A finished state is not explored again, and belongs to one exploration only.
func TestExploreKeepsItsState(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.json")
	args := []string{"explore", "broadcast", "P=8", "correction=none", "--state", state}
	first := mangrove(args...)
	require.Equal(t, 1, first.status)
	require.FileExists(t, state)
	assert.Equal(t, first, mangrove(args...))
	other := mangrove("explore", "broadcast", "P=9", "--state", state)
	assert.Equal(t, 2, other.status)
	assert.Contains(t, other.stderr, "is the state of another exploration, broadcast P=8 correction=none faults<=1")
	require.NoError(t, os.WriteFile(state, []byte("{}"), 0o666))
	assert.Contains(t, mangrove(args...).stderr, "is not the state of an exploration")
}

func TestFuzzReportsLinesToPaste(t *testing.T) {
	args := []string{"fuzz", "broadcast", "P=32", "correction=opportunistic", "d=2", "--runs", "2000", "--workers", "1"}
	got := mangrove(args...)
	assert.Equal(t, 1, got.status)
	golden(t, "fuzz-broken", got.stdout)
	line := reproducer(t, got.stdout)
	assert.Equal(t, 1, mangrove(append([]string{"run"}, strings.Fields(line)...)...).status)
	calm := mangrove("fuzz", "broadcast", "P=16", "--runs", "500", "--max-faults", "1", "--json", "--check")
	assert.Equal(t, 0, calm.status)
	assert.Contains(t, calm.stdout, `"violations":[]`)
}

func TestShrinkPrintsASmallerLine(t *testing.T) {
	got := mangrove("shrink", "mangrove run broadcast P=300 correction=none faults=crash:~20")
	assert.Equal(t, result{"mangrove run broadcast correction=none P=4 faults=crash:1@t0\n" +
		"  reaches every live rank: rank 3 never reached\n  no deadlock: rank 3 waiting for ever\n" +
		strings.Split(got.stdout, "\n")[3] + "\n", "", 1}, got)
	held := mangrove("shrink", "broadcast P=8")
	assert.Equal(t, result{"the line breaks no guarantee\n", "", 0}, held)
}

func TestCheckRunsTwice(t *testing.T) {
	assert.Equal(t, 0, mangrove("run", "broadcast", "P=100", "--check").status)
	got := mangrove("run", "fickle", "P=2", "--check")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stderr, "the run does not repeat: hash ")
	assert.Contains(t, got.stderr, "replay: mangrove run fickle P=2")
}

func TestBadSearchesAreRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"explore", "broadcast", "faults<=0"}, `"faults<=0": want a number from 1 to 999`},
		{[]string{"explore", "broadcast", "faults<2"}, `"faults<2": want faults<= and a number`},
		{[]string{"explore", "broadcast", "faults=crash:1"}, `the faults are what is searched for; want 'faults<=N'`},
		{[]string{"explore", "broadcast", "--kinds", "crash,melt"}, `--kinds "melt", want some of [crash hang]`},
		{[]string{"explore", "broadcast", "--workers", "-1"}, `--workers -1, want 0 or more`},
		{[]string{"explore", "gossip"}, `unknown protocol "gossip"`},
		{[]string{"fuzz", "broadcast", "faults=crash:1"}, `want --max-faults for how many`},
		{[]string{"fuzz", "broadcast", "--max-faults", "0"}, `schedules of up to 0 faults, want 1 or more`},
		{[]string{"fuzz", "broadcast", "--runs", "-1"}, `-1 runs in 0s, want a limit of either`},
		{[]string{"fuzz", "broadcast", "--shrink", "-1"}, `--shrink -1, want 0 or more`},
		{[]string{"fuzz", "broadcast", "--kinds", "melt"}, `--kinds "melt", want some of [crash hang slow]`},
	} {
		got := mangrove(c.args...)
		assert.Equal(t, 2, got.status, c.args)
		assert.Contains(t, got.stderr, c.want)
		assert.Empty(t, got.stdout)
	}
}
