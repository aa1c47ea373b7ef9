package campaign

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestComputationsHaveTheTimeOfTheirResult(t *testing.T) {
	c := parse(t, "name = \"sorts\"\nline = \"samplesort P=4 n=40\"\nruns = 3\n[[sweep]]\nkey = \"strategy\"\nvalues = [\"tolerant\", \"plain\"]\n[[sweep]]\nkey = \"faults\"\nvalues = [\"crash:~1@t20\"]")
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(protocols, file)
	require.NoError(t, err)
	require.Equal(t, 3, all[0].Done.Len())
	require.Positive(t, all[0].Done.Min())
	require.Zero(t, all[1].Done.Len())
}

// Files of version 0.1.0 have another spelling, and are worth as much.
func TestRecordsOfTheFirstVersionAreRead(t *testing.T) {
	for _, key := range []string{"coloring", "colouring"} {
		var r Record
		require.NoError(t, json.Unmarshal([]byte(`{"job":3,"`+key+`":17,"quiescence":20}`), &r))
		require.Equal(t, 3, r.Job)
		require.Equal(t, clock.Time(17), *r.Colouring, key)
		require.Equal(t, clock.Time(20), r.Quiescence)
	}
}

// Who sends nothing round has nobody to miss.
func TestReductionsAreNotColoured(t *testing.T) {
	c := parse(t, "name = \"x\"\nlines = [\"reduce P=16\", \"broadcast P=16 correction=none faults=crash:1\"]\nruns = 3")
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(protocols, file)
	require.NoError(t, err)
	require.Zero(t, all[0].Colouring.Len()+all[0].Missed.Len()+all[0].Complete.Runs)
	require.Equal(t, 3, all[0].Quiescence.Len())
	require.Equal(t, 3, all[1].Missed.Len())
	require.Greater(t, all[1].Missed.Mean(), 0.0)
	require.Zero(t, all[1].Complete.Hits)
	require.Equal(t, 3, all[1].Held.Runs)
	require.NotEqual(t, all[1].RootExit.Mean(), all[1].Exit.Mean())
}
