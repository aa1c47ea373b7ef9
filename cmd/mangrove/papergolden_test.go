package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What experiments print that take no time. Documents contain it.
func TestGoldenPapers(t *testing.T) {
	home, err := os.Getwd()
	require.NoError(t, err)
	for _, name := range []string{"collective-size", "collective-reduce", "tpch-q3", "membership-bgl"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && (name == "tpch-q3" || name == "collective-reduce") {
				t.Skip("hundreds of runs, which is too much for the race detector")
			}
			t.Chdir(t.TempDir())
			got := mangrove("paper", name)
			assert.Zero(t, got.status, got.stderr)
			goldenHere(t, home, "paper-"+name, got.stdout)
			for _, format := range []string{"csv", "svg", "png"} {
				assert.FileExists(t, "paper/"+name+"."+format)
			}
		})
	}
}
