package command

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// traceTo runs a line and writes its trace to a file of that name.
func traceTo(t *testing.T, name, line string) (*scenarios.Outcome, string) {
	t.Helper()
	run, err := catalog.ParseLine(line)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	f := runFlags{trace: path}
	trace, err := f.openTrace(&app{})
	require.NoError(t, err)
	defer trace.abandon()
	outcome, err := run.Execute(context.Background(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err)
	require.NoError(t, f.writeTrace(trace, outcome, run.Experiment().Program.KindName))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	requireFiles(t, filepath.Dir(path), name)
	return outcome, string(text)
}

// perfetto is what tests look at in a trace for viewers.
type perfetto struct {
	OtherData   map[string]string
	TraceEvents []struct {
		Ph, Name, Cat string
		Dur           int64
	}
}

func readTimeline(t *testing.T, text string) (read perfetto) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	return read
}

func (l *perfetto) count(phase, category string) (n int64) {
	for _, e := range l.TraceEvents {
		if e.Ph == phase && e.Cat == category {
			n++
		}
	}
	return n
}

func TestTraceForViewers(t *testing.T) {
	outcome, text := traceTo(t, "run.json", "broadcast P=4 o=2 tick=100ns faults=crash:2@recv1,slow:1x3@t3")
	golden(t, "trace-viewer", text)
	read := readTimeline(t, text)
	assert.Equal(t, outcome.Line, read.OtherData["line"])
	assert.Equal(t, "crash:2@recv1,slow:1x3@t3", read.OtherData["faults"])
	assert.Equal(t, outcome.Report.Hash.String(), read.OtherData["hash"])
	assert.Equal(t, "shown as 1us, stands for 100ns", read.OtherData["tick"])
	assert.Equal(t, outcome.Report.Messages, read.count("X", "send"))
	assert.EqualValues(t, 4, read.count("i", "colouring"))
	assert.EqualValues(t, 2, read.count("i", "failure"))
}

func TestTraceForViewersLeavesOutColouringOfReductionsAndFaultsThatNeverFired(t *testing.T) {
	_, text := traceTo(t, "run.json", "reduce P=8 faults=slow:3x2@t9999")
	read := readTimeline(t, text)
	assert.Zero(t, read.count("i", "colouring"))
	assert.Zero(t, read.count("i", "failure"))
}

func TestRunWritesATraceForViewersToAFileThatEndsInJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	got := mangrove("run", "broadcast", "P=4", "o=2", "tick=100ns", "faults=crash:2@recv1,slow:1x3@t3", "--trace", path)
	require.Equal(t, 0, got.status, got.stderr)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	golden(t, "trace-viewer", string(text))
}

func TestOnlyNamesThatEndInJSONAreForViewers(t *testing.T) {
	for _, name := range []string{"run.ndjson", "run", "json", "run.json.txt"} {
		_, text := traceTo(t, name, "broadcast P=4")
		assert.NotEmpty(t, readTrace(t, text), name)
		assert.False(t, strings.HasPrefix(text, `{"otherData"`), name)
	}
}

func TestATraceForViewersThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir.json")
	require.NoError(t, os.Mkdir(dir, 0o777))
	for _, path := range []string{dir, filepath.Join(dir, "none", "run.json")} {
		got := mangrove("run", "broadcast", "P=4", "--trace", path)
		assert.Equal(t, 2, got.status)
		assert.Contains(t, got.stderr, "cannot write the trace to "+path)
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

func TestATraceIsNeverPutInPlaceOfADevice(t *testing.T) {
	got := mangrove("run", "broadcast", "P=2", "--trace", os.DevNull)
	require.Equal(t, 0, got.status, got.stderr)
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
}
