package command

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// withClocks is a run whose processes had clocks that differ.
func withClocks(t *testing.T, line string, differ time.Duration) *scenarios.Outcome {
	t.Helper()
	run, err := catalog.ParseLine(line)
	require.NoError(t, err)
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	outcome.Report.ClockError = differ
	outcome = run.Judge(outcome.Report)
	outcome.Processes = 4
	return outcome
}

// Times that cross clocks are told with what clocks may differ by. If that is nothing to speak of, nothing is said of it.
func TestTimesAreToldWithTheErrorOfClocks(t *testing.T) {
	var several, one bytes.Buffer
	require.NoError(t, printReport(&several, withClocks(t, "broadcast P=4 repeat=3 tick=1us", 40_512), "", ""))
	for _, row := range []string{
		`colouring .* ± 40\.5 us \(clocks\)`, `quiescence .* ± 40\.5 us \(clocks\)`, `exit .* ± 40\.5 us \(clocks\)`,
		`latency      median \S+ ticks \(\S+ us\) ± 40\.5 us \(clocks\), quartiles .*`,
		`clocks       those of several hosts: times from one process to another are ± 40\.5 us \(clocks\)`,
	} {
		assert.Regexp(t, "(?m)^"+row+"$", several.String())
	}
	require.NoError(t, printReport(&one, withClocks(t, "broadcast P=4 repeat=3 tick=1us", 4_999), "", ""))
	assert.NotContains(t, one.String(), "±")
	assert.Regexp(t, `(?m)^clocks       one$`, one.String())
}

// In tables the error is that of the run in which clocks differed most.
func TestTablesHaveTheErrorOfClocks(t *testing.T) {
	var out bytes.Buffer
	s := &launchSeries{app: &app{name: ours, stdout: &out}, emulated: &launch.Series{}}
	s.measured.Add(withClocks(t, "broadcast P=4 tick=1us", 20_000))
	s.measured.Add(withClocks(t, "broadcast P=4 tick=1us", 30_000))
	s.measured.Add(withClocks(t, "broadcast P=4 tick=1us", 300))
	s.emulated.Add(withClocks(t, "broadcast P=4 tick=1us", 0))
	s.printTable()
	assert.Equal(t, 3, strings.Count(out.String(), " ± 30 us (clocks) "), "colouring, quiescence and exit, but not what was emulated:\n%s", &out)
	assert.NotRegexp(t, `(?m)^messages.*±`, out.String())
}

// A line with times on it needs a tick, and gets one that is fine enough to measure in, if nothing depends on it.
func TestTicksAreAsFineAsTheyMayBe(t *testing.T) {
	a := &app{name: ours, registry: catalog.All()}
	for text, want := range map[string]string{
		"free broadcast correction=none P=4":                      "1us",
		"free broadcast correction=none P=4 period=5ms repeat=3":  "1us",
		"free broadcast correction=none P=4 tick=2us":             "2us",
		"free broadcast P=4":                                      "5ms", // correction begins by the clock
		"free broadcast P=4 repeat=3 period=100ms":                "5ms",
		"sends broadcast correction=none P=4":                     "5ms",
		"sends broadcast correction=none P=4 period=5ms repeat=3": "5ms",
	} {
		words := strings.Fields(text)
		pace := map[string]tcp.Pace{"free": tcp.Free, "sends": tcp.Sends}[words[0]]
		processes := 0
		run, err := a.launchLine(words[1:], &processes, pace)
		require.NoError(t, err, text)
		want, err := time.ParseDuration(want)
		require.NoError(t, err)
		assert.EqualValues(t, want, run.Settings().Unit(), text)
	}
	for _, text := range []string{"broadcast P=4 period=7ms repeat=3", "broadcast P=4 L=0 period=5ms"} {
		processes := 0
		_, err := a.launchLine(strings.Fields(text), &processes, tcp.Sends)
		require.Error(t, err, text)
	}
}

// On one host processes have one clock: nothing arrives before it was sent, and no broadcast takes no time.
func TestNoBroadcastOfProcessesTakesNoTime(t *testing.T) {
	got := mangrove("launch", "-n", "8", "broadcast", "correction=none", "repeat=10", "period=5ms", "--pace", "free")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, " tick=1us")
	assert.Regexp(t, `(?m)^clocks       one$`, got.stdout)
	fastest := regexp.MustCompile(`(?m)^latency .*, from (\d+) to `).FindStringSubmatch(got.stdout)
	require.NotNil(t, fastest, got.stdout)
	ticks, err := strconv.Atoi(fastest[1])
	require.NoError(t, err)
	assert.Positive(t, ticks)
}
