package campaign

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesOfResults(t *testing.T) {
	require.Equal(t, "x.ndjson", Shard{}.FileName("x"))
	require.Equal(t, "x-1-of-4.ndjson", Shard{Index: 1, Count: 4}.FileName("x"))
	require.Equal(t, "x.ndjson", Shard{Index: 0, Count: 1}.FileName("x"))
}

func TestShardsAreReadAsTheyAreWritten(t *testing.T) {
	s, err := ParseShard("1/4")
	require.NoError(t, err)
	require.Equal(t, Shard{Index: 1, Count: 4}, s)
	for _, bad := range []string{"", "1", "4/4", "-1/4", "0/0", "a/b", "1/2/3"} {
		_, err := ParseShard(bad)
		require.ErrorContains(t, err, "want i/n with i from 0 to n-1", bad)
	}
}

func TestShardsThatDoNotExistAreRefused(t *testing.T) {
	c := parse(t, small)
	for _, s := range []Shard{{2, 2}, {-1, 2}, {0, -1}, {1, 0}} {
		require.ErrorContains(t, c.Run(context.Background(), filepath.Join(t.TempDir(), "x"), Options{Shard: s}), "want 0/n to n-1/n", "%v", s)
	}
}
