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

// corpora are the targets' corpora as run lines. Those whose name ends in "-twice" are run
// twice and compared.
var corpora = []struct {
	target string
	family *family
	seeds  map[string]string
}{
	{"FuzzBroadcast", broadcastFamily, map[string]string{
		"one-rank":                      "broadcast P=1",
		"no-faults-twice":               "broadcast P=13 L=3 o=2 tree=lame k=3 root=4 correction=optimized start=overlapped",
		"three-crashes-failure-proof":   "broadcast P=16 numbering=in-order correction=failure-proof f=2 faults=crash:4,crash:3@t17,crash:8@t18",
		"three-crashes-checked":         "broadcast P=16 numbering=in-order correction=checked faults=crash:4,crash:3@t17,crash:8@t18",
		"inner-rank-in-the-middle":      "broadcast P=16 correction=failure-proof f=1 faults=crash:1@send2",
		"inner-rank-of-a-plain-tree":    "broadcast P=16 correction=none faults=crash:1@send2",
		"root-in-the-tree":              "broadcast P=12 root=5 tree=kary k=2 correction=failure-proof f=1 faults=crash:5@after-send1",
		"root-in-the-correction-twice":  "broadcast P=8 correction=failure-proof f=1 faults=crash:1,crash:2,crash:4,crash:0@after-send4",
		"root-and-another":              "broadcast P=9 correction=failure-proof f=2 start=overlapped early=rest faults=hang:0@step:correction,crash:1@before-send3",
		"root-at-once":                  "broadcast P=5 correction=failure-proof f=0 faults=crash:0",
		"hang-twice":                    "broadcast P=10 L=1 correction=failure-proof f=1 start=overlapped faults=hang:2@step:correction",
		"many-down-checked":             "broadcast P=16 root=9 numbering=in-order faults=crash:0,crash:1,crash:2,crash:3,crash:5,hang:6,crash:7,crash:10,crash:12,crash:13,crash:14",
		"many-down-delayed":             "broadcast P=16 tree=optimal correction=delayed delay=0 start=overlapped ring=chain faults=crash:1,crash:2,crash:3,crash:4,crash:8,crash:9,crash:15",
		"many-down-failure-proof":       "broadcast P=15 tree=kary k=3 correction=failure-proof f=3 faults=crash:1,crash:2,crash:3,crash:9,crash:4@send1,hang:5@t21,crash:6@after-send2",
		"down-before-the-first-send":    "broadcast P=14 tree=lame k=2 ring=chain start=overlapped early=rest faults=crash:1@recv1,hang:2@before-send1,crash:3@step:coloured",
		"a-gap-of-seven":                "broadcast P=16 tree=kary k=2 numbering=in-order faults=crash:1",
		"slow-and-down":                 "broadcast P=11 g=3 correction=checked faults=slow:3x16,slow:0x4@t5,crash:4",
		"slow-opportunistic":            "broadcast P=11 correction=opportunistic d=4 direction=left start=overlapped faults=slow:1x16@recv1",
		"series-overlapped":             "broadcast P=9 L=4 start=overlapped repeat=3 faults=crash:2,crash:5",
		"series-synchronized-twice":     "broadcast P=12 o=2 correction=delayed repeat=3 faults=crash:1,crash:7",
		"series-with-acknowledgements":  "broadcast P=7 tree=kary k=1 correction=ack repeat=2",
		"series-with-a-crash":           "broadcast P=10 correction=failure-proof f=1 start=overlapped repeat=3 faults=crash:4@t40",
		"more-tolerated-than-ranks":     "broadcast P=3 correction=failure-proof f=3 faults=crash:1@send1,crash:2@t9",
		"several-faults-of-one-rank":    "broadcast P=6 correction=failure-proof f=1 faults=hang:2@t6,crash:2@t30,slow:2x2,hang:2@recv3",
		"crash-after-everything":        "broadcast P=6 correction=failure-proof f=1 faults=crash:3@t255",
		"optimized-one-way-on-a-chain":  "broadcast P=16 root=3 correction=optimized d=3 direction=right ring=chain",
		"opportunistic-without-sending": "broadcast P=8 correction=opportunistic d=0",
		"reached-early-and-sends-down":  "broadcast P=11 L=1 tree=kary k=1 root=4 correction=opportunistic start=overlapped early=rest",
		"root-alone":                    "broadcast P=8 L=1 g=3 tree=kary k=1 faults=crash:1@recv1",
		"search-to-the-end-of-a-chain":  "broadcast P=9 tree=optimal correction=delayed delay=5 ring=chain faults=crash:1@recv1",
		"late-messages-checked":         "broadcast P=5 L=1 o=3 tree=kary k=1 root=4 start=overlapped early=rest ring=chain repeat=3 faults=crash:2",
		"late-messages-delayed":         "broadcast P=4 L=1 o=3 g=1 tree=kary k=2 numbering=in-order correction=delayed delay=20 start=overlapped repeat=3 faults=crash:3,crash:1",
		"late-messages-optimized":       "broadcast P=9 L=1 g=3 tree=kary k=1 root=3 correction=optimized ring=chain repeat=2",
		"early-messages-checked":        "broadcast P=16 g=4 tree=kary k=1 root=15 start=overlapped early=rest ring=chain repeat=3 faults=crash:5,crash:13",
		"root-and-few-others-left":      "broadcast P=6 L=3 g=4 tree=kary k=1 root=3 correction=failure-proof f=1 faults=crash:0,crash:4,crash:1,crash:3@t36",
		"root-gone-before-the-rest":     "broadcast P=8 o=2 g=3 tree=kary k=1 numbering=in-order root=3 correction=failure-proof f=1 start=overlapped early=rest faults=crash:5,crash:0,crash:4,crash:3@t18",
		"sos-of-a-few":                  "broadcast P=6 g=3 tree=kary k=1 numbering=in-order root=4 correction=failure-proof f=3 faults=crash:0,crash:1,crash:5,hang:4@t23",
	}},
	{"FuzzMultiTree", multiTreeFamily, map[string]string{
		"one-rank":                   "multitree P=1 trees=1 k=1",
		"no-faults-twice":            "multitree P=16 trees=4 k=5 root=3",
		"one-tree":                   "multitree P=9 trees=1 k=3",
		"one-tree-and-a-crash":       "multitree P=9 trees=1 k=2 faults=crash:1",
		"one-down":                   "multitree P=8 trees=2 k=2 faults=crash:1",
		"one-in-the-middle":          "multitree P=12 trees=2 k=3 root=7 faults=crash:8@send2",
		"one-hangs-twice":            "multitree P=15 trees=2 k=2 faults=hang:2@recv1",
		"two-inner-ranks":            "multitree P=16 trees=3 k=3 faults=crash:1@after-send1,crash:2@before-send2",
		"two-of-one-tree":            "multitree P=16 trees=3 k=4 faults=crash:1,crash:4",
		"three-at-any-time":          "multitree P=16 L=3 o=2 trees=4 k=4 root=15 faults=crash:0@t4,hang:1@step:coloured,crash:2@send1",
		"late-ranks-are-slow":        "multitree P=10 trees=2 k=2 faults=slow:1x16,crash:2",
		"too-many":                   "multitree P=8 trees=2 k=2 faults=crash:1,crash:2",
		"root-in-the-middle":         "multitree P=8 trees=2 k=2 faults=crash:0@send3",
		"as-many-trees-as-can-be":    "multitree P=5 trees=4 k=4 faults=crash:1,crash:2,crash:3",
		"first-children-of-the-root": "multitree P=14 g=3 trees=3 k=3 faults=crash:1,crash:2",
		"fed-by-the-root":            "multitree P=6 o=3 g=2 root=1 trees=3 k=3 faults=crash:5,crash:3",
	}},
	{"FuzzReduce", reduceFamily, map[string]string{
		"one-rank":                        "reduce P=1",
		"no-faults-twice":                 "reduce P=16 L=3 o=2 f=2 root=5",
		"one-down":                        "reduce P=8 f=1 faults=crash:3",
		"in-the-exchange":                 "reduce P=12 f=1 faults=crash:4@send1",
		"after-the-exchange":              "reduce P=12 f=1 tree=kary k=3 faults=crash:4@step:exchanged",
		"before-reporting-twice":          "reduce P=13 f=1 root=6 faults=hang:2@step:reduced",
		"reported-and-gone":               "reduce P=13 f=1 faults=crash:1@t255",
		"two-in-the-middle":               "reduce P=16 f=2 faults=crash:1@after-send1,crash:5@send3",
		"two-of-one-group":                "reduce P=10 f=2 faults=crash:1,hang:2@recv1",
		"short-last-group":                "reduce P=9 root=4 f=2 faults=crash:7@before-send2,crash:8",
		"three-at-any-time":               "reduce P=16 o=3 g=4 f=3 tree=lame k=2 faults=crash:3@t7,hang:9@send2,crash:12@recv2",
		"too-many":                        "reduce P=10 f=1 faults=crash:1,crash:2,crash:5@send1",
		"none-tolerated":                  "reduce P=7 f=0 faults=crash:3",
		"root-fails":                      "reduce P=7 f=1 faults=crash:0@recv2",
		"slow-ranks":                      "reduce P=9 f=1 faults=slow:2x16,slow:0x4@t6",
		"slow-and-down":                   "reduce P=14 f=2 tree=optimal faults=slow:5x16@recv1,crash:6@send2",
		"more-tolerated-than-other-ranks": "reduce P=3 f=3 faults=crash:1,hang:2@send1",
		"broken-on-the-way-up":            "reduce P=13 o=3 g=3 tree=kary k=3 root=7 f=0 faults=crash:12",
		"one-subtree-is-broken":           "reduce P=9 L=1 o=2 g=2 tree=kary k=2 root=4 f=3 faults=crash:5",
		"all-but-the-root":                "reduce P=6 f=2 root=2 faults=crash:0,crash:1,crash:3,crash:4,crash:5",
	}},
	{"FuzzAllReduce", allReduceFamily, map[string]string{
		"one-rank":                     "allreduce P=1",
		"no-faults-twice":              "allreduce P=12 L=3 f=1 root=5 correction=opportunistic d=3",
		"acknowledged":                 "allreduce P=9 f=0 tree=kary k=2 correction=ack",
		"down-checked":                 "allreduce P=13 f=2 faults=crash:3,crash:4",
		"down-delayed-twice":           "allreduce P=11 f=1 correction=delayed start=overlapped faults=hang:1",
		"in-the-exchange":              "allreduce P=16 f=1 root=8 correction=failure-proof faults=crash:3@send1",
		"in-the-broadcast":             "allreduce P=16 f=1 correction=failure-proof faults=crash:1@step:coloured",
		"in-the-correction":            "allreduce P=10 f=1 correction=failure-proof start=overlapped faults=hang:4@step:correction",
		"one-in-each-part":             "allreduce P=12 f=2 numbering=in-order correction=failure-proof faults=crash:1@step:exchanged,crash:6@step:correction",
		"one-in-each-part-twice":       "allreduce P=12 f=2 correction=failure-proof start=overlapped early=rest faults=crash:9@before-send1,crash:2@after-send5",
		"gone-between-the-parts":       "allreduce P=14 f=1 correction=checked ring=chain faults=crash:2@step:reduced",
		"too-many-for-the-reduce":      "allreduce P=12 f=1 correction=checked faults=crash:1,crash:2,crash:3,crash:5",
		"too-many-for-the-correction":  "allreduce P=12 f=1 correction=checked faults=crash:1@step:correction",
		"root-in-the-broadcast":        "allreduce P=9 f=1 correction=failure-proof faults=crash:0@step:coloured",
		"one-part-after-the-other":     "allreduce P=13 tree=kary k=1 root=9 f=0 correction=opportunistic d=3",
		"plain-tree-and-a-crash":       "allreduce P=8 f=1 correction=none faults=crash:1",
		"slow-ranks":                   "allreduce P=9 f=1 correction=failure-proof faults=slow:3x16,slow:4x2@step:exchanged",
		"slow-and-down":                "allreduce P=10 f=1 correction=checked start=overlapped faults=slow:2x4,crash:5",
		"many-down-and-one-in-between": "allreduce P=15 f=3 tree=lame k=3 correction=failure-proof faults=crash:1,crash:2,hang:7@send4",
	}},
}

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
	want, err := execute(line, 1)
	require.NoError(t, err)
	chosen, schedule, _ := f.decode(data)
	got, err := execute(f.line(chosen, schedule), 1)
	require.NoError(t, err)
	require.Equal(t, want.Report.Hash, got.Report.Hash, "%s\n%s", line, got.Line)
}

// A corpus would be of little use if nothing was promised for its failures.
func TestCorporaPutEveryPromiseToTheTest(t *testing.T) {
	for _, c := range corpora {
		for _, p := range c.family.promises {
			tested := 0
			for _, line := range c.seeds {
				data, err := c.family.encode(line, 0)
				require.NoError(t, err)
				chosen, schedule, _ := c.family.decode(data)
				outcome, err := execute(line, 1)
				require.NoError(t, err)
				run := &trial{c.family, chosen, schedule, outcome.Report, outcome}
				if len(outcome.Report.Failed) > 0 && (p.premise == nil || p.premise(run)) {
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
