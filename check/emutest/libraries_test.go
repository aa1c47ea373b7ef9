package emutest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/guide"
)

// The code in the page about libraries is that of the adapter and of the example.
func TestCodeInThePageAboutLibrariesIsReal(t *testing.T) {
	var sources strings.Builder
	for _, folder := range []string{"protocols/statemachine", "examples/raft"} {
		files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			sources.WriteString(read(t, file))
		}
	}
	blocks := guide.Blocks(read(t, "../../docs/libraries.md"))
	require.Len(t, blocks, 5)
	for _, block := range blocks {
		require.Contains(t, sources.String(), block.Content)
	}
}
