package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// openIn lists the files of a folder that this process has open.
func openIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	const all = "/proc/self/fd"
	entries, err := os.ReadDir(all)
	require.NoError(t, err)
	for _, e := range entries {
		if name, err := os.Readlink(filepath.Join(all, e.Name())); err == nil && strings.HasPrefix(name, folder) {
			names = append(names, name)
		}
	}
	return names
}

// Whatever comes of it, no file stays open.
func TestFilesAreClosed(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which closes what nobody has closed
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	c := parse(t, small)
	require.NoError(t, os.WriteFile(path("noise"), []byte("{}\n"), 0o644))
	for i := range 2 {
		require.NoError(t, c.Run(t.Context(), path(fmt.Sprint("half", i)), Options{Shard: Shard{i, 2}}))
	}
	open, err := os.Open(path("noise"))
	require.NoError(t, err)
	require.Len(t, openIn(t, folder), 1, "the test sees open files")
	require.NoError(t, open.Close())
	for name, act := range map[string]func() error{
		"run":                     func() error { return c.Run(t.Context(), path("half0"), Options{Shard: Shard{0, 2}}) },
		"run, of another":         func() error { return c.Run(t.Context(), path("noise"), Options{}) },
		"count":                   func() error { _, err := doneIn(path("half0"), c, Shard{0, 2}); return err },
		"count, of another":       func() error { _, err := doneIn(path("half0"), c, Shard{1, 2}); return err },
		"merge":                   func() error { return Merge(path("merged"), []string{path("half0"), path("half1")}) },
		"merge, one is missing":   func() error { return Merge(path("other"), []string{path("half0")}) },
		"merge, one is another's": func() error { return Merge(path("other"), []string{path("half0"), path("noise")}) },
		"merge, into another":     func() error { return Merge(path("noise"), []string{path("half0"), path("half1")}) },
		"summarize":               func() error { _, _, err := Summarize(protocols, path("half0")); return err },
		"summarize another":       func() error { _, _, err := Summarize(protocols, path("noise")); return err },
	} {
		err := act()
		require.Equal(t, strings.ContainsAny(name, ", "), err != nil, "%s: %v", name, err)
		require.Empty(t, openIn(t, folder), name)
	}
}
