//go:build unix

package campaign

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two processes that write one file would write over each other.
func TestAFileIsWrittenByOneProcessAtATime(t *testing.T) {
	c := parse(t, several)
	c.Runs = 2
	file := filepath.Join(t.TempDir(), "results.ndjson")
	first := true
	require.NoError(t, c.Run(context.Background(), file, Options{Workers: 1, Progress: func(int, int) {
		if first {
			require.ErrorContains(t, c.Run(context.Background(), file, Options{}), "is being written by another process")
		}
		first = false
	}}))
	require.NoError(t, c.Run(context.Background(), file, Options{}), "the lock ends with the file")
	require.Equal(t, runAll(t, c, Options{}), read(t, file))
}
