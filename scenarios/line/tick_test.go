package line

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
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
		l, err := read(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, l.Settings().LogP(), line)
		assert.Equal(t, line, l.String(), "as typed")
		assert.True(t, l.Settings().Typed("L"))
	}
	l, err := read("broadcast tick=1.5us")
	require.NoError(t, err)
	assert.Equal(t, Unit(1500), l.Settings().Unit())
	l, err = read("broadcast")
	require.NoError(t, err)
	assert.Zero(t, l.Settings().Unit())
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
		{"broadcast L=4us tick=soon P=0", `"tick=soon": want a time such as 100ns, 1.5us, 2ms or 1s; "P=0": want a number from 1 to 2147483647`},
		{"broadcast tick=0ns", `"tick=0ns": want a tick of 1ns to 1000s`},
		{"broadcast tick=1001s", `"tick=1001s": want a tick of 1ns to 1000s`},
		{"broadcast tick=5", `"tick=5": want a time such as 100ns, 1.5us, 2ms or 1s`},
		{"broadcast tick=1us tick=2us", `"tick=2us": key tick is set twice, first by "tick=1us"`},
		{"broadcast latency=3 L=2", `"L=2": key L is set twice, first by "latency=3"`},
		{"broadcast P=3 ranks=3", `"ranks=3": key P is set twice, first by "P=3"`},
		{"broadcast latency=0", `"latency=0": want a number from 1 to 1099511627776`},
		{"broadcast P=4us tick=1us", `"P=4us": want a number from 1 to 2147483647`},
		{"big latencey=3", `unknown key "latencey", big has root, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; did you mean latency?`},
	} {
		_, err := read(c.line)
		require.EqualError(t, err, "scenarios: "+c.want, c.line)
	}
}

func TestWhatIsMeantAsATime(t *testing.T) {
	for text, is := range map[string]bool{"5us": true, "0s": true, "9.5ms": true, "5": false, "": false, "s": false, "-5us": false, "+5us": false, ":5us": false, "xs": false} {
		require.Equal(t, is, isTime(text), text)
	}
}
