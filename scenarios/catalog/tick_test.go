package catalog

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestTimesAreTicksOfTheLine(t *testing.T) {
	want := clock.LogP{Ranks: 8, Latency: 46, Overhead: 15, Gap: 20, PerByte: 1}
	for _, line := range []string{
		"broadcast P=8 L=46 o=15 g=20 G=1",
		"broadcast P=8 L=4.6us o=1.5us g=0.002ms G=100ns tick=100ns",
		"broadcast tick=100ns P=8 L=46 o=1500ns g=20 G=1",
		"broadcast ranks=8 latency=4.6us overhead=1.5us gap=2us G=1 tick=0.1us",
		"broadcast ranks=8 latency=46 overhead=15 gap=20 G=1",
	} {
		run, err := ParseLine(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, run.Settings().LogP(), line)
		assert.Equal(t, line, run.String(), "as typed")
		assert.True(t, run.Settings().Typed("L"))
	}
	run, err := ParseLine("broadcast tick=1.5us")
	require.NoError(t, err)
	assert.Equal(t, line.Unit(1500), run.Settings().Unit())
	run, err = ParseLine("broadcast")
	require.NoError(t, err)
	assert.Zero(t, run.Settings().Unit())
}

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

func TestWrongTimesAreNamed(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"broadcast L=4.6us", `"L=4.6us": a time, but ticks have no unit; set one, such as tick=100ns, or give a number of ticks`},
		{"broadcast L=4.6us tick=none", `"L=4.6us": a time, but ticks have no unit; set one, such as tick=100ns, or give a number of ticks`},
		{"broadcast L=4.65us tick=100ns", `"L=4.65us": not a whole number of ticks of 100ns, the nearest are 4.6us and 4.7us`},
		{"broadcast tick=1.5us L=1us", `"L=1us": not a whole number of ticks of 1.5us, the nearest are 0ns and 1.5us`},
		{"broadcast L=0ns tick=1us", `"L=0ns": 0 ticks, want a number from 1 to 1099511627776`},
		{"broadcast L=2000s tick=1ns", `"L=2000s": 2000000000000 ticks, want a number from 1 to 1099511627776`},
		{"broadcast L=4.0001us tick=1ns", `"L=4.0001us": want whole nanoseconds`},
		{"broadcast L=4us5ns tick=1ns", `"L=4us5ns": want a time such as 100ns, 1.5us, 2ms or 1s`},
		{"broadcast L=4us tick=soon", `"tick=soon": want a time such as 100ns, 1.5us, 2ms or 1s`},
		{"broadcast L=4us tick=soon P=0", `"tick=soon": want a time such as 100ns, 1.5us, 2ms or 1s; "P=0": want a number from 1 to 16777216`},
		{"broadcast tick=0ns", `"tick=0ns": want a tick of 1ns to 1000s`},
		{"broadcast tick=1001s", `"tick=1001s": want a tick of 1ns to 1000s`},
		{"broadcast tick=5", `"tick=5": want a time such as 100ns, 1.5us, 2ms or 1s`},
		{"broadcast tick=1us tick=2us", `"tick=2us": key tick is set twice, first by "tick=1us"`},
		{"broadcast latency=3 L=2", `"L=2": key L is set twice, first by "latency=3"`},
		{"broadcast P=3 ranks=3", `"ranks=3": key P is set twice, first by "P=3"`},
		{"broadcast latency=0", `"latency=0": want a number from 1 to 1099511627776`},
		{"broadcast P=4us tick=1us", `"P=4us": want a number from 1 to 16777216`},
		{"broadcast period=1.5us tick=1us", `"period=1.5us": not a whole number of ticks of 1us, the nearest are 1us and 2us`},
		{"bfb detect=1us tick=1us", `detect=1, want auto or 4 (2o+L) or more`},
		{"big latencey=3", `unknown key "latencey", big has root, P, L, o, g, G, network, tick, machine, receive, seed, faults; did you mean latency?`},
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
