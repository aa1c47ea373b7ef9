package scenarios_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestParseFillsInDefaults(t *testing.T) {
	run, err := catalog.ParseLine("broadcast")
	require.NoError(t, err)
	assert.Equal(t, clock.LogP{Ranks: 1024, Latency: 2, Overhead: 1}, run.Settings().LogP())
	assert.Equal(t, uint64(0), run.Settings().Seed())
	assert.Empty(t, run.Settings().Faults())
	assert.Equal(t, "binomial", run.Settings().Text("tree"))
	assert.Equal(t, "checked", run.Settings().Text("correction"))
	assert.Equal(t, "sync", run.Settings().Text("start"))
	assert.Equal(t, "broadcast", run.Protocol().Name)
	assert.Equal(t, []int{0}, run.Experiment().Roots)
}

func TestParseReadsEveryKey(t *testing.T) {
	run, err := catalog.ParseLine("broadcast G=4 g=3 o=5 L=7 P=16777216 seed=18446744073709551615 " +
		"faults=crash:3@send2,hang:1% start=sync correction=checked tree=binomial")
	require.NoError(t, err)
	assert.Equal(t, clock.LogP{Ranks: 1 << 24, Latency: 7, Overhead: 5, Gap: 3, PerByte: 4}, run.Settings().LogP())
	assert.Equal(t, uint64(math.MaxUint64), run.Settings().Seed())
	assert.Equal(t, faults.MustParse("crash:3@send2,hang:1%"), run.Settings().Faults())
}

func TestStringGivesBackWhatWasTyped(t *testing.T) {
	for _, line := range []string{
		"broadcast",
		"broadcast seed=7 P=64",
		"broadcast P=64 seed=7",
		"broadcast faults=crash:1 P=4", // not crash:1@t0, its canonical form
		"broadcast faults=none",
	} {
		run, err := catalog.ParseLine(line)
		require.NoError(t, err)
		assert.Equal(t, line, run.String())
	}
}

func TestBlanksSeparateWordsWhereverTheyAre(t *testing.T) {
	run, err := catalog.Parse([]string{" broadcast  P=64\n", "", "\tL=3"})
	require.NoError(t, err)
	assert.Equal(t, "broadcast P=64 L=3", run.String())
}

func TestParseNamesTheProblem(t *testing.T) {
	const ticks = "1099511627776"
	for _, c := range []struct{ name, line, want string }{
		{"empty line", "", "empty line, want a protocol: PROTOCOLS"},
		{"blank line", " \t\n", "empty line, want a protocol: PROTOCOLS"},
		{"unknown protocol", "paxos", `unknown protocol "paxos", want PROTOCOLS`},
		{"misspelt protocol", "brodcast", `unknown protocol "brodcast", want PROTOCOLS; did you mean broadcast?`},
		{"no protocol", "P=64", `unknown protocol "P=64", want PROTOCOLS`},

		{"unknown key", "broadcast colour=red", `unknown key "colour", broadcast has tree, k, numbering, root, correction, d, direction, f, delay, start, early, ring, repeat, period, bytes, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults`},
		{"misspelt key", "broadcast tre=binomial", `unknown key "tre", broadcast has tree, k, numbering, root, correction, d, direction, f, delay, start, early, ring, repeat, period, bytes, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; did you mean tree?`},
		{"key in the wrong case", "broadcast p=64", `unknown key "p", broadcast has tree, k, numbering, root, correction, d, direction, f, delay, start, early, ring, repeat, period, bytes, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; did you mean P?`},
		{"the papers' N", "big N=64", `unknown key "N", big has root, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; the number of ranks is P`},
		{"empty key", "broadcast =64", `unknown key "", broadcast has tree, k, numbering, root, correction, d, direction, f, delay, start, early, ring, repeat, period, bytes, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults`},
		{"duplicate key", "broadcast P=64 P=32", `"P=32": key P is set twice, first by "P=64"`},
		{"word without =", "broadcast 64", `"64": want key=value`},
		{"empty number", "broadcast P=", `"P=": empty value, want 1 to 2147483647`},
		{"empty choice", "broadcast tree=", `"tree=": empty value, want binomial, kary, lame or optimal`},
		{"empty schedule", "broadcast faults=", `"faults=": empty value, want none, crash:3@send2, ...`},

		{"no ranks", "broadcast P=0", `"P=0": want a number from 1 to 2147483647`},
		{"too many ranks", "broadcast P=2147483648", `"P=2147483648": want a number from 1 to 2147483647`},
		{"negative ranks", "broadcast P=-1", `"P=-1": want a number from 1 to 2147483647`},
		{"signed", "broadcast P=+1", `"P=+1": want a number from 1 to 2147483647`},
		{"no number", "broadcast P=many", `"P=many": want a number from 1 to 2147483647`},
		{"fraction", "broadcast P=1.5", `"P=1.5": want a number from 1 to 2147483647`},
		{"hexadecimal", "broadcast P=0x10", `"P=0x10": want a number from 1 to 2147483647`},
		{"leading zeros", "broadcast P=007", `"P=007": want no leading zeros`},
		{"no latency", "broadcast L=0", `"L=0": want a number from 1 to ` + ticks},
		{"no overhead", "broadcast o=0", `"o=0": want a number from 1 to ` + ticks},
		{"overhead overflows", "broadcast o=99999999999999999999", `"o=99999999999999999999": want a number from 1 to ` + ticks},
		{"gap too large", "broadcast g=1099511627777", `"g=1099511627777": want a number from 0 to ` + ticks},
		{"gap per byte", "broadcast G=x", `"G=x": want a number from 0 to ` + ticks},
		{"negative seed", "broadcast seed=-1", `"seed=-1": want a number from 0 to 18446744073709551615`},
		{"seed overflows", "broadcast seed=18446744073709551616", `"seed=18446744073709551616": want a number from 0 to 18446744073709551615`},

		{"unknown tree", "broadcast tree=oak", `"tree=oak": want binomial, kary, lame or optimal`},
		{"misspelt tree", "broadcast tree=Binomail", `"tree=Binomail": want binomial, kary, lame or optimal; did you mean binomial?`},
		{"unknown correction", "broadcast correction=red", `"correction=red": want checked, opportunistic, optimized, cautious, failure-proof, delayed, ack or none`},
		{"root beyond the ranks", "broadcast P=8 root=8", "root=8: P=8 has ranks 0 to 7"},
		{"arity of nothing", "broadcast tree=kary k=0", `"k=0": want a number from 1 to 2147483647`},
		{"one way with checked", "broadcast direction=left", "direction=left goes with correction=opportunistic, optimized or cautious, not with checked"},
		{"failure-proof on a chain", "broadcast correction=failure-proof ring=chain",
			"failure-proof correction on a chain, want a ring: at the end of a chain there are no f+1 ranks on one side"},
		{"series without time", "broadcast repeat=3 period=0", "repeat=3 period=0: broadcast: a series with a period of 0 ticks, want 1 or more for synchronized correction"},
		{"delay of nothing", "broadcast delay=soon", `"delay=soon": want auto or a number from 0 to 1099511627776`},
		{"too many trees", "multitree P=8 trees=8", "8 trees over 8 ranks, want 1 to 7"},
		{"unknown start", "broadcast start=now", `"start=now": want sync or overlapped`},

		{"malformed schedule", "broadcast faults=crash", `"faults=crash": item 1 "crash": want kind:ranks@point, such as crash:3@t0`},
		{"rank that does not exist", "broadcast P=64 faults=crash:99", `"faults=crash:99": crash:99@t0: rank 99, want 0 to 63`},
		{"fault listed twice", "broadcast faults=crash:9,crash:9@t0", `"faults=crash:9,crash:9@t0": crash:9@t0: listed twice`},
		{"more draws than ranks", "broadcast P=4 faults=crash:~5", `"faults=crash:~5": crash:~5@t0: number of ranks 5, want 1 to 4`},
		{"more draws than ranks to draw from", "broadcast P=4 faults=crash:~4", `"faults=crash:~4": crash:~4@t0: 4 ranks to draw, want at most the 3 that are not spared`},
		{"blank in the schedule", "broadcast faults=crash:1, hang:2",
			`"faults=crash:1,": item 2 "": want kind:ranks@point, such as crash:3@t0; "hang:2": want key=value`},
		{"very long word", "broadcast P=" + strings.Repeat("9", 100), `"P=` + strings.Repeat("9", 58) + `"...: want a number from 1 to 2147483647`},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, err := catalog.ParseLine(c.line)
			assert.Nil(t, run)
			require.EqualError(t, err, "scenarios: "+naming(c.want))
		})
	}
}

// naming fills in the names of all protocols.
func naming(text string) string {
	return strings.ReplaceAll(text, "PROTOCOLS", line.OneOf(catalog.All().Names()))
}

func TestParseListsAllProblemsAtOnce(t *testing.T) {
	_, err := catalog.ParseLine("broadcast P=0 tre=kary L=x faults=boom L=2 wat seed=-1")
	var input *line.InputError
	require.ErrorAs(t, err, &input)
	require.Len(t, input.Problems, 7)
	for i, part := range []string{`"P=0"`, `"tre"`, `"L=x"`, `"faults=boom"`, `"L=2": key L is set twice`, `"wat"`, `"seed=-1"`} {
		assert.Contains(t, input.Problems[i], part)
	}
}

// What does not go together is told once every word is right by itself.
func TestParseListsAllSettingsThatDoNotFit(t *testing.T) {
	_, err := catalog.ParseLine("broadcast P=8 root=9 direction=left")
	var input *line.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, []string{
		"root=9: P=8 has ranks 0 to 7",
		"direction=left goes with correction=opportunistic, optimized or cautious, not with checked",
	}, input.Problems)
	_, err = catalog.ParseLine("broadcast P=8 root=9 k=0")
	require.ErrorAs(t, err, &input)
	require.Len(t, input.Problems, 1)
}

func TestAnUnknownProtocolDoesNotHideOtherProblems(t *testing.T) {
	_, err := catalog.ParseLine("paxos fanout=3 P=64 o=0 faults=crash:64")
	var input *line.InputError
	require.ErrorAs(t, err, &input)
	assert.Equal(t, []string{
		naming(`unknown protocol "paxos", want PROTOCOLS`),
		`"o=0": want a number from 1 to 1099511627776`,
		`"faults=crash:64": crash:64@t0: rank 64, want 0 to 63`,
	}, input.Problems)
}

func TestKeysAcceptTheirOwnDefaultsAndTheMachineAgrees(t *testing.T) {
	for _, p := range catalog.All() {
		for _, k := range p.AllKeys() {
			assert.NoError(t, k.Check(k.Default), "%s of %s", k.Name, p.Name)
			assert.NotEmpty(t, k.Values, "%s of %s", k.Name, p.Name)
			assert.NotEmpty(t, k.Help, "%s of %s", k.Name, p.Name)
		}
	}
	for _, line := range []string{"broadcast P=1", "broadcast L=1 o=1 g=0 G=0 P=2",
		"broadcast P=2 L=1099511627776 o=1099511627776 g=1099511627776 G=1099511627776"} {
		run, err := catalog.ParseLine(line)
		require.NoError(t, err)
		assert.NoError(t, run.Config().LogP.Validate())
	}
}

func TestRandomFaultsSpareTheRootAndDependOnTheSeed(t *testing.T) {
	schedules := make(map[string]bool)
	for _, seed := range []string{"0", "1", "2"} {
		run, err := catalog.ParseLine("broadcast P=9 faults=crash:~7 seed=" + seed)
		require.NoError(t, err)
		schedule, err := run.Schedule()
		require.NoError(t, err)
		require.Len(t, schedule, 7)
		for _, f := range schedule {
			assert.NotZero(t, f.Rank)
		}
		schedules[schedule.String()] = true
	}
	assert.Greater(t, len(schedules), 1)

	run, err := catalog.ParseLine("broadcast P=4 faults=crash:0") // named, not drawn
	require.NoError(t, err)
	schedule, err := run.Schedule()
	require.NoError(t, err)
	assert.Equal(t, "crash:0@t0", schedule.String())
}

// What a machine's file says can be said on the line, for those who do not have the file.
func TestASpelledLineNeedsNoFile(t *testing.T) {
	file := writeFile(t, "tick = \"1us\"\nL = 12\no = 3\ng = 5\nG = 1\nnetwork = \"switch:7\"\n")
	for _, c := range []struct{ line, want string }{
		{"big P=8 seed=3 faults=crash:~2@t5", "big P=8 seed=3 faults=crash:~2@t5"},
		{"big P=8 machine=FILE", "big P=8 L=12 o=3 g=5 G=1 network=switch:7 tick=1us"},
		{"big machine=FILE L=99 ranks=8 network=uniform", "big L=99 ranks=8 network=uniform o=3 g=5 G=1 tick=1us"},
		{"membership overhead=9us machine=FILE P=8 until=5000us", "membership overhead=9us P=8 until=5000us L=12 g=5 G=1 network=switch:7 tick=1us"},
	} {
		run, err := catalog.ParseLine(strings.ReplaceAll(c.line, "FILE", file))
		require.NoError(t, err, c.line)
		assert.Equal(t, c.want, run.Spelled())
		spelled, err := catalog.ParseLine(run.Spelled())
		require.NoError(t, err, c.want)
		for _, key := range run.Protocol().AllKeys() {
			if key.Name != "machine" {
				assert.Equal(t, run.Settings().Text(key.Name), spelled.Settings().Text(key.Name), "%s: %s", c.line, key.Name)
			}
		}
		assert.Equal(t, run.Settings().Unit(), spelled.Settings().Unit())
		assert.Equal(t, run.Config().LogP, spelled.Config().LogP)
		assert.Equal(t, run.Config().Network, spelled.Config().Network)
	}
}

// writeFile makes a file with that text, and returns its name.
func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "machine.toml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}
