package command

import (
	"encoding/json"
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
	assert.Len(t, outcome.Guarantees, 3)
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
