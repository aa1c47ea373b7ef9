package campaign

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// damages are what may happen to the lines of a file of results: the first names the campaign, the others are
// its records in order.
var damages = map[string]func(lines [][]byte) [][]byte{
	"first record missing":    func(l [][]byte) [][]byte { return slices.Delete(l, 1, 2) },
	"a record missing":        func(l [][]byte) [][]byte { return slices.Delete(l, 3, 4) },
	"several records missing": func(l [][]byte) [][]byte { return slices.Delete(l, 3, 6) },
	"last but one missing":    func(l [][]byte) [][]byte { return slices.Delete(l, len(l)-2, len(l)-1) },
	"a record twice":          func(l [][]byte) [][]byte { return slices.Insert(l, 3, l[3]) },
	"the last record twice":   func(l [][]byte) [][]byte { return append(l, l[len(l)-1]) },
	"two records swapped":     func(l [][]byte) [][]byte { l[3], l[4] = l[4], l[3]; return l },
	"an empty line":           func(l [][]byte) [][]byte { return slices.Insert(l, 3, []byte("\n")) },
	"no record":               func(l [][]byte) [][]byte { return slices.Insert(l, 3, []byte("{}\n")) },
	"a word for a number": func(l [][]byte) [][]byte {
		l[3] = bytes.Replace(l[3], []byte(`"messages":`), []byte(`"messages":"x","hash":`), 1)
		return l
	},
	"the campaign named twice": func(l [][]byte) [][]byte { return slices.Insert(l, 1, l[0]) },
}

// linesOf are those of a file of results.
func linesOf(text []byte) [][]byte {
	return slices.Collect(bytes.Lines(text))
}

// damaged are the files that come of one of results, by what has happened to it.
func damaged(t *testing.T, whole []byte) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for name, damage := range damages {
		files[name] = filepath.Join(t.TempDir(), "results.ndjson")
		require.NoError(t, os.WriteFile(files[name], slices.Concat(damage(linesOf(whole))...), 0o644))
	}
	return files
}

// Nobody goes on from a file whose records are not those of the first runs, nor counts or sums them up.
func TestAFileWithDamagedRecordsIsLeftAlone(t *testing.T) {
	c := parse(t, small)
	for _, shard := range []Shard{{0, 1}, {1, 3}} {
		whole := runAll(t, c, Options{Shard: shard})
		interrupted := slices.Concat(linesOf(whole)[:8]...)
		for _, text := range [][]byte{whole, interrupted} {
			for name, file := range damaged(t, text) {
				requireLeftAlone(t, c, shard, file, name)
			}
		}
	}
}

// requireLeftAlone makes sure that a file is refused by all who read it, and not changed.
func requireLeftAlone(t *testing.T, c *Campaign, shard Shard, file, name string) {
	t.Helper()
	before := read(t, file)
	require.ErrorContains(t, c.Run(context.Background(), file, Options{Shard: shard}), " is not that of run ", name)
	require.Equal(t, string(before), string(read(t, file)), name)
	_, _, err := c.Estimate(context.Background(), file, Options{Shard: shard})
	require.ErrorContains(t, err, " is not that of run ", name)
	_, _, err = Summarize(protocols, file)
	require.ErrorContains(t, err, " is not that of a run", name)
}

// A campaign that was made shorter has records of runs that it does not have any more, under the right numbers.
func TestAFileWithMoreRecordsThanRunsIsLeftAlone(t *testing.T) {
	c := parse(t, small)
	for shard, extra := range map[Shard]string{{0, 1}: `{"job":30,"point":6}`, {1, 3}: `{"job":31,"point":6}`} {
		file := filepath.Join(t.TempDir(), "results.ndjson")
		require.NoError(t, os.WriteFile(file, append(runAll(t, c, Options{Shard: shard}), extra+"\n"...), 0o644))
		requireLeftAlone(t, c, shard, file, extra)
	}
}

// Who only sums up does not know which point a run must be of, but there must be one.
func TestRecordsOfNoPointAreNotSummarized(t *testing.T) {
	c := parse(t, small)
	for point, good := range map[int]bool{-1: false, 0: true, 5: true, 6: false} {
		file := filepath.Join(t.TempDir(), "results.ndjson")
		require.NoError(t, os.WriteFile(file, append(c.head(Shard{0, 1}), fmt.Sprintf("{\"job\":0,\"point\":%d}\n", point)...), 0o644))
		_, _, err := Summarize(protocols, file)
		require.Equal(t, good, err == nil, "point %d: %v", point, err)
	}
}

// Half of the runs are missing in the file of another shard, and those that are there are the wrong ones.
func TestAFileOfAnotherShardIsLeftAlone(t *testing.T) {
	c := parse(t, small)
	shards := []Shard{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {2, 3}}
	for _, of := range shards {
		file := filepath.Join(t.TempDir(), "results.ndjson")
		require.NoError(t, c.Run(context.Background(), file, Options{Shard: of}))
		before := read(t, file)
		for _, wanted := range shards {
			err := c.Run(context.Background(), file, Options{Shard: wanted})
			_, _, estimated := c.Estimate(context.Background(), file, Options{Shard: wanted})
			if wanted == of {
				require.NoError(t, err)
				require.NoError(t, estimated)
				continue
			}
			require.ErrorContains(t, err, "is not a file of this campaign and shard", "%v instead of %v", of, wanted)
			require.ErrorContains(t, estimated, "is not a file of this campaign and shard", "%v instead of %v", of, wanted)
			require.Equal(t, string(before), string(read(t, file)))
		}
	}
}

// A device has no results to go on with, and some have no end.
func TestResultsAreInAnOrdinaryFile(t *testing.T) {
	var wrong *FileError
	require.ErrorAs(t, parse(t, small).Run(context.Background(), os.DevNull, Options{}), &wrong)
	require.Contains(t, wrong.Problem, "is not an ordinary file")
}

func TestMergeRefusesDamagedParts(t *testing.T) {
	c := parse(t, small)
	folder := t.TempDir()
	good := filepath.Join(folder, "good")
	require.NoError(t, c.Run(context.Background(), good, Options{Shard: Shard{0, 2}}))
	for name, file := range damaged(t, runAll(t, c, Options{Shard: Shard{1, 2}})) {
		merged := filepath.Join(folder, "merged")
		var wrong *FileError
		require.ErrorAs(t, Merge(merged, []string{good, file}), &wrong, name)
		require.Equal(t, file, wrong.File, name)
		require.NoFileExists(t, merged, name)
	}
}

// The first line says which part a file is. One whose records are those of another part, and one of as many
// parts as there are not, do not fit.
func TestMergeRefusesRecordsOfAnotherShard(t *testing.T) {
	c := parse(t, small)
	folder := t.TempDir()
	of := func(s Shard) [][]byte { return linesOf(runAll(t, c, Options{Shard: s})) }
	write := func(name string, lines ...[]byte) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, slices.Concat(lines...), 0o644))
		return path
	}
	zero, one, third := of(Shard{0, 2}), of(Shard{1, 2}), of(Shard{1, 3})
	for name, c := range map[string]struct {
		second string
		says   string
	}{
		"records of the other part":  {write("other", append([][]byte{one[0]}, zero[1:]...)...), "a line is not that of run 1"},
		"first record of the other":  {write("first", append([][]byte{one[0], zero[1]}, one[2:]...)...), "a line is not that of run 1"},
		"one of three parts":         {write("third", third...), "is not a part of the same campaign as "},
		"records of a part of three": {write("mixed", append([][]byte{one[0]}, third[1:]...)...), "a line is not that of run 3"},
	} {
		merged := filepath.Join(folder, "merged")
		require.ErrorContains(t, Merge(merged, []string{write("zero", zero...), c.second}), c.says, name)
		require.NoFileExists(t, merged, name)
	}
}
