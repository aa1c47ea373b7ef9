package line

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// writeFile makes a file with that text, and returns its name.
func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "machine.toml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

func TestAMachineFileIsRead(t *testing.T) {
	name := writeFile(t, `# measured on two hosts
#   in one rack
tick = "1ns"
L = 12_000
o = 2_300   # the send
g = 2_500
G = 1
network = "switch:900"

[measured]
round_trip = 33_212.5
when = 2026-11-15
hosts = ["a", "b"]
L = "anything"
[measured.deeper]
x = 1
`)
	f, err := ReadMachineFile(name)
	require.NoError(t, err)
	require.Equal(t, 33_212.5, f.Measured["round_trip"])
	require.Equal(t, "anything", f.Measured["L"])
	f.Measured = nil
	require.Equal(t, MachineFile{
		Comment: "measured on two hosts\n  in one rack", Tick: 1,
		Latency: 12_000, Overhead: 2_300, Gap: 2_500, PerByte: 1, Network: "switch:900",
	}, f)
}

func TestAnEmptyMachineFileSaysNothing(t *testing.T) {
	f, err := ReadMachineFile(writeFile(t, ""))
	require.NoError(t, err)
	require.Equal(t, MachineFile{}, f)
}

func TestMachineFilesReadBackEqual(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		cost := func(name string) clock.Time {
			return clock.Time(rapid.Int64Range(0, int64(clock.MaxCost)).Draw(t, name))
		}
		want := NewMachineFile(Unit(rapid.Int64Range(0, int64(longestTick)).Draw(t, "tick")),
			clock.LogP{Ranks: 2, Latency: cost("L"), Overhead: cost("o"), Gap: cost("g"), PerByte: cost("G")})
		want.Comment = rapid.SampledFrom([]string{"", "measured by: mangrove calibrate", "several\n\n  lines, \"#\" = 'x'\n"}).Draw(t, "comment")
		want.Network = rapid.SampledFrom([]string{"", "uniform", "switch:900", "torus:8x8x16:zyx"}).Draw(t, "network")
		want.Measured = rapid.SampledFrom([]map[string]any{
			nil,
			{"rounds": int64(500), "round_trip": 33_212.25, "whole": 3.0, "o": 2.5},
			{"hosts": []any{"a", "b"}, "deeper": map[string]any{"text": "with \"quotes\"\nand lines"}},
		}).Draw(t, "measured")

		name := filepath.Join(dir, "machine.toml")
		text, err := want.Marshal()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, text, 0o644))
		got, err := ReadMachineFile(name)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestAMachineFileLooksAsIfSomebodyHadWrittenIt(t *testing.T) {
	f := NewMachineFile(100, clock.LogP{Ranks: 2, Latency: 120, Overhead: 23, PerByte: 1})
	f.Comment, f.Measured = "measured by: mangrove calibrate", map[string]any{"round_trip": 332.5, "rounds": int64(500)}
	text, err := f.Marshal()
	require.NoError(t, err)
	require.Equal(t, `# measured by: mangrove calibrate
tick = "100ns"
L = 120
o = 23
g = 0
G = 1

[measured]
round_trip = 332.5
rounds = 500
`, string(text))
	f.Comment, f.Measured = "", map[string]any{}
	text, err = f.Marshal()
	require.NoError(t, err)
	require.Equal(t, "tick = \"100ns\"\nL = 120\no = 23\ng = 0\nG = 1\n", string(text), "nothing was measured")
}

// What could not be read is not written.
func TestMachineFilesThatCannotBeReadAreNotWritten(t *testing.T) {
	for says, f := range map[string]MachineFile{
		"L = -3: want a number from 1 to 1099511627776":            {Latency: -3},
		"o = 1099511627777: want a number from 1 to 1099511627776": {Overhead: clock.MaxCost + 1},
		"want a tick of 1ns to 1000s":                              {Tick: Unit(longestTick + 1)},
		"did you mean torus":                                       {Network: "tourus:2x2x2"},
		"control characters":                                       {Comment: "a\x01b"},
		"what was measured cannot be written":                      {Measured: map[string]any{"f": func() {}}},
		"would have":                                               {Comment: strings.Repeat("x", maxMachineFile)},
	} {
		_, err := f.Marshal()
		require.ErrorContains(t, err, says)
	}
}

func TestProblemsOfAMachineFileAreNamed(t *testing.T) {
	const cost = "a number from 1 to 1099511627776"
	for text, want := range map[string][]string{
		"L = 0":                   {"L = 0: want " + cost},
		"L = -7":                  {"L = -7: want " + cost},
		"o = 1_099_511_627_777":   {"o = 1099511627777: want " + cost},
		"g = -1":                  {"g = -1: want a number from 0 to 1099511627776"},
		"G = 0.5":                 {"G is 0.5, want a whole number of ticks"},
		"L = \"12us\"":            {"L is the text \"12us\", want a whole number of ticks"},
		"L = true":                {"L is true, want a whole number of ticks"},
		"o = [1]":                 {"o is a list, want a whole number of ticks"},
		"o = 2026-11-15":          {"o is a date, want a whole number of ticks"},
		"[g]\nx = 1":              {"g is a table, want a whole number of ticks"},
		"[[g]]\nx = 1":            {"g is a list, want a whole number of ticks"},
		"tick = 1":                {"tick is 1, want a text in quotes"},
		"tick = \"soon\"":         {"tick = \"soon\": want a time such as 100ns, 1.5us, 2ms or 1s"},
		"tick = \"0ns\"":          {"tick = \"0ns\": want a tick of 1ns to 1000s"},
		"network = 8":             {"network is 8, want a text in quotes"},
		"network = \"ring\"":      {"network = \"ring\": want " + networkForms},
		"network = \"torus:1\"":   {"network = \"torus:1\": want torus:8x8x16 or torus:8x8x16:zyx"},
		"network = \"switch:0\"":  {"network = \"switch:0\": service time = 0 ticks, want 1 to 1099511627776"},
		"l = 3":                   {"unknown key \"l\", want tick, L, o, g, G, Lin, oin, network, and anything in [measured]; did you mean L?"},
		"P = 3\nseed = 1\no = 0":  {"unknown key \"P\"", "o = 0: want " + cost, "unknown key \"seed\""},
		"measured = 3":            {"measured is 3, want a table"},
		"L = 3\nL = 4":            {"line 2", "already been defined"},
		"L = ":                    {"line 1"},
		"not a machine":           {"line 1: expected "},
		"o = 1\nL = [":            {"line 2 (last key \"L\"): "},
		"L = 9999999999999999999": {"out of range"},
		"L = 3 # \xff":            {"UTF-8"},
	} {
		name := writeFile(t, text)
		_, err := ReadMachineFile(name)
		var input *InputError
		require.ErrorAs(t, err, &input, text)
		for _, problem := range input.Problems {
			require.True(t, strings.HasPrefix(problem, name+": "), problem)
		}
		for _, part := range want {
			require.ErrorContains(t, err, part, text)
		}
	}
}

func TestFilesThatAreNoMachineFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	long := writeFile(t, strings.Repeat("# long\n", maxMachineFile/7+1))
	just := writeFile(t, strings.Repeat("#", maxMachineFile))
	_, err := ReadMachineFile(just)
	require.NoError(t, err)
	for name, want := range map[string]string{
		filepath.Join(dir, "missing"): "cannot be read: no such file",
		filepath.Join(just, "below"):  "cannot be read: not a directory",
		dir:                           "is a folder, want a file",
		os.DevNull:                    "is not an ordinary file",
		long:                          "has more than 65536 bytes, want up to that",
		"a\x00b":                      "cannot be read: invalid argument",
	} {
		_, err := ReadMachineFile(name)
		require.ErrorContains(t, err, name+": "+want)
		var input *InputError
		require.ErrorAs(t, err, &input)
	}
}
