package emutest_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/guide"
	"github.com/mangrove-emu/mangrove/internal/thorough"
)

var update = flag.Bool("update", false, "write into the guide and the READMEs of the examples what their commands print")

// The examples that are modules of their own do what their READMEs show, and the bugs that are planted in them are found.
func TestReadmesOfExamplesAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the modules of the examples")
	}
	modules, err := filepath.Glob("../../examples/*/go.mod")
	require.NoError(t, err)
	require.NotEmpty(t, modules)
	for _, module := range modules {
		folder := filepath.Dir(module)
		more := needsMore(t, module)
		if more && !thorough.All() {
			continue // what it needs may have to be loaded first
		}
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if more {
				load(t, folder)
			}
			r := &guide.Reader{Folder: t.TempDir(), Commands: []string{"go test "}}
			copyModule(t, r, folder)
			readme := filepath.Join(folder, "README.md")
			require.LessOrEqual(t, strings.Count(read(t, readme), "\n"), page, "a README is a page; what is too long for it may stand in %s", outputs)
			whole := readme
			if _, err := os.Stat(filepath.Join(folder, outputs)); err == nil {
				whole = filepath.Join(folder, outputs)
			}
			printed := tryDocument(t, r, whole)
			require.Contains(t, printed, "go test -v .")
			require.Contains(t, printed, "go test -tags bug .")
			if whole != readme {
				requireExcerpts(t, readme, printed)
			}
		})
	}
}

// load has the modules that a module needs at hand, as readers of documents load nothing.
func load(t *testing.T, folder string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "mod", "download")
	command.Dir = folder
	said, err := command.CombinedOutput()
	require.NoError(t, err, string(said))
}

// needsMore reports whether a module needs others of which the root knows nothing.
func needsMore(t *testing.T, module string) bool {
	t.Helper()
	own, err := os.ReadFile(module)
	require.NoError(t, err)
	root, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	for _, required := range regexp.MustCompile(`(?m)^(?:require )?\s*(\S+) v\S+`).FindAllSubmatch(own, -1) {
		if !bytes.Contains(root, required[1]) {
			return true
		}
	}
	return false
}

const (
	page    = 90          // lines
	outputs = "output.md" // has all of what a README shows parts of
)

// tryDocument runs the commands of a document and returns what they print, which is what is shown but for how long it took.
func tryDocument(t *testing.T, r *guide.Reader, path string) (printed map[string]string) {
	printed = make(map[string]string)
	for _, block := range guide.Blocks(read(t, path)) {
		if block.Language != "console" {
			continue
		}
		said, err := r.Do(t.Context(), block)
		require.NoError(t, err)
		if said == nil {
			continue
		}
		printed[said.Command] = said.Output
		requireTrue(t, said, path)
		if strings.Contains(said.Command, "-tags bug") {
			requireFound(t, said.Output)
		}
	}
	return printed
}

// requireExcerpts sees that a document shows parts of what each of these commands has printed.
func requireExcerpts(t *testing.T, path string, printed map[string]string) {
	shown := 0
	for _, block := range guide.Blocks(read(t, path)) {
		if block.Language != "console" {
			continue
		}
		first, excerpt, _ := strings.Cut(block.Content, "\n")
		command := strings.TrimPrefix(first, "$ ")
		require.Contains(t, printed, command)
		require.True(t, guide.Shows(excerpt, printed[command]), "%s in %s is not what it prints; take lines from %s", command, path, outputs)
		shown++
	}
	require.Len(t, printed, shown, "each command is in both")
}

// requireFound sees that nothing but schedules made a test fail, each of which breaks one promise or more.
func requireFound(t *testing.T, output string) {
	found := strings.Count(output, "faults: ")
	require.NotZero(t, found)
	require.GreaterOrEqual(t, strings.Count(output, "broken: "), found, output)
	require.Equal(t, found, strings.Count(output, "again, with all events:\n"), output)
	require.NotContains(t, output, "faults: none", "a bug that shows without faults")
	require.NotContains(t, output, "Error Trace", output)
}

// copyModule copies the module of an example into a folder of its own: tests that fail leave files there.
func copyModule(t *testing.T, r *guide.Reader, from string) {
	sources, err := filepath.Glob(filepath.Join(from, "*.*"))
	require.NoError(t, err)
	folder, err := filepath.Abs(from)
	require.NoError(t, err)
	for _, source := range sources {
		text := read(t, source)
		if filepath.Base(source) == "go.mod" {
			require.Contains(t, text, "=> ../..")
			text = regexp.MustCompile(`=> \.\S*`).ReplaceAllStringFunc(text, func(replaced string) string {
				return "=> " + filepath.Join(folder, strings.TrimPrefix(replaced, "=> "))
			})
		}
		require.NoError(t, r.Write(filepath.Base(source), text))
	}
}
