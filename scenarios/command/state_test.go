package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// A finished state is not explored again, and belongs to one exploration only.
func TestExploreKeepsItsState(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.json")
	args := []string{"explore", "broadcast", "P=8", "correction=none", "--state", state}
	first := mangrove(args...)
	require.Equal(t, 1, first.status)
	require.FileExists(t, state)
	requireFiles(t, filepath.Dir(state), "state.json")
	assert.Equal(t, first, mangrove(args...))
	require.NoError(t, os.WriteFile(state, []byte("{}"), 0o666))
	assert.Contains(t, mangrove(args...).stderr, "is not the state of an exploration")
}

// The same words in another order ask for the same.
func TestStateKnowsTheSameExploration(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.json")
	require.Equal(t, 0, mangrove("explore", "broadcast", "P=6", "L=3", "--state", state).status)
	for _, same := range []string{"broadcast L=3 P=6", "broadcast faults<=1 L=3 P=6 o=1"} { // the last one stays in the file
		assert.Equal(t, 0, mangrove("explore", same, "--state", state).status)
	}
	for says, args := range map[string]string{
		": P=6 there, P=7 here; want another file":                          "broadcast P=7 L=3",
		": P=6 there, P=7 here, L=3 there, L=4 here;":                       "broadcast P=7 L=4",
		": --kinds crash,hang there, --kinds hang here;":                    "broadcast P=6 L=3 --kinds hang",
		": faults<=1 there, faults<=2 here;":                                "broadcast P=6 L=3 faults<=2",
		": no --every there, --every here, no --roots there, --roots here;": "broadcast P=6 L=3 --roots --every",
		": no --check there, --check here;":                                 "broadcast P=6 L=3 --check",
		": no --cut there, --cut 0,30 here;":                                "broadcast P=6 L=3 --cut 30,0,30",
		": broadcast L=3 P=6 o=1 there, reduce P=6 L=3 here;":               "reduce P=6 L=3",
	} {
		got := mangrove(append(strings.Fields("explore "+args), "--state", state)...)
		assert.Equal(t, 2, got.status)
		assert.Contains(t, got.stderr, "is of another exploration: ")
		assert.Contains(t, got.stderr, says)
	}
}

// A place where the state cannot be kept is refused before anything is run.
func TestBadStatesAreRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge")
	file, err := os.Create(huge)
	require.NoError(t, err)
	require.NoError(t, file.Truncate(1<<30+1))
	require.NoError(t, file.Close())
	for path, want := range map[string]string{
		filepath.Join(dir, "no", "such", "state"): "cannot keep the state in " + dir,
		dir:         ": want an ordinary file",
		os.DevNull:  ": want an ordinary file",
		"/dev/full": ": want an ordinary file",
		huge:        "it is not the state of an exploration",
		"":          "--state '': want the name of a file",
	} {
		got := mangrove("explore", "endless", "P=9", "--state", path)
		assert.Equal(t, 2, got.status, path)
		assert.Contains(t, got.stderr, want)
		assert.Empty(t, got.stdout)
	}
	requireFiles(t, dir, "huge")
}

// A state that cannot be kept in the end does not take the result with it.
func TestReportIsPrintedEvenIfTheStateIsLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(dir, 0o777))
	registry := testProtocols()
	build := registry[0].Build
	var calls atomic.Int64
	registry[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		if calls.Add(1) == 2 { // the exploration has begun
			require.NoError(t, os.RemoveAll(dir))
		}
		return build(s)
	}
	got := mangroveWith(t.Context(), registry, "explore", "broadcast", "P=6", "--state", filepath.Join(dir, "state"))
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stdout, "violations   0\n")
	assert.Contains(t, got.stderr, "cannot keep the state in ")
}

func TestStateStaysBehindItsLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "state"), filepath.Join(dir, "link")
	require.Equal(t, 0, mangrove("explore", "broadcast", "P=4", "--state", path).status)
	require.NoError(t, os.Symlink(path, link))
	require.Equal(t, 0, mangrove("explore", "broadcast", "P=4", "--state", link).status)
	_, err := os.Readlink(link)
	require.NoError(t, err)
	requireFiles(t, dir, "link", "state")
}

// However often it is interrupted, an exploration tells the same in the end as one that was not.
func TestInterruptedExplorationKeepsItsState(t *testing.T) {
	args := []string{"explore", "broadcast", "P=10", "numbering=in-order", "correction=opportunistic", "d=2", "faults<=2", "--why=false"}
	want := mangrove(args...)
	require.Equal(t, 1, want.status)
	all := runsOf(t, want.stdout)

	state := filepath.Join(t.TempDir(), "state.json")
	args = append(args, "--state", state)
	done := 0
	for range 3 {
		got := interruptedInRun(int64(all/4), args...)
		require.Equal(t, 130, got.status)
		assert.Equal(t, "mangrove: interrupted, the same command goes on from here\n", got.stderr)
		require.FileExists(t, state)
		assert.Greater(t, runsOf(t, got.stdout), done)
		done = runsOf(t, got.stdout)
	}
	assert.Less(t, done, all)
	var made atomic.Int64
	count := func(int64) { made.Add(1) }
	assert.Equal(t, want, mangroveWith(t.Context(), telling(count), args...))
	assert.Less(t, made.Swap(0), int64(all), "it did not begin anew")
	assert.Equal(t, want, mangroveWith(t.Context(), telling(count), args...))
	assert.EqualValues(t, 1, made.Load(), "there was nothing left to do")
}

// runsOf is how many runs a report tells of.
func runsOf(t *testing.T, report string) (n int) {
	t.Helper()
	_, rest, ok := strings.Cut(report, "\nruns         ")
	require.True(t, ok, report)
	text, _, _ := strings.Cut(rest, ",")
	require.NoError(t, json.Unmarshal([]byte(text), &n))
	return n
}
