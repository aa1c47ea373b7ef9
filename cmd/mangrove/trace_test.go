package main

import (
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
