package campaign

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
)

// Wherever a campaign was killed, its file is in the end that of one that was not.
func TestAKilledCampaignIsResumedFromEveryByte(t *testing.T) {
	c := parse(t, small)
	c.Runs, c.Sweep = 2, c.Sweep[1:]
	whole := runAll(t, c, Options{})
	file := filepath.Join(t.TempDir(), "results.ndjson")
	for n := 0; n <= len(whole); n += thorough.Stride(17) {
		require.NoError(t, os.WriteFile(file, whole[:n], 0o644))
		require.NoError(t, c.Run(context.Background(), file, Options{Workers: 2}))
		require.Equal(t, string(whole), string(read(t, file)), "killed after %d bytes", n)
	}
}

// What is told to be done is in the file, whatever happens to the process next.
func TestEveryRecordIsWrittenAtOnce(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	told := 0
	require.NoError(t, c.Run(context.Background(), file, Options{Workers: 2, Progress: func(done, of int) {
		told++
		require.Equal(t, []int{told, c.Jobs()}, []int{done, of})
		require.Equal(t, 1+done, bytes.Count(read(t, file), []byte("\n")), "the line that names the campaign, and the runs")
	}}))
	require.Equal(t, c.Jobs(), told)
}

// Files that were begun by other versions are gone on with, so their first line must not change.
func TestFirstLinesOfFilesAreAsBefore(t *testing.T) {
	require.Equal(t, `{"campaign":{"name":"small","line":"broadcast P=16","sweep":[{"key":"tree","values":["binomial","lame"]},`+
		`{"key":"faults","values":["none","crash:10%","crash:~3@t5"]}],"runs":5,"seed":3},"digest":"0115899ecc188b92","shard":{"index":0,"count":1}}`+"\n",
		string(parse(t, small).head(Shard{0, 1})))
	require.Equal(t, `{"campaign":{"name":"several","lines":["broadcast tree=lame","gossip"],"sweep":[{"key":"P","values":["16","32 faults=crash:~2"]}],`+
		`"runs":60,"seed":0},"digest":"47a88803a3b5941b","shard":{"index":1,"count":3}}`+"\n", string(parse(t, several).head(Shard{1, 3})))
}

// Results are for everybody to read, unless the user's mask forbids it, and no programs.
func TestResultsAreNoPrograms(t *testing.T) {
	c := parse(t, small)
	file, merged := filepath.Join(t.TempDir(), "results.ndjson"), filepath.Join(t.TempDir(), "merged.ndjson")
	require.NoError(t, c.Run(t.Context(), file, Options{}))
	require.NoError(t, Merge(merged, []string{file}))
	for _, name := range []string{file, merged} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&^0o644, name)
	}
}

// Neither is a folder a file of results, nor is there one in a file, and nobody writes to a file that is only read.
func TestFilesThatCannotBeUsedAreRefused(t *testing.T) {
	c := parse(t, small)
	folder := t.TempDir()
	file := filepath.Join(folder, "results.ndjson")
	require.NoError(t, os.WriteFile(file, runAll(t, c, Options{}), 0o644))
	for _, name := range []string{folder, filepath.Join(file, "x")} {
		require.Error(t, c.Run(t.Context(), name, Options{}), name)
		_, _, err := c.Estimate(t.Context(), name, Options{})
		require.Error(t, err, name)
		_, _, err = Summarize(protocols, name)
		require.Error(t, err, name)
	}
	require.ErrorIs(t, c.Run(t.Context(), filepath.Join(folder, "none", "x"), Options{}), os.ErrNotExist)
	runs, _, err := c.Estimate(t.Context(), filepath.Join(folder, "none", "x"), Options{})
	require.NoError(t, err)
	require.Equal(t, c.Jobs(), runs)

	opened, err := os.Open(file)
	require.NoError(t, err)
	defer opened.Close()
	r := &results{file: opened}
	require.Error(t, r.resume(file, c, Shard{0, 1}))
	count := r.count
	require.Error(t, r.add(Record{}))
	require.Equal(t, count, r.count)
}

func TestAFileOfAnotherCampaignIsLeftAlone(t *testing.T) {
	c := parse(t, small)
	file := filepath.Join(t.TempDir(), "results.ndjson")
	for _, text := range []string{"important notes", "{}\n"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		require.ErrorContains(t, c.Run(context.Background(), file, Options{}), "is not a file of this campaign and shard")
		require.Equal(t, text, string(read(t, file)))
	}
	whole := runAll(t, c, Options{})
	changed := append(append([]byte(nil), whole...), "{\"job\":99}\n"...)
	require.NoError(t, os.WriteFile(file, changed, 0o644))
	require.ErrorContains(t, c.Run(context.Background(), file, Options{}), "line 32 is not that of run 30")
	require.Equal(t, string(changed), string(read(t, file)))
}
