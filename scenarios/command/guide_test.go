package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/guide"
)

// The guide to a command of one's own is followed to the letter, in an empty folder.
func TestTheGuideToAnOwnCommandIsTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the module of the guide")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	r := &guide.Reader{Root: root, Folder: t.TempDir(), Commands: []string{"go build ", "./rings "}}
	document := filepath.Join(root, "docs", "your-own-command.md")
	var ran []string
	broken := 0
	for _, block := range guide.Blocks(contents(t, document)) {
		said, err := r.Do(t.Context(), block)
		require.NoError(t, err)
		if said == nil {
			continue
		}
		if *update && !said.True() {
			require.NoError(t, os.WriteFile(document, []byte(said.Corrected(contents(t, document))), 0o600))
		} else {
			require.Equal(t, guide.Timeless(said.Shown), guide.Timeless(said.Output), "%s; -update writes what it prints", said.Command)
		}
		want := statusHeld
		switch {
		case strings.Contains(said.Output, "BROKEN") || strings.Contains(said.Command, " shrink "):
			want = statusBroken
			broken++
		case strings.HasSuffix(said.Command, "copies=9"):
			want = statusInput
		}
		require.Equal(t, want, said.Status, said.Command)
		ran = append(ran, strings.Fields(said.Command)[1])
	}
	require.Equal(t, "build promises run run explore explore fuzz shrink build explore campaign compare view launch", strings.Join(ran, " "))
	require.Equal(t, 3, broken)

	page := contents(t, filepath.Join(r.Folder, "run.html"))
	require.True(t, strings.HasPrefix(page, "<!DOCTYPE html>"), page[:40])
	require.Contains(t, page, "crash:3@send1")
	require.Len(t, strings.Split(strings.TrimSpace(contents(t, filepath.Join(r.Folder, "lost.ndjson"))), "\n"), 1+3*200)
	lines := strings.Count(contents(t, filepath.Join(r.Folder, "main.go")), "\n")
	require.LessOrEqual(t, lines, 20, "the document says how short it is")
	require.Regexp(t, regexp.MustCompile(`(?m)^func main\(\) \{ command\.Main\("rings", ringProtocol\) \}$`), contents(t, filepath.Join(r.Folder, "main.go")))
}
