package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine writes the file of a machine with that latency.
func machine(t *testing.T, name string, latency int) {
	t.Helper()
	text := fmt.Sprintf("# of today\ntick = \"1us\"\nL = %d\n[measured]\nat = %d\n", latency, latency)
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func TestASweepOverMachines(t *testing.T) {
	slow, fast := filepath.Join(t.TempDir(), "slow.toml"), filepath.Join(t.TempDir(), "fast.toml")
	machine(t, slow, 500)
	machine(t, fast, 5)
	c := parse(t, fmt.Sprintf("name = \"x\"\nruns = 2\nline = \"broadcast P=8\"\n[[sweep]]\nkey = \"machine\"\nvalues = [%q, %q, \"none\"]\n", slow, fast))
	require.Equal(t, map[string]string{slow: "tick = \"1us\"\nL = 500\ng = 0\nG = 0\n", fast: "tick = \"1us\"\nL = 5\ng = 0\nG = 0\n"}, c.Machines)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, c.Run(context.Background(), file, Options{}))
	_, all, err := Summarize(protocols, file)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Greater(t, all[0].Quiescence.Mean(), 500.0)
	require.Less(t, all[1].Quiescence.Mean(), 500.0)
	require.Less(t, all[2].Quiescence.Mean(), all[1].Quiescence.Mean())
}

// Results of a machine whose file has changed do not go on where the others have ended.
func TestAnotherMachineIsAnotherCampaign(t *testing.T) {
	name := filepath.Join(t.TempDir(), "machine.toml")
	text := fmt.Sprintf("name = \"x\"\nruns = 2\nline = \"broadcast P=8 machine=%s\"\n", name)
	machine(t, name, 7)
	before := parse(t, text)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	require.NoError(t, before.Run(context.Background(), file, Options{}))
	require.NoError(t, os.WriteFile(name, []byte("# reworded\nL = 7\ntick = \"1us\"\n"), 0o644))
	require.NoError(t, parse(t, text).Run(context.Background(), file, Options{}))
	machine(t, name, 8)
	require.ErrorContains(t, parse(t, text).Run(context.Background(), file, Options{}), "is not a file of this campaign")
	require.NoError(t, os.Remove(name))
	_, err := Parse(protocols, text)
	require.ErrorContains(t, err, name)
	require.NoError(t, Merge(filepath.Join(t.TempDir(), "merged.ndjson"), []string{file}), "results are good without the file")
}

func TestLinesOfDifferentMachinesAreNotCompared(t *testing.T) {
	name := filepath.Join(t.TempDir(), "machine.toml")
	machine(t, name, 7)
	_, err := NewComparison(protocols, []string{"broadcast P=8 machine=" + name, "big P=8"}, 1, 0)
	require.ErrorContains(t, err, "machine="+name+" in one line and machine=none in another")
	both, err := NewComparison(protocols, []string{"broadcast P=8 machine=" + name, "big P=8 machine=" + name}, 1, 0)
	require.NoError(t, err)
	require.NoError(t, both.Run(t.Context(), Options{}))
	require.Len(t, both.Points, 2)
	words, short := common([]string{"broadcast machine=m P=8", "big P=8 machine=m"})
	require.Equal(t, "machine=m P=8", words)
	require.Equal(t, []string{"broadcast", "big"}, short)
}
