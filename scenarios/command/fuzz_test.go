package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFuzzReportsLinesToPaste(t *testing.T) {
	args := []string{"fuzz", "broadcast", "P=32", "correction=opportunistic", "d=2", "--runs", "2000", "--workers", "1"}
	got := mangrove(args...)
	assert.Equal(t, 1, got.status)
	golden(t, "fuzz-broken", got.stdout)
	line := reproducer(t, got.stdout)
	assert.Equal(t, 1, mangrove(append([]string{"run"}, strings.Fields(line)...)...).status)
	calm := mangrove("fuzz", "broadcast", "P=16", "--runs", "500", "--max-faults", "1", "--json", "--check")
	assert.Equal(t, 0, calm.status)
	assert.Contains(t, calm.stdout, `"violations":[]`)
	assert.Contains(t, calm.stdout, `"checked":true`)
}

// fuzzJSON is what tests look at in the JSON of a campaign.
type fuzzJSON struct {
	Interrupted bool
	Violations  []struct{ Line, Found string }
}

func fuzzAsJSON(t *testing.T, args ...string) (result fuzzJSON) {
	t.Helper()
	got := mangrove(append([]string{"fuzz", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result), got.stderr)
	return result
}

// What shapes the protocol stays as typed: another distance or tree is another question.
func TestFuzzKeepsWhatTheLineSays(t *testing.T) {
	for _, words := range []string{
		"broadcast P=32 correction=opportunistic d=2 start=overlapped tree=lame k=3",
		"broadcast P=20 tree=kary k=4 correction=none repeat=2",
	} {
		words += " seed=7"
		result := fuzzAsJSON(t, words, "--runs", "3000", "--max-faults", "6", "--kinds", "crash,hang")
		require.NotEmpty(t, result.Violations, words)
		for _, v := range result.Violations {
			for _, word := range strings.Fields(words) {
				if !strings.HasPrefix(word, "P=") && !strings.HasPrefix(word, "seed=") {
					assert.Contains(t, " "+v.Line+" ", " "+word+" ")
				}
			}
			assert.True(t, strings.HasPrefix(v.Found, words+" faults="), "as it was found: %s", v.Found)
		}
	}
}

// No two entries have the same line.
func TestFuzzListsALineOnce(t *testing.T) {
	for _, words := range []string{"broadcast P=24 correction=opportunistic d=1", "broadcast P=16 correction=ack", "reduce P=12 f=1"} {
		seen := make(map[string]bool)
		for _, v := range fuzzAsJSON(t, words, "--runs", "2000", "--roots").Violations {
			assert.False(t, seen[v.Line], v.Line)
			seen[v.Line] = true
		}
	}
}

func TestFuzzDoesNotSayThatItMadeSmallerWhatItDidNot(t *testing.T) {
	got := mangrove("fuzz", "broadcast", "P=8", "correction=none", "--runs", "20", "--shrink", "0")
	assert.Equal(t, 1, got.status)
	assert.NotContains(t, got.stdout, "made smaller")
	assert.NotContains(t, got.stdout, "found as")
	assert.Contains(t, got.stdout, "as found; mangrove shrink makes it smaller\nmangrove run broadcast P=8")
}

func TestFuzzKnowsSlowRanks(t *testing.T) {
	got := mangrove("fuzz", "broadcast", "P=8", "--runs", "20", "--kinds", "slow")
	assert.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "failures     slow of any rank but the root")
	assert.Contains(t, mangrove("help", "fuzz").stdout, "some of crash,hang,slow,rejoin,cut")
}

// Lines that promise something about cut links have some cut, unless the user says which kinds of failures to try.
func TestFuzzCutsLinksWhereSomethingIsPromised(t *testing.T) {
	for words, failures := range map[string]string{
		"membership P=4 minority=abort":               "crash, hang, cut of any rank; messages are late",
		"membership P=4":                              "crash, hang of any rank; messages are late",
		"membership P=1 minority=abort":               "crash, hang of any rank",
		"membership P=4 minority=abort --kinds crash": "crash of any rank",
	} {
		got := mangrove(append(append([]string{"fuzz"}, strings.Fields(words)...), "--runs", "20")...)
		assert.Equal(t, 0, got.status, "%s: %s", words, got.stderr)
		assert.Contains(t, got.stdout, "failures     "+failures+"\n", words)
	}
}

func TestInterruptedFuzzPrintsWhatItHasFound(t *testing.T) {
	calm := interruptedInRun(200, "fuzz", "broadcast", "P=16", "--max-faults", "1", "--time", "1h")
	assert.Equal(t, 130, calm.status)
	assert.Equal(t, "mangrove: interrupted\n", calm.stderr)
	assert.Contains(t, calm.stdout, "INTERRUPTED  after ")
	broken := interruptedInRun(200, "fuzz", "broadcast", "P=16", "correction=none", "seed=3", "--time", "1h", "--json")
	assert.Equal(t, 1, broken.status)
	assert.Contains(t, broken.stdout, `"interrupted":true`)
	assert.Contains(t, broken.stdout, `"violations":[{"line":"broadcast P=16 correction=none seed=3 faults=`)
}
