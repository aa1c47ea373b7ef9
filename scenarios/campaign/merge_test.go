package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMergedShardsAreTheWhole(t *testing.T) {
	c := parse(t, small)
	whole := runAll(t, c, Options{})
	for count := 1; count <= 7; count++ {
		folder := t.TempDir()
		var parts []string
		for i := count - 1; i >= 0; i-- {
			part := filepath.Join(folder, fmt.Sprint(i))
			require.NoError(t, c.Run(context.Background(), part, Options{Shard: Shard{i, count}}))
			parts = append(parts, part)
		}
		merged := filepath.Join(folder, "merged")
		require.NoError(t, Merge(merged, parts))
		require.Equal(t, string(whole), string(read(t, merged)), "%d shards", count)
	}
}

func TestMergeRefusesWhatDoesNotFit(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	c := parse(t, small)
	for i := range 2 {
		require.NoError(t, c.Run(context.Background(), path(fmt.Sprint("half", i)), Options{Shard: Shard{i, 2}}))
	}
	other := *c
	other.Seed++
	require.NoError(t, other.Run(context.Background(), path("other"), Options{Shard: Shard{1, 2}}))
	half := read(t, path("half1"))
	require.NoError(t, os.WriteFile(path("cut"), half[:len(half)-3], 0o644))
	require.NoError(t, os.WriteFile(path("noise"), []byte("{}\n"), 0o644))
	for _, test := range []struct {
		parts []string
		want  string
	}{
		{nil, "no parts to merge"},
		{[]string{"half0"}, "part 1/2 is missing"},
		{[]string{"half0", "half0"}, "is the same part as "},
		{[]string{"half0", "other"}, "is not a part of the same campaign as "},
		{[]string{"half0", "cut"}, "is not complete: run 29 is missing"},
		{[]string{"half0", "noise"}, "is not a file of results"},
		{[]string{"half0", "nowhere"}, "no such file"},
	} {
		var parts []string
		for _, name := range test.parts {
			parts = append(parts, path(name))
		}
		require.ErrorContains(t, Merge(path("merged"), parts), test.want)
		require.NoFileExists(t, path("merged"))
	}
	require.NoError(t, Merge(path("merged"), []string{path("half1"), path("half0")}))
	require.ErrorIs(t, Merge(path("merged"), []string{path("half1"), path("half0")}), os.ErrExist)
}
