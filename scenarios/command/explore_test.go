package command

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExploreReportsTheSmallestSchedule(t *testing.T) {
	got := mangrove("explore", "broadcast", "P=8", "correction=none", "faults<=1")
	assert.Equal(t, 1, got.status)
	assert.Empty(t, got.stderr)
	golden(t, "explore-broken", got.stdout)
	line := reproducer(t, got.stdout)
	assert.Equal(t, 1, mangrove(append([]string{"run"}, strings.Fields(line)...)...).status, "pasting the line shows it")
	assert.Equal(t, 0, mangrove("explore", "broadcast P=8 faults<=2").status)
}

// reproducer finds the command that a report prints.
func reproducer(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\nmangrove run ")
	require.True(t, ok, text)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.ReplaceAll(line, "'", "")
}

func TestExploreAsJSON(t *testing.T) {
	got := mangrove("explore", "broadcast", "P=8", "correction=none", "--json", "--check")
	assert.Equal(t, 1, got.status)
	var result struct {
		Line                              string
		Interrupted, RootsSpared, Checked bool
		Kinds                             []string
		Done                              float64
		Covered, Runs, Distinct           int64
		Violations                        []struct{ Line, Found string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result))
	assert.Equal(t, "broadcast P=8 correction=none", result.Line)
	assert.Equal(t, "broadcast P=8 correction=none faults=crash:1@t0", result.Violations[0].Line)
	assert.Equal(t, result.Violations[0].Line, result.Violations[0].Found)
	assert.Greater(t, result.Covered, result.Runs)
	assert.False(t, result.Interrupted)
	assert.EqualValues(t, 1, result.Done)
	assert.Equal(t, []string{"crash", "hang"}, result.Kinds)
	assert.True(t, result.RootsSpared)
	assert.True(t, result.Checked)
}

// The number of faults can be said in two ways, or not at all.
func TestExploreTakesTheNumberOfFaultsFromWordOrFlag(t *testing.T) {
	word := mangrove("explore", "broadcast", "P=6", "faults<=2")
	assert.Equal(t, word, mangrove("explore", "broadcast", "P=6", "--max-faults", "2"))
	assert.Contains(t, word.stdout, "schedules of up to 2 faults\n")
	assert.Contains(t, mangrove("explore", "broadcast", "P=6").stdout, "schedules of up to 1 fault\n")
}

// A report says who fails, and how, and what the line says in vain.
func TestExploreSaysWhoFails(t *testing.T) {
	spared := mangrove("explore", "broadcast", "P=4", "faults<=9")
	assert.Contains(t, spared.stdout, "failures     crash, hang of any rank but the root (--roots: that, too)\n")
	assert.Contains(t, spared.stdout, "note         up to 9 faults asked for, but only 3 ranks can fail\n")
	assert.NotContains(t, mangrove("explore", "broadcast", "P=4", "faults<=3").stdout, "note")
	all := mangrove("explore", "broadcast", "P=4", "k=3", "correction=failure-proof", "--kinds", "hang", "--roots")
	assert.Contains(t, all.stdout, "failures     hang of any rank\n")
	assert.Contains(t, all.stdout, "note         k=3 does not matter with tree=binomial\n")
	assert.Equal(t, mangrove("explore", "broadcast", "P=4", "--kinds", "hang,crash"), mangrove("explore", "broadcast", "P=4"), "any order")
}

func TestCheckedSearchesSaySo(t *testing.T) {
	same := "checked      every run twice, with 1 and 3 workers: same hashes\n"
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "--check").stdout, same)
	assert.Contains(t, mangrove("fuzz", "broadcast", "P=4", "--runs", "9", "--check").stdout, same)
	assert.NotContains(t, mangrove("explore", "broadcast", "P=4").stdout, "checked")
	for _, command := range []string{"explore", "fuzz"} {
		fickle := mangrove(command, "fickle", "P=2", "--check")
		assert.Equal(t, 1, fickle.status)
		assert.Contains(t, fickle.stdout, "with 1 and 3 workers: DIFFERENT hashes\n")
		assert.Contains(t, fickle.stdout, "the same happens again: hash ")
	}
}

// The command that a report prints for a run that is another one when repeated repeats it. It
// is not made smaller, which takes runs that are the same.
func TestRunsThatDoNotRepeatAreReportedWithCheck(t *testing.T) {
	for _, command := range []string{"explore", "fuzz"} {
		fickle := mangrove(command, "fickle", "P=2", "seed=7", "--check")
		line := reproducer(t, fickle.stdout)
		assert.Equal(t, "fickle P=2 seed=7 --check", line)
		assert.NotContains(t, fickle.stdout, "made smaller")
		assert.NotContains(t, fickle.stdout, "mangrove shrink")
		again := mangrove(append([]string{"run"}, strings.Fields(line)...)...)
		assert.Equal(t, 1, again.status)
		assert.Contains(t, again.stderr, "\nreplay: mangrove run fickle P=2 seed=7 --check\n")
		assert.Contains(t, mangrove(command, "fickle", "P=2", "--check", "--json").stdout, `"check":true`)
	}
	assert.NotContains(t, mangrove("explore", "broadcast", "P=4", "correction=none", "--json", "--check").stdout, `"check":true`)
}

// Protocols that only this registry has are searched and made smaller like others.
func TestSearchesKnowTheProtocolsOfTheirRegistry(t *testing.T) {
	got := mangrove("fuzz", "deadlocks", "P=9", "seed=3", "--runs", "9")
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "deadlocks P=1", reproducer(t, got.stdout))
	got = mangrove("shrink", "deadlocks P=9 faults=crash:3")
	assert.Equal(t, 1, got.status)
	assert.True(t, strings.HasPrefix(got.stdout, "mangrove run deadlocks P=1\n"), got.stdout)
}

// What flags ask for is done, and not only told.
func TestFlagsOfSearchesHaveAnEffect(t *testing.T) {
	for _, command := range []string{"explore", "fuzz"} {
		line := []string{command, "broadcast", "P=3", "correction=none"} // both other ranks are leaves
		assert.Equal(t, 0, mangrove(line...).status)
		assert.Equal(t, 1, mangrove(append(line, "--roots")...).status)
		line = []string{command, "broadcast", "P=8", "correction=none", "--kinds", "hang"}
		assert.Contains(t, mangrove(line...).stdout, "faults=hang:")
	}
	some := exploreAsJSON(t, "broadcast", "P=6")
	assert.Less(t, some.Runs, some.Covered)
	every := exploreAsJSON(t, "broadcast", "P=6", "--every")
	assert.Equal(t, some.Covered, every.Covered)
	assert.Equal(t, every.Runs, every.Covered)

	found := func(seed string) string {
		result := fuzzAsJSON(t, "broadcast", "P=32", "correction=none", "--kinds", "crash", "--runs", "20", "--shrink", "0", "--seed", seed)
		return result.Violations[0].Line
	}
	assert.Equal(t, found("1"), found("1"))
	assert.NotEqual(t, found("1"), found("2"))
}

// exploreJSON is what tests look at in the JSON of an exploration.
type exploreJSON struct{ Runs, Covered int64 }

func exploreAsJSON(t *testing.T, args ...string) (result exploreJSON) {
	t.Helper()
	got := mangrove(append([]string{"explore", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result), got.stderr)
	return result
}

func TestNumbersThatEndAreToldAsSuch(t *testing.T) {
	assert.Equal(t, "1 schedule", countOrMore(1, "schedule"))
	assert.Equal(t, "9223372036854775807 or more schedules", countOrMore(math.MaxInt64, "schedule"))
}

// A search says in how many of its runs each promise was judged, and its last line if that are too few.
func TestJudgedRunsAreCounted(t *testing.T) {
	few := mangrove("explore", "reduce", "P=4", "f=1", "faults<=2")
	assert.Equal(t, 0, few.status)
	assert.Contains(t, few.stdout, "judged       root gets the value of every live rank once, in order: in 10 of 22 runs\n")
	assert.Contains(t, few.stdout, "             no deadlock: in 22 of 22 runs\n")
	assert.True(t, strings.HasSuffix(few.stdout, "\nwarning: judged in less than half of the runs: \"root gets the value of every live rank once, in order\" in 10 of 22\n"), few.stdout)
	all := mangrove("explore", "reduce", "P=4", "f=1", "faults<=1")
	assert.Contains(t, all.stdout, "judged       root gets the value of every live rank once, in order: in 10 of 10 runs\n")
	assert.NotContains(t, all.stdout, "warning")
	fuzz := mangrove("fuzz", "reduce", "P=8", "f=1", "--runs", "50")
	assert.Regexp(t, `judged       root gets the value of every live rank once, in order: in [1-4]\d of 50 runs\n`, fuzz.stdout)
	assert.Regexp(t, `"judged":\{"runs":50,"promises":\[\{"name":"root gets the value of every live rank once, in order","judged":\d+,"broken":0\}`,
		mangrove("fuzz", "reduce", "P=8", "f=1", "--runs", "50", "--json").stdout)
}

// A run, and a search, in which nothing could be judged has an exit status of its own.
func TestNothingJudgedExitsWith3(t *testing.T) {
	for _, args := range [][]string{
		{"run", "reduce", "f=1", "faults=crash:1,crash:2,crash:3"},
		{"run", "reduce", "f=1", "faults=crash:1,crash:2,crash:3", "--json"},
		{"demo", "reduce", "P=8", "f=0", "faults=crash:1"},
		{"view", "reduce", "P=8", "f=0", "faults=crash:1", "--out", "-"},
	} {
		assert.Equal(t, 3, mangrove(args...).status, args)
	}
	got := mangrove("run", "reduce", "f=1", "faults=crash:1,crash:2,crash:3")
	assert.True(t, strings.HasSuffix(got.stdout, "\nnot claimed: at most 1 failure (3 ranks failed)\n"), got.stdout)
	assert.Empty(t, got.stderr)
}

// A run and an exploration go by the same rule: a broken guarantee, and nothing else. Ranks
// that wait because the root failed before anything reached them do no harm in both.
func TestRunAndExploreAgree(t *testing.T) {
	line := []string{"broadcast", "correction=failure-proof", "f=1", "P=10"}
	assert.Equal(t, 0, mangrove(append([]string{"explore", "--roots"}, line...)...).status)
	got := mangrove(append([]string{"run", "faults=crash:0@send1"}, line...)...)
	assert.Equal(t, 2, got.status, "the protocol comes first")
	line = append(line, "faults=crash:0@send1")
	got = mangrove(append([]string{"run"}, line...)...)
	assert.Equal(t, 3, got.status)
	assert.Contains(t, got.stdout, "waiting      9 for ever, which no guarantee forbids here\n")
	assert.Contains(t, got.stdout, "held         no deadlock: root failed (rank 0 crashed at t=0), only ranks that nothing reached wait\n")
	assert.NotContains(t, got.stdout, "deadlocked")
	assert.False(t, runJSON(t, 3, append([]string{"run", "--json"}, line...)...).Held)
	assert.Equal(t, 1, mangrove("run", "deadlocks", "P=2").status)
	assert.Equal(t, 1, mangrove("explore", "deadlocks", "P=2").status)
}

var broadcastOf24 = []string{"explore", "broadcast", "P=24", "correction=opportunistic", "d=2", "faults<=3"}

func TestInterruptedExplorationPrintsWhatItHasFound(t *testing.T) {
	got := interruptedInRun(2000, broadcastOf24...)
	assert.Equal(t, 130, got.status)
	assert.Equal(t, "mangrove: interrupted\n", got.stderr)
	assert.Contains(t, got.stdout, "INTERRUPTED  after about ")
	assert.Contains(t, got.stdout, "\nBROKEN by ")
	assert.NotContains(t, got.stdout, "\nruns         0")
}

func TestInterruptedExplorationAsJSON(t *testing.T) {
	got := interruptedInRun(2000, append(broadcastOf24, "--json")...)
	assert.Equal(t, 130, got.status)
	var result struct {
		Interrupted bool
		Done        float64
		Runs        int64
		Violations  []struct{ Line string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result))
	assert.True(t, result.Interrupted)
	assert.Positive(t, result.Runs)
	assert.NotEmpty(t, result.Violations)
	assert.Greater(t, 1.0, result.Done)
}
