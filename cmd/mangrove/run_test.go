package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// jsonOutcome is what tests look at in the JSON of an outcome.
type jsonOutcome struct {
	Line       string
	Held       bool
	Error      string
	Tick       *int64 `json:"tick_ns"`
	Guarantees []struct {
		Name     string
		Held     bool
		Evidence string
	}
	Report struct {
		Messages   int64
		Colouring  int64
		Quiescence int64
		Hash       string
		Faults     string
		Ranks      []struct {
			Outcome  string
			Coloured *int64
		}
	}
}

func runJSON(t *testing.T, status int, args ...string) (outcome jsonOutcome) {
	t.Helper()
	got := mangrove(args...)
	require.Equal(t, status, got.status, got.stderr)
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &outcome), got.stdout)
	return outcome
}

func TestJSONHasTheWholeOutcome(t *testing.T) {
	outcome := runJSON(t, 0, "run", "broadcast", "P=65536", "--json")
	assert.Equal(t, "broadcast P=65536", outcome.Line)
	assert.True(t, outcome.Held)
	assert.Equal(t, int64(393215), outcome.Report.Messages)
	assert.Equal(t, int64(64), outcome.Report.Colouring)
	assert.Equal(t, int64(72), outcome.Report.Quiescence)
	assert.Len(t, outcome.Report.Ranks, 65536)
	assert.Len(t, outcome.Guarantees, 2)
}

func TestJSONSaysWhatATickStandsFor(t *testing.T) {
	outcome := runJSON(t, 0, "run", "broadcast", "P=64", "L=4.6us", "tick=0.1us", "--json")
	require.NotNil(t, outcome.Tick)
	assert.Equal(t, int64(100), *outcome.Tick)
	assert.Equal(t, int64(288), outcome.Report.Colouring, "still in ticks")
	assert.Nil(t, runJSON(t, 0, "run", "broadcast", "P=64", "--json").Tick)
}

func TestJSONOfBrokenAndFailedRuns(t *testing.T) {
	broken := runJSON(t, 1, "run", "broadcast", "P=4", "correction=none", "faults=crash:1", "--json")
	assert.False(t, broken.Held)
	assert.Equal(t, "crash:1@t0", broken.Report.Faults)
	assert.Nil(t, broken.Report.Ranks[3].Coloured)
	assert.Contains(t, mangrove("run", "broadcast", "P=4", "correction=none", "faults=crash:1", "--json").stderr,
		"replay: mangrove run broadcast P=4 correction=none faults=crash:1\n")

	failed := runJSON(t, 1, "run", "panics", "P=4", "--json")
	assert.Equal(t, "panics P=4", failed.Line)
	assert.False(t, failed.Held)
	assert.Contains(t, failed.Error, "boom")
}

func TestTheSameLineGivesTheSameHashForAnyNumberOfWorkers(t *testing.T) {
	const line = "broadcast P=500 L=3 o=2 seed=11 faults=crash:2%,slow:~3x2,hang:7@send1"
	first := runJSON(t, 0, "run", line, "--json")
	assert.Len(t, first.Report.Hash, 16)
	for _, workers := range []string{"1", "2", "7"} {
		again := runJSON(t, 0, "replay", "--workers", workers, line, "--json")
		assert.Equal(t, first.Report.Hash, again.Report.Hash, "%s workers", workers)
	}
}

func TestFlagsMayStandAnywhere(t *testing.T) {
	want := runJSON(t, 0, "run", "broadcast", "P=8", "faults=crash:~2", "--json")
	for _, args := range [][]string{
		{"run", "--json", "broadcast", "P=8", "faults=crash:~2"},
		{"run", "broadcast", "--json", "P=8", "--workers=2", "faults=crash:~2"},
		{"replay", "--json", "broadcast P=8 faults=crash:~2"},
		{"replay", "broadcast", "P=8", "faults=crash:~2", "--json"},
		{"run", "--json", "--", "broadcast", "P=8", "faults=crash:~2"},
	} {
		got := runJSON(t, 0, args...)
		assert.Equal(t, want.Report.Hash, got.Report.Hash)
		assert.Equal(t, "broadcast P=8 faults=crash:~2", got.Line)
	}
}

// readTrace reads a trace and fails if it is not one JSON object a line.
func readTrace(t *testing.T, text string) []map[string]any {
	t.Helper()
	var events []map[string]any
	scanner := bufio.NewScanner(strings.NewReader(text))
	for scanner.Scan() {
		var event map[string]any
		require.NoError(t, json.Unmarshal(scanner.Bytes(), &event))
		events = append(events, event)
	}
	require.NoError(t, scanner.Err())
	return events
}

func TestTraceIsOneJSONObjectALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.ndjson")
	got := mangrove("run", "broadcast", "P=4", "faults=crash:2@recv1", "--trace", path)
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "broadcast P=4")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	golden(t, "trace", string(text))

	sends := 0
	for _, e := range readTrace(t, string(text)) {
		require.Contains(t, e, "t")
		require.Contains(t, e, "rank")
		if e["event"] == "send" {
			assert.Contains(t, []any{"tree", "left", "right"}, e["kind"])
			require.Contains(t, e, "peer")
			sends++
		}
	}
	assert.Contains(t, got.stdout, "messages     "+jsonNumber(t, sends)+"\n")
}

func jsonNumber(t *testing.T, n int) string {
	t.Helper()
	text, err := json.Marshal(n)
	require.NoError(t, err)
	return string(text)
}

func TestTraceOnStandardOutputLeavesTheReportToStandardError(t *testing.T) {
	got := mangrove("run", "broadcast", "P=4", "--trace", "-")
	require.Equal(t, 0, got.status)
	assert.NotEmpty(t, readTrace(t, got.stdout))
	assert.Contains(t, got.stderr, "colouring    t=8\n")
}

func TestABrokenRunHasATrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.ndjson")
	require.Equal(t, 1, mangrove("run", "broadcast", "P=4", "correction=none", "faults=crash:1", "--trace", path).status)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotEmpty(t, readTrace(t, string(text)))
}

func TestATraceReplacesAnOlderOneOnlyIfTheRunSucceeds(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "events.ndjson")
	link := filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(path, []byte("precious"), 0o600))
	require.NoError(t, os.Symlink(path, link))

	for _, args := range [][]string{
		{"run", "panics", "P=1", "--trace", link},
		{"run", "broadcast", "P=0", "--trace", link},
		{"run", "broadcast", "--workers", "-1", "--trace", link},
	} {
		require.NotEqual(t, 0, mangrove(args...).status)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "precious", string(text))
		requireFiles(t, dir, "events.ndjson", "link")
	}

	require.Equal(t, 0, mangrove("run", "broadcast", "P=2", "--trace", link).status)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotEmpty(t, readTrace(t, string(text)))
	requireFiles(t, dir, "events.ndjson", "link")
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the mode of the older file")
	target, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, path, target, "the link is still there")
}

func requireFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, want, names)
}

func TestATraceIsNeverPutInPlaceOfADevice(t *testing.T) {
	got := mangrove("run", "broadcast", "P=2", "--trace", os.DevNull)
	require.Equal(t, 0, got.status, got.stderr)
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
}

func TestProfilesAreWrittenToTheCurrentDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	for kind, file := range map[string]string{"cpu": "cpu.pprof", "mem": "mem.pprof", "trace": "trace.out"} {
		got := mangrove("run", "broadcast", "P=64", "--profile", kind)
		require.Equal(t, 0, got.status, got.stderr)
		assert.Equal(t, "mangrove: profile in "+file+"\n", got.stderr)
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.NotZero(t, info.Size(), file)
	}
	require.NoError(t, os.Remove("mem.pprof"))
	require.NoError(t, os.Mkdir("mem.pprof", 0o777))
	got := mangrove("run", "broadcast", "P=64", "--profile", "mem")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.stderr, "cannot write the profile")
}
