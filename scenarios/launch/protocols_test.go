package launch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// more is what a line of a protocol needs so that it does not take long, where its defaults do.
var more = map[string]string{
	"bfb":         "tick=1ms",
	"membership":  "tick=2ms until=500",
	"samplesort":  "n=5000 generate=0",
	"tpch-q3":     "sf=0.001 generate=0",
	"calibration": "tick=1us rounds=20 warmup=2 bursts=2 trips=2 largest=4096",
}

// steady are the figures that say what a protocol has computed, and not when.
var steady = []string{"result", "sorted", "answer", "view", "broadcasts"}

// The registry decides what is run: a protocol that is new is run, too.
func TestEveryProtocolRunsOnProcesses(t *testing.T) {
	for _, p := range scenarios.Protocols() {
		t.Run(p.Name, func(t *testing.T) { runsOnProcesses(t, p.Name) })
	}
}

func runsOnProcesses(t *testing.T, protocol string) {
	line := strings.TrimSpace(fmt.Sprintf("%s P=%d %s", protocol, *processes, more[protocol]))
	if !strings.Contains(line, "tick=") {
		line += " tick=5ms"
	}
	run, err := scenarios.ParseLine(line)
	require.NoError(t, err, line)
	outcome, err := launch.Launch(t.Context(), run, launch.Options{Command: workers(t.Name()), Pace: tcp.Model, Stderr: t.Output()})
	require.NoError(t, err, line)
	requireNoneLeft(t, t.Name())
	requireHeld(t, outcome)
	assert.Empty(t, outcome.Report.Failed, line)
	assert.Empty(t, outcome.Report.Deadlocks, line)
	assert.Equal(t, *processes, outcome.Processes)

	emulated, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	assert.Equal(t, computed(emulated), computed(outcome), line)
	assert.Equal(t, verdicts(emulated), verdicts(outcome), line)
	if run.Experiment().Roots != nil {
		assert.Equal(t, emulated.Report.Messages, outcome.Report.Messages, line)
	}
}

// computed are the results of a run, as far as they do not depend on how long anything takes.
func computed(outcome *scenarios.Outcome) (all []scenarios.Figure) {
	for _, f := range outcome.Figures {
		for _, name := range steady {
			if f.Name == name {
				all = append(all, f)
			}
		}
	}
	return all
}

func verdicts(outcome *scenarios.Outcome) (all []string) {
	for _, g := range outcome.Guarantees {
		all = append(all, fmt.Sprint(g.Held, " ", g.Name))
	}
	return all
}

// requireHeld fails with the line of a run whose guarantees did not hold.
func requireHeld(t *testing.T, outcome *scenarios.Outcome) {
	t.Helper()
	require.NotEmpty(t, outcome.Guarantees, outcome.Line)
	for _, g := range outcome.Guarantees {
		require.True(t, g.Held, "%s\nBROKEN %s: %s\nfailed %v, never fired %s, notes %q", outcome.Line, g.Name, g.Evidence,
			outcome.Report.Failed, outcome.Report.Unfired, outcome.Notes)
	}
}

var _ = time.Second
