package guide

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const document = "Some words.\n\n`a/b.go`:\n\n```go\npackage a\n\n// f is one.\nfunc f() int {\n\treturn 1\n}\n\nvar limit = 3\n```\n\n" +
	"```console\n$ cat a/b.go | grep return\n\treturn 1\n```\n\n```\nnothing to do\n```\n\n" +
	"Now f is another one, and the limit is, too:\n\n```go\n// f is two.\nfunc f() int {\n\treturn 2\n}\n```\n\n```go\nvar limit = 4\n```\n\n" +
	"```console\n$ cat a/b.go | grep -c -e 'return 2' -e 'limit = 4'\n3\n```\n\n```console\n$ rm -r a\n```\n"

func TestADocumentIsFollowed(t *testing.T) {
	r := &Reader{Folder: t.TempDir(), Commands: []string{"cat "}}
	var all []*Said
	for _, block := range Blocks(document) {
		said, err := r.Do(t.Context(), block)
		require.NoError(t, err)
		if said != nil {
			all = append(all, said)
		}
	}
	require.Len(t, all, 2)
	require.True(t, all[0].True())
	require.Equal(t, &Said{Command: "cat a/b.go | grep -c -e 'return 2' -e 'limit = 4'", Shown: "3\n", Output: "2\n"}, all[1])
	require.False(t, all[1].True())
	corrected := all[1].Corrected(document)
	require.Contains(t, corrected, "'limit = 4'\n2\n```\n")
	require.NotContains(t, corrected, "\n3\n```")
	text, err := os.ReadFile(filepath.Join(r.Folder, "a/b.go"))
	require.NoError(t, err, "what is not to be run is not")
	require.Equal(t, "package a\n\n// f is two.\nfunc f() int {\n\treturn 2\n}\n\nvar limit = 4\n", string(text))
}

// A change has one place.
func TestChangesWithoutAPlaceAreRefused(t *testing.T) {
	r := &Reader{Folder: t.TempDir()}
	for _, file := range []string{"one.go", "two.go"} {
		require.NoError(t, r.Write(file, "package a\n\nvar x = 1\n"))
	}
	for content, want := range map[string]string{
		"var x = 2\n":            "is in 2 files, want one",
		"var y = 2\n":            "is in 0 files, want one",
		"// f.\nfunc f() {\n}\n": "is in 0 files, want one",
		"x\n":                    "want a function, or a line with : or = to be changed",
	} {
		_, err := r.Do(t.Context(), Block{Language: "go", Content: content})
		require.ErrorContains(t, err, want)
	}
	_, err := r.Do(t.Context(), Block{File: "three.go", Content: "package a\n\nvar x = 1\n"})
	require.NoError(t, err)
	_, err = r.Do(t.Context(), Block{Language: "go", Content: "var x = 3\n"})
	require.NoError(t, err, "the last one that was shown")
}

// A command that fails has an exit status, and what is measured does not matter.
func TestCommandsAreRunAsByAShell(t *testing.T) {
	r := &Reader{Folder: t.TempDir(), Commands: []string{"exit", "echo"}}
	said, err := r.Do(t.Context(), Block{Language: "console", Content: "$ exit 3\n"})
	require.NoError(t, err)
	require.Equal(t, 3, said.Status)
	said, err = r.Do(t.Context(), Block{Language: "console", Content: "$ echo 'ok  x  0.123s'\nok  x  9.876s\n"})
	require.NoError(t, err)
	require.True(t, said.True())
	processes := "exit  t=3 (15 ms)\nlate   up to 4 ticks\nprocesses    4\nmeasured: 4ms\n"
	require.Equal(t, Timeless(processes), Timeless("exit  t=70 (350 ms)\nprocesses    4\nmeasured: 9ms\n"))
	require.NotEqual(t, Timeless("exit  t=3\n"), Timeless("exit  t=4\n"), "on the emulator time is exact")
}
