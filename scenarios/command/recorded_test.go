package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// launchTraced runs a line on processes and returns the file that has its events.
func launchTraced(t *testing.T, name string, words ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	got := mangrove(append([]string{"launch", "-n", "4", "--trace", path}, words...)...)
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\nheld         integrity: all ")
	assert.Contains(t, got.stdout, "\nheld         no duplicates: step coloured 4 times, on no rank more than once\n")
	requireFiles(t, filepath.Dir(path), name)
	return path
}

// What is written of a run on processes can be read again, and is the same.
func TestARecordedRunIsReadAsItWas(t *testing.T) {
	path := launchTraced(t, "run.jsonl", "broadcast", "start=overlapped", "faults=crash:2@send1")
	run, outcome, err := (&app{name: ours, registry: catalog.All()}).readRecorded(path)
	require.NoError(t, err)
	assert.Equal(t, "broadcast start=overlapped faults=crash:2@send1 P=4 tick=5ms", run.String())
	assert.Equal(t, outcome.Line, run.String())
	assert.Equal(t, 4, outcome.Processes)
	assert.Equal(t, report.Crashed, outcome.Report.Ranks[2].Outcome)
	assert.Equal(t, "crash:2@send1", outcome.Report.Faults.String())
	assert.Equal(t, "held", outcome.Verdict().String())
	sends := int64(0)
	for _, e := range outcome.Report.Events {
		if e.Kind == report.EventSend {
			sends++
		}
	}
	assert.Equal(t, outcome.Report.Messages, sends)

	var again strings.Builder
	require.NoError(t, json.NewEncoder(&again).Encode(recordedLine{newRecordedRun(outcome)}))
	require.NoError(t, report.WriteEvents(&again, outcome.Report.Events, run.Experiment().Program.KindName))
	assert.Equal(t, contents(t, path), again.String())
}

// A page of a recorded run has the emulated one beside it, and so has a timeline.
func TestARecordedRunIsShownBesideTheEmulatedOne(t *testing.T) {
	path := launchTraced(t, "run.jsonl", "broadcast", "start=overlapped")
	page := filepath.Join(t.TempDir(), "run.html")
	got := mangrove("view", path, "--out", page)
	require.Equal(t, 0, got.status, got.stderr)
	assert.Regexp(t, `^\S+run.html: 4 ranks, \d+ messages, what was promised held\n$`, got.stdout)
	text := contents(t, page)
	assert.Contains(t, text, "<figcaption>measured on 4 processes</figcaption>")
	assert.Contains(t, text, "<figcaption>emulated</figcaption>")
	assert.Equal(t, 2, strings.Count(text, "<iframe "))
	assert.Equal(t, 1, strings.Count(text, "{&#34;name&#34;:&#34;clocks&#34;,&#34;text&#34;:&#34;one&#34;}"), "of the measured one")

	timeline := filepath.Join(t.TempDir(), "run.json")
	require.Equal(t, 0, mangrove("view", path, "--out", timeline).status)
	requireBothTimelines(t, timeline)
	requireBothTimelines(t, launchTraced(t, "direct.json", "broadcast", "start=overlapped"))
}

// requireBothTimelines makes sure that two runs are in a file, each as a process with its messages.
func requireBothTimelines(t *testing.T, path string) {
	t.Helper()
	var read struct {
		OtherData   map[string]string
		TraceEvents []struct {
			Ph, Name, Cat string
			Pid, ID       int
			Args          map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(contents(t, path)), &read))
	assert.Contains(t, read.OtherData["clocks"], "differ by up to ")
	assert.NotContains(t, read.OtherData, "hash")
	names, sends, arrows := map[int]any{}, map[int]int{}, map[int]int{}
	for _, e := range read.TraceEvents {
		switch {
		case e.Name == "process_name":
			names[e.Pid] = e.Args["name"]
		case e.Ph == "X" && e.Cat == "send":
			sends[e.Pid]++
		case e.Ph == "s":
			arrows[e.ID]++
		}
	}
	assert.Equal(t, map[int]any{1: "measured on 4 processes", 2: "emulated"}, names)
	assert.Positive(t, sends[1])
	assert.Positive(t, sends[2])
	assert.Len(t, arrows, sends[1]+sends[2], "each message has an arrow of its own")
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const noRecording = " is no recording of a run; want a file that 'mangrove launch --trace' has written, as lines"
	good := contents(t, launchTraced(t, "run.jsonl", "broadcast", "start=overlapped"))
	first, rest, _ := strings.Cut(good, "\n")
	for text, want := range map[string]string{
		"":                                       noRecording,
		"P=4\n":                                  noRecording,
		`{"t":0,"rank":0,"event":"exit"}` + "\n": noRecording,
		strings.Replace(good, `"line":"broadcast`, `"line":"chatter`, 1):       `unknown protocol "chatter"`,
		strings.Replace(good, " P=4", " P=5", 1):                               "results of 4 ranks, want 5, as the line says",
		strings.Replace(good, `"faults":"none"`, `"faults":"crash:x"`, 1):      "crash:x",
		first + "\n" + rest[:len(rest)-9]:                                      "unexpected EOF",
		first + "\n" + strings.Replace(rest, `"rank":0`, `"rank":4`, 1):        "want ranks 0 to 3",
		first + "\n" + strings.Replace(rest, `"peer":1`, `"peer":-7`, 1):       "want ranks 0 to 3",
		first + "\n" + strings.Replace(rest, `"kind":"tree"`, `"kind":"t"`, 1): `a message of kind "t", which is unknown`,
	} {
		require.NoError(t, os.WriteFile("bad.jsonl", []byte(text), 0o600))
		got := mangrove("view", "bad.jsonl")
		assert.Equal(t, 2, got.status, want)
		assert.Contains(t, got.stderr, "mangrove: bad.jsonl", want)
		assert.Contains(t, got.stderr, want)
	}
	requireFiles(t, dir, "bad.jsonl")
	got := mangrove("view", "none.jsonl")
	assert.Equal(t, 2, got.status)
	assert.Equal(t, "mangrove: open none.jsonl: no such file or directory\n", got.stderr)
	got = mangrove("view", "chatter")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.stderr, `unknown protocol "chatter"`)
}

func TestTracesOfProcessesThatCannotBe(t *testing.T) {
	for args, want := range map[string]string{
		"launch -n 4 broadcast --runs 2 --trace x.jsonl":     "--trace x.jsonl: of 2 runs, want one run to trace",
		"launch -n 4 broadcast --json --trace -":             "--json and --trace - would both write to standard output; name a file for the trace",
		"launch -n 4 broadcast --trace=":                     "--trace '': want the name of a file",
		"launch -n 4 broadcast --trace /no/such/dir/x.jsonl": "cannot write the trace to /no/such/dir/x.jsonl",
	} {
		got := mangrove(strings.Fields(args)...)
		assert.Equal(t, 2, got.status, args)
		assert.Contains(t, got.stderr, want)
	}
	got := mangrove("join", "--peers", "a:1,b:1", "--process", "1", "--key", newKey(t), "broadcast", "--trace", "x.jsonl")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.stderr, "--trace x.jsonl: this is process 1, want process 0, which has the report")
}

// A trace on standard output has it alone.
func TestATraceOfProcessesMayGoToStandardOutput(t *testing.T) {
	got := mangrove("launch", "-n", "2", "broadcast", "start=overlapped", "--trace", "-")
	require.Equal(t, 0, got.status, got.stderr)
	assert.True(t, strings.HasPrefix(got.stdout, `{"run":{"line":"broadcast start=overlapped P=2 tick=5ms",`), got.stdout)
	assert.Contains(t, got.stderr, "\nheld         integrity: all ")
	assert.NotContains(t, got.stdout, "held  ")
}

// Process 0 of a list decides that all record.
func TestProcessesOfAListAreRecorded(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	flags := []string{"join", "--peers", freeAddresses(t, 2), "--key", newKey(t), "broadcast", "start=overlapped", "--process"}
	other := exec.Command(self, append(flags, "1")...)
	require.NoError(t, other.Start())
	got := mangrove(append(flags, "0", "--trace", path)...)
	require.NoError(t, other.Wait())
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\nheld         integrity: all ")
	_, outcome, err := (&app{name: ours, registry: catalog.All()}).readRecorded(path)
	require.NoError(t, err)
	for rank := range 2 {
		assert.True(t, strings.Contains(contents(t, path), `"rank":`+string(rune('0'+rank))+`,"event":"send"`), "rank %d", rank)
	}
	assert.Equal(t, 2, outcome.Processes)
}
