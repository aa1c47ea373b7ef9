package catalog_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// A line means the same run for ever: every protocol, every kind of fault, every table of values. The
// files have a hash and a line in each row; a row is added by writing a line with any hash, and
// the test says which one is right. It is never changed for a line that is there already, unless
// what the model means has been changed on purpose.
func TestLinesAreTheSameRunsForEver(t *testing.T) {
	named := requireHashes(t, "testdata/hashes.golden")
	require.ElementsMatch(t, catalog.All().Names(), slices.Collect(maps.Keys(named)))
}

// The same of lines that nobody would write: what was made up at random goes where no example leads, such as members that
// take each other for failed while a root is replaced.
func TestMadeUpLinesAreTheSameRunsForEver(t *testing.T) {
	requireHashes(t, "testdata/madeup.golden")
}

// requireHashes runs the lines of a file and returns the protocols that they name.
func requireHashes(t *testing.T, file string) (named map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	named = make(map[string]bool)
	for row := range strings.Lines(string(text)) {
		hash, words, _ := strings.Cut(strings.TrimSuffix(row, "\n"), " ")
		run, err := catalog.ParseLine(words)
		require.NoError(t, err, words)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err, words)
		require.Equal(t, hash, fmt.Sprint(outcome.Report.Hash), words)
		named[run.Protocol().Name] = true
	}
	return named
}
