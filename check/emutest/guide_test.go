package emutest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/guide"
)

// The guide is followed to the letter, in an empty folder: its files are written, its commands
// run, and what these print must be what the guide shows, but for how long it took.
func TestGuideIsTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the module of the guide")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	r := &guide.Reader{Root: root, Folder: t.TempDir(), Commands: []string{"go test ", "cat "}}
	document := filepath.Join(root, "docs", "testing-your-protocol.md")
	text := read(t, document)
	commands := 0
	for _, block := range guide.Blocks(text) {
		said, err := r.Do(t.Context(), block)
		require.NoError(t, err)
		if said != nil {
			requireTrue(t, said, document)
			commands++
		}
	}
	require.Equal(t, 12, commands)
	serverWithoutLinger(t, r, text)
	for _, file := range []string{"decide.go", "decide_test.go", "conversation.go", "conversation_test.go"} { // who follows the guide ends with the example
		require.Equal(t, read(t, filepath.Join(root, "examples", "decide", file)), read(t, filepath.Join(r.Folder, file)))
	}
}

// serverWithoutLinger sees what the guide says of a server that waits in Recv.
func serverWithoutLinger(t *testing.T, r *guide.Reader, text string) {
	require.NoError(t, r.Replace("counter/counter.go", regexp.MustCompile(`p\.Linger`), "p.Recv"))
	deadlock := regexp.MustCompile("rank 0 waiting[^`]*").FindString(text)
	require.NotEmpty(t, deadlock)
	output, status, err := r.Run(t.Context(), "go test ./counter")
	require.NoError(t, err)
	require.NotZero(t, status)
	require.Contains(t, output, "broken: no deadlock")
	require.Contains(t, output, deadlock)
}

// requireTrue makes sure that a command prints what a document shows, or makes the document show it with -update.
func requireTrue(t *testing.T, said *guide.Said, document string) {
	t.Helper()
	if *update && !said.True() {
		require.NoError(t, os.WriteFile(document, []byte(said.Corrected(read(t, document))), 0o600))
		return
	}
	require.Equal(t, guide.Timeless(said.Shown), guide.Timeless(said.Output), "%s in %s; -update writes what it prints", said.Command, document)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
