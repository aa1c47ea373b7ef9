package line

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

const measuredMachine = `# a test
tick = "100ns"
L = 120
o = 23
g = 25
G = 2
[measured]
rounds = 500
`

func TestAFileTakesThePlaceOfDefaults(t *testing.T) {
	name := writeFile(t, measuredMachine)
	text := "big P=8 machine=" + name
	l := mustRead(t, text)
	require.Equal(t, text, l.String(), "the file stays a reference")
	s := l.Settings()
	require.Equal(t, clock.LogP{Ranks: 8, Latency: 120, Overhead: 23, Gap: 25, PerByte: 2}, s.LogP())
	require.Equal(t, Unit(100), s.Unit())
	require.Nil(t, s.Network())
	for _, key := range machineFileKeys {
		require.False(t, s.Typed(key), key)
	}
	require.True(t, s.Typed("machine"))
	require.Equal(t, name, s.Text("machine"))
}

func TestWhatIsTypedWins(t *testing.T) {
	name := writeFile(t, measuredMachine)
	for _, order := range []string{"big P=64 L=9 o=2.3us machine=" + name, "big machine=" + name + " overhead=2.3us latency=900ns P=64"} {
		s := mustRead(t, order).Settings()
		require.Equal(t, clock.LogP{Ranks: 64, Latency: 9, Overhead: 23, Gap: 25, PerByte: 2}, s.LogP(), "times are read by the tick of the file")
		require.True(t, s.Typed("L"))
		require.False(t, s.Typed("g"))
	}
	name = writeFile(t, "network = \"torus:4x4x4\"\nL = 3")
	require.Equal(t, clock.Torus{X: 4, Y: 4, Z: 4, PerHop: 3}, mustRead(t, "big P=64 machine="+name).Settings().Network())
	require.Equal(t, clock.Torus{X: 4, Y: 4, Z: 4, PerHop: 5}, mustRead(t, "big P=64 L=5 machine="+name).Settings().Network())
	require.Nil(t, mustRead(t, "big P=65 network=uniform machine="+name).Settings().Network())
	require.Equal(t, Unit(7000), mustRead(t, "big P=64 tick=7us machine="+name).Settings().Unit(), "the file has none")
	name = writeFile(t, "tick = \"1us\"\nnetwork = \"switch:2us\"")
	require.Equal(t, clock.Switch{In: 1, Service: 2, Out: 1}, mustRead(t, "big P=64 machine="+name).Settings().Network())
}

// Typed words win over the file, and the file over defaults, whatever is in either.
func TestEveryKeyHasItsValueFromLineFileOrDefault(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		name := filepath.Join(dir, "machine.toml")
		file, line := "", "big P=4 machine="+name
		for key, want := range map[string]struct{ usual, inFile, typed string }{
			"L": {"2", "11", "21"}, "o": {"1", "12", "22"}, "g": {"0", "13", "23"}, "G": {"0", "14", "24"},
		} {
			value := want.usual
			if rapid.Bool().Draw(t, key+" in the file") {
				value = want.inFile
				file += key + " = " + value + "\n"
			}
			typed := rapid.Bool().Draw(t, key+" typed")
			if typed {
				value = want.typed
				line += " " + key + "=" + value
			}
			defer func() {
				l, err := read(line)
				require.NoError(t, err)
				require.Equal(t, value, l.Settings().Text(key))
				require.Equal(t, typed, l.Settings().Typed(key))
				require.Equal(t, line, l.String())
			}()
		}
		require.NoError(t, os.WriteFile(name, []byte(file), 0o644))
	})
}

func TestNoMachineIsTheDefault(t *testing.T) {
	typed, unsaid := mustRead(t, "big P=4 machine=none"), mustRead(t, "big P=4")
	require.Equal(t, unsaid.Settings().LogP(), typed.Settings().LogP())
	require.Equal(t, "none", unsaid.Settings().Text("machine"))
	require.True(t, typed.Settings().Typed("machine"))
	require.False(t, unsaid.Settings().Typed("machine"))
}

func TestProblemsWithTheMachineOfALineAreNamed(t *testing.T) {
	good, small := writeFile(t, measuredMachine), writeFile(t, "network = \"torus:2x2x2\"")
	wrong, dir := writeFile(t, "L = 0\ncolour = \"red\"\n"), t.TempDir()
	const blanks = "; blanks separate words, so there can be none in the name of a file"
	for _, c := range []struct {
		line string
		want []string
	}{
		{"big machine=", []string{`"machine=": empty value, want none, or a file, such as one that mangrove calibrate has written`}},
		{"big machine=" + wrong, []string{
			`"machine=` + wrong + `": L = 0: want a number from 1 to 1099511627776`,
			`"machine=` + wrong + `": unknown key "colour", want tick, L, o, g, G, Lin, oin, network, and anything in [measured]`}},
		{"big machine=" + dir, []string{`"machine=` + dir + `": is a folder, want a file`}},
		{"big machine=" + dir + "/missing", []string{`"machine=` + dir + `/missing": cannot be read: no such file or directory`}},
		{"big machine=" + dir + "/my machine.toml", []string{`"machine=` + dir + `/my": cannot be read: no such file or directory` + blanks, `"machine.toml": want key=value`}},
		// What cannot be known without the file is not complained about.
		{"big L=5us network=switch:2us machine=" + dir + " o=0", []string{`"machine=` + dir + `": is a folder, want a file`, `"o=0": want a number from 1 to 1099511627776`}},
		{"big machine=" + good + " machine=none", []string{Quote("machine=none") + ": key machine is set twice"}},
		{"big machine=" + good + " tick=1us", []string{`"tick=1us": the file of the machine has tick=100ns, and its L, o, g and G are in these ticks; want one of the two`}},
		{"big tick=100ns machine=" + good, []string{`"tick=100ns": the file of the machine has tick=100ns, and its L, o, g and G are in these ticks; want one of the two`}},
		{"big machine=" + good + " L=4.65us", []string{`"L=4.65us": not a whole number of ticks of 100ns, the nearest are 4.6us and 4.7us`}},
		{"big P=9 machine=" + small, []string{`"network=torus:2x2x2" of ` + Quote("machine="+small) + `: 8 nodes, and P=9 ranks; want P up to 8, or more nodes`}},
	} {
		_, err := read(c.line)
		var input *InputError
		require.ErrorAs(t, err, &input, c.line)
		require.Len(t, input.Problems, len(c.want), "%s: %v", c.line, err)
		for i, want := range c.want {
			require.Contains(t, input.Problems[i], want, c.line)
		}
	}
}

func TestASpelledLineSaysWhatTheFileSays(t *testing.T) {
	name := writeFile(t, measuredMachine)
	require.Equal(t, "big P=8 g=30 L=120 o=23 G=2 tick=100ns", mustRead(t, "big P=8 machine="+name+" g=30").Spelled())
	require.Equal(t, "big P=8", mustRead(t, "big P=8").Spelled())
}
