package fuzz

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

var (
	update = flag.Bool("update", false, "write the corpora of the native targets")
	raw    = flag.String("raw", "", "write the corpora as plain files, for Any, into this `folder`")
	adopt  = flag.String("adopt", "", "add this `file`, an input of Any, to the corpus of its native target")
)

func TestCorporaAreTheRunsOfTheirLines(t *testing.T) {
	for _, c := range corpora {
		for name, line := range c.seeds {
			var mode byte
			if strings.HasSuffix(name, "-twice") {
				mode = modeTwice
			}
			data, err := c.to.encode(line, mode)
			require.NoError(t, err, line)
			if *update {
				writeEntry(t, c.target, name, data)
			}
			require.Equal(t, data, readEntry(t, entryFile(c.target, name)), "%s: run with -update", name)
			requireSameRun(t, line, c.to, data)
		}
	}
}

// requireSameRun fails unless the bytes lead to the run of the line.
func requireSameRun(t *testing.T, line string, to *target, data []byte) {
	t.Helper()
	text, _ := to.decode(data)
	_, want := tried(t, to, line)
	_, got := tried(t, to, text)
	require.Equal(t, want.Report.Hash, got.Report.Hash, "%s\n%s", line, text)
}

// A corpus would be of little use if nothing was promised for its failures.
func TestCorporaPutEveryPromiseToTheTest(t *testing.T) {
	for _, c := range corpora {
		tested, seen := make(map[string]int), make(map[string]bool)
		for _, line := range c.seeds {
			_, outcome := tried(t, c.to, line)
			for _, v := range outcome.Guarantees {
				seen[v.Name] = true
				if len(outcome.Report.Failed) > 0 && v.Value != guarantee.NotClaimed && v.Beyond == "" {
					tested[v.Name]++
				}
			}
		}
		for name := range seen {
			require.GreaterOrEqual(t, tested[name], 3, "%s: %s", c.target, name)
		}
	}
}

// TestRawCorpora writes what go-fuzz and libFuzzer start from, crashers of old included.
func TestRawCorpora(t *testing.T) {
	if *raw == "" {
		t.Skip("no -raw folder")
	}
	require.NoError(t, os.MkdirAll(*raw, 0o755))
	for _, c := range corpora {
		files, err := filepath.Glob(entryFile(c.target, "*"))
		require.NoError(t, err)
		for _, file := range files {
			data := append([]byte{byte(slices.Index(targets, c.to))}, readEntry(t, file)...)
			require.NoError(t, os.WriteFile(filepath.Join(*raw, c.target+"-"+filepath.Base(file)), data, 0o644))
		}
	}
}

// TestAdopt makes an entry of a native corpus of a crasher that another fuzzer found.
func TestAdopt(t *testing.T) {
	if *adopt == "" {
		t.Skip("no -adopt file")
	}
	data, err := os.ReadFile(*adopt)
	require.NoError(t, err)
	require.NotEmpty(t, data)
	to := targets[int(data[0])%len(targets)]
	at := slices.IndexFunc(corpora, func(c corpus) bool { return c.to == to })
	require.GreaterOrEqual(t, at, 0, "%s has no corpus", to.Name)
	c := corpora[at]
	writeEntry(t, c.target, filepath.Base(*adopt), data[1:])
	t.Logf("%s: %v", entryFile(c.target, filepath.Base(*adopt)), c.to.check(data[1:]))
}

func entryFile(target, name string) string { return filepath.Join("testdata", "fuzz", target, name) }

// An entry of a native corpus is a line of version and one of Go syntax.
const (
	entryHead = "go test fuzz v1\n[]byte("
	entryTail = ")\n"
)

func writeEntry(t *testing.T, target, name string, data []byte) {
	t.Helper()
	file := entryFile(target, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "%s%q%s", entryHead, data, entryTail), 0o644))
}

func readEntry(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	quoted, ok := strings.CutPrefix(string(text), entryHead)
	require.True(t, ok, file)
	data, err := strconv.Unquote(strings.TrimSuffix(quoted, entryTail))
	require.NoError(t, err, file)
	return []byte(data)
}
