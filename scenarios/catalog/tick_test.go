package catalog

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// A line that gives times is the same run as one that gives the ticks.
func TestTimesGoWithAllKeysThatAreTicks(t *testing.T) {
	executor := scenarios.NewExecutor(scenarios.Options{})
	hash := func(line string) string {
		run, err := ParseLine(line)
		require.NoError(t, err, line)
		outcome, err := executor.Run(context.Background(), run)
		require.NoError(t, err, line)
		return outcome.Report.Hash.String()
	}
	for ticks, times := range map[string]string{
		"broadcast P=9 repeat=3 period=500":            "broadcast P=9 repeat=3 period=1ms tick=2us",
		"broadcast P=9 correction=delayed delay=40":    "broadcast P=9 correction=delayed delay=4us tick=100ns",
		"gossip P=9 variant=ocg T=12 C=20":             "gossip P=9 variant=ocg T=12ns C=20ns tick=1ns",
		"bfb P=9 detect=40 faults=crash:3@send1":       "bfb P=9 detect=40s tick=1s faults=crash:3@send1",
		"big P=9 network=switch:7":                     "big P=9 network=switch:700ns tick=100ns",
		"broadcast P=9 repeat=3 period=auto delay=0":   "broadcast P=9 repeat=3 period=auto delay=0ns tick=100ns",
		"broadcast P=9 L=30 start=overlapped repeat=2": "broadcast P=9 latency=3us start=overlapped repeat=2 tick=100ns",
	} {
		assert.Equal(t, hash(ticks), hash(times), times)
	}
}

func TestWrongTimesOfProtocolsAreNamed(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"broadcast period=1.5us tick=1us", `"period=1.5us": not a whole number of ticks of 1us, the nearest are 1us and 2us`},
		{"bfb detect=1us tick=1us", `detect=1, want auto or 4 (2o+L) or more`},
	} {
		_, err := ParseLine(c.line)
		require.EqualError(t, err, "scenarios: "+c.want, c.line)
	}
}

func TestFiguresAndJSONHaveTheUnit(t *testing.T) {
	run, err := ParseLine("bfb P=8 tick=100ns")
	require.NoError(t, err)
	outcome, err := run.Execute(context.Background(), scenarios.Options{})
	require.NoError(t, err)
	assert.Equal(t, "t=24 (2.4 us), the root knows, after 1 attempt", outcome.Details[0].Text)
	text, err := json.Marshal(outcome)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"tick_ns":100,`)

	run, err = ParseLine("broadcast P=16 start=overlapped repeat=2 tick=1us")
	require.NoError(t, err)
	outcome, err = run.Execute(context.Background(), scenarios.Options{})
	require.NoError(t, err)
	assert.Contains(t, outcome.Details[1].Text, " us), quartiles ")

	run, err = ParseLine("bfb P=8")
	require.NoError(t, err)
	outcome, err = run.Execute(context.Background(), scenarios.Options{})
	require.NoError(t, err)
	assert.Equal(t, "t=24, the root knows, after 1 attempt", outcome.Details[0].Text)
	text, err = json.Marshal(outcome)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "tick_ns")
}

// Keys under their other names are made smaller like others.
func TestShrinkKnowsOtherNames(t *testing.T) {
	run, err := ParseLine("broadcast ranks=40 correction=none latency=9 tick=1us overhead=2us faults=crash:1")
	require.NoError(t, err)
	small, err := run.Shrink(context.Background(), scenarios.ShrinkOptions{Runs: 200})
	require.NoError(t, err)
	assert.Equal(t, "broadcast P=4 correction=none tick=1us faults=crash:1@t0", small.Line)
}
