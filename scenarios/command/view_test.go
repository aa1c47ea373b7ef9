package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestViewWritesAPageAndSaysWhere(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	got := mangrove("view", "broadcast", "P=64", "tree=lame", "faults=crash:3@send2,hang:9@t12")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Equal(t, "run.html: 64 ranks, 364 messages, what was promised held\n", got.stdout)
	assert.Empty(t, got.stderr)
	requireFiles(t, dir, "run.html")
	page := readPage(t, "run.html")
	assert.Contains(t, page, "<title>mangrove: broadcast P=64 tree=lame faults=crash:3@send2,hang:9@t12</title>")
	assert.Contains(t, page, `{"name":"messages","text":"364"}`)
	assert.Contains(t, page, `{"name":"colouring","text":"t=21"}`)
	assert.Contains(t, page, `{"name":"reaches every live rank","held":true,`)
	assert.Contains(t, page, `{"text":"crash:3@send2","rank":3,"time":7,"fired":true}`)
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestViewOfABrokenRunExitsWith1AndHasAPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.html")
	got := mangrove("view", "broadcast", "P=4", "correction=none", "faults=crash:1", "--out", path)
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stdout, path+": 4 ranks, 2 messages, 2 of 6 guarantees broken\nBROKEN       reaches every live rank: rank 3 never reached; beyond what is claimed: nobody fails (rank 1 crashed at t=0)\n")
	page := readPage(t, path)
	assert.Contains(t, page, `"held":false`)
	assert.Contains(t, page, `{"name":"unreached","text":"rank 3"}`)
	assert.Contains(t, page, `rank 3 in Recv(`)
}

func TestViewShowsRealTimeIfTicksHaveAUnit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.html")
	require.Equal(t, 0, mangrove("view", "broadcast", "P=4", "tick=100ns", "--out", path).status)
	assert.Contains(t, readPage(t, path), `"tick_ns":100,`)
	assert.Contains(t, readPage(t, path), `{"name":"colouring","text":"t=8 (800 ns)"}`)
}

func TestViewOfARangeOfALargeRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.html")
	require.Equal(t, 0, mangrove("view", "broadcast", "P=5000", "--ranks", "1000..1255", "--out", path).status)
	page := readPage(t, path)
	assert.Contains(t, page, `"size":5000,"first":1000,"last":1255,`)
	assert.Contains(t, page, "Ranks 1000 to 1255 of 5000 are drawn")

	require.Equal(t, 0, mangrove("view", "broadcast", "P=5000", "--out", path).status)
	assert.Contains(t, readPage(t, path), "Ranks 0 to 255 of 5000 are drawn")
}

func TestViewToStandardOutputSaysTheRestOnStandardError(t *testing.T) {
	got := mangrove("view", "broadcast", "P=4", "--out", "-")
	require.Equal(t, 0, got.status)
	assert.True(t, strings.HasPrefix(got.stdout, "<!DOCTYPE html>"))
	assert.True(t, strings.HasSuffix(got.stdout, "</html>\n"))
	assert.Equal(t, "standard output: 4 ranks, 19 messages, what was promised held\n", got.stderr)
}

func TestBadInputToViewExitsWith2AndLeavesAnOlderPageAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.html")
	require.NoError(t, os.WriteFile(path, []byte("precious"), 0o600))
	none := filepath.Join(dir, "none", "run.html")
	for _, c := range []struct {
		args   []string
		want   string
		status int
	}{
		{[]string{"broadcast", "P=64", "--ranks", "5..2"}, "--ranks 5..2: the first rank is above the last, want two ranks of 0 to 63", 2},
		{[]string{"broadcast", "P=64", "--ranks", "0..64"}, "--ranks 0..64: want ranks of 0 to 63", 2},
		{[]string{"broadcast", "P=64", "--ranks", "seven"}, "--ranks seven: want two ranks of 0 to 63, such as 0..63", 2},
		{[]string{"broadcast", "P=64", "--ranks", ""}, "--ranks '': want two ranks, such as 0..63", 2},
		{[]string{"broadcast", "P=100000", "--ranks", "0..99999"}, "--ranks 0..99999: 100000 ranks, want up to 16384 of 0 to 99999", 2},
		{[]string{"broadcast", "P=0"}, `"P=0": want a number from 1 to`, 2},
		{[]string{"chatter"}, `unknown protocol "chatter"`, 2},
		{[]string{}, "empty line, want a protocol", 2},
		{[]string{"broadcast", "faults<=2"}, "explore", 2},
		{[]string{"broadcast", "--bogus"}, "unknown flag: --bogus", 2},
		{[]string{"broadcast", "P=4", "--out", ""}, "--out '': want the name of a file, or -", 2},
		{[]string{"broadcast", "P=4", "--out", dir}, "cannot write the page to " + dir + ": it is a directory", 2},
		{[]string{"broadcast", "P=4", "--out", none}, "cannot write the page to " + none + ": ", 2},
		{[]string{"panics", "P=1"}, "rank 0 panicked at t=0: boom", 1},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			args := append([]string{"view", "--out", path}, c.args...)
			got := mangrove(args...)
			assert.Equal(t, c.status, got.status)
			assert.Contains(t, got.stderr, c.want)
			assert.NotContains(t, got.stderr, "trace")
			assert.Empty(t, got.stdout)
			assert.Equal(t, "precious", readPage(t, path))
			requireFiles(t, dir, "run.html")
		})
	}
}

func TestOutputOfViewThatCannotBeWrittenIsAFailure(t *testing.T) {
	var stderr strings.Builder
	a := app{name: ours, registry: testProtocols(), stdout: brokenPipe{}, stderr: &stderr}
	assert.Equal(t, 1, a.run(t.Context(), []string{"view", "broadcast", "P=2", "--out", "-"}))
	assert.Contains(t, stderr.String(), "cannot write the page to standard output: broken pipe")
}

func TestExamplesInTheHelpOfViewWork(t *testing.T) {
	t.Chdir(t.TempDir())
	help := mangrove("help", "view").stdout
	line80(t, help)
	examples := regexp.MustCompile(`(?m)^  mangrove (view [a-z].*)$`).FindAllStringSubmatch(help, -1)
	require.Len(t, examples, 2)
	for _, example := range examples {
		got := mangrove(strings.Fields(example[1])...)
		assert.Equal(t, 0, got.status, got.stderr)
	}
}
