package catalog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// mustParse reads a line of the catalogue.
func mustParse(t *testing.T, line string) *scenarios.Run {
	t.Helper()
	run, err := ParseLine(line)
	require.NoError(t, err, line)
	return run
}

// mustExecute runs a line of the catalogue.
func mustExecute(t *testing.T, line string, opts scenarios.Options) *scenarios.Outcome {
	t.Helper()
	outcome, err := mustParse(t, line).Execute(t.Context(), opts)
	require.NoError(t, err)
	return outcome
}

// writeFile makes a file with that text, and returns its name.
func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "machine.toml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}
