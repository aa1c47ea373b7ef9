package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// module writes a module of one package and returns where it begins.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module example.com/tiny\n\ngo 1.26\n"
	for name, text := range files {
		name = filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	return root
}

// mistakesOf are all mistakes of a package with one file of this text.
func mistakesOf(t *testing.T, text string) (*unit, []mutant) {
	t.Helper()
	root := module(t, map[string]string{"tiny/tiny.go": "package tiny\n\n" + text})
	units, err := load(root, []string{"./..."})
	require.NoError(t, err)
	require.Len(t, units, 1)
	all, err := units[0].mutants(root)
	require.NoError(t, err)
	return units[0], all
}

// afters are the lines that mistakes make.
func afters(mutants []mutant) []string {
	var lines []string
	for _, m := range mutants {
		lines = append(lines, m.after())
	}
	return lines
}
