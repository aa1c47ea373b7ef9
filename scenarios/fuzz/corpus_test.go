package fuzz

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
			data, err := c.family.encode(line, mode)
			require.NoError(t, err, line)
			if *update {
				writeEntry(t, c.target, name, data)
			}
			require.Equal(t, data, readEntry(t, entryFile(c.target, name)), "%s: run with -update", name)
			requireSameRun(t, line, c.family, data)
		}
	}
}

// requireSameRun fails unless the bytes lead to the run of the line.
func requireSameRun(t *testing.T, line string, f *family, data []byte) {
	t.Helper()
	want, err := f.execute(line)
	require.NoError(t, err)
	chosen, schedule, _ := f.decode(data)
	got, err := f.execute(f.line(chosen, schedule))
	require.NoError(t, err)
	require.Equal(t, want.Report.Hash, got.Report.Hash, "%s\n%s", line, got.Line)
}

// A corpus would be of little use if nothing was promised for its failures.
func TestCorporaPutEveryPromiseToTheTest(t *testing.T) {
	for _, c := range corpora {
		for _, p := range c.family.promises {
			tested := 0
			for _, line := range c.seeds {
				run := tried(t, c.family, line)
				if len(run.report.Failed) > 0 && (p.premise == nil || p.premise(run)) {
					tested++
				}
			}
			require.GreaterOrEqual(t, tested, 5, "%s: %s", c.target, p.says)
		}
	}
}

// TestRawCorpora writes what go-fuzz and libFuzzer start from, crashers of old included.
func TestRawCorpora(t *testing.T) {
	if *raw == "" {
		t.Skip("no -raw folder")
	}
	require.NoError(t, os.MkdirAll(*raw, 0o755))
	for i, c := range corpora {
		files, err := filepath.Glob(entryFile(c.target, "*"))
		require.NoError(t, err)
		for _, file := range files {
			data := append([]byte{byte(i)}, readEntry(t, file)...)
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
	c := corpora[int(data[0])%len(corpora)]
	writeEntry(t, c.target, filepath.Base(*adopt), data[1:])
	t.Logf("%s: %v", entryFile(c.target, filepath.Base(*adopt)), c.family.check(data[1:]))
}

func TestCorporaStandInTheOrderOfTheFamilies(t *testing.T) {
	require.Len(t, corpora, len(families))
	for i, c := range corpora {
		require.Equal(t, families[i], c.family)
	}
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
