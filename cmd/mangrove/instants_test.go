package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// Cuts are explored like failures, and lines with them can be typed as they are printed.
func TestExploreCutsRanksOff(t *testing.T) {
	plain := mangrove("explore", "broadcast", "P=4")
	got := mangrove("explore", "broadcast", "P=4", "--cut", "30,0,4")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "crash, hang of any rank but the root (--roots: that, too); cut off at t=0,4,30\n")
	assert.Contains(t, got.stdout, "runs for which not everything was promised\n")
	assert.NotContains(t, plain.stdout, "cut off")
	assert.NotEqual(t, plain.stdout, got.stdout)
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "--cut", "0", "--json").stdout, `"cut":[0]`)
	assert.Contains(t, mangrove("explore", "broadcast", "P=3", "faults<=5").stdout, "only 2 ranks can fail")
	assert.NotContains(t, mangrove("explore", "broadcast", "P=3", "faults<=5", "--cut", "2").stdout, "can fail")
	assert.Equal(t, "mangrove run broadcast 'faults=cut:4|*@t0'", commandLine("broadcast faults=cut:4|*@t0"))
}

// Ranks come back only where a protocol lets them.
func TestOnlySomeProtocolsLetRanksComeBack(t *testing.T) {
	for _, args := range [][]string{
		{"explore", "broadcast", "P=4", "--rejoin", "20,50"},
		{"fuzz", "broadcast", "P=4", "--kinds", "crash,rejoin"},
		{"run", "broadcast", "P=4", "faults=crash:3,rejoin:3@t9"},
	} {
		got := mangrove(args...)
		assert.Equal(t, 2, got.status, args)
		assert.Contains(t, got.stderr, "broadcast does not let ranks come back", args)
	}
}

func TestTicksAreNumbers(t *testing.T) {
	for flag, want := range map[string]string{"--rejoin": "ticks from 1 to 1099511627776", "--cut": "ticks from 0 to 1099511627776"} {
		for _, value := range []string{"", "-1", "a", "1,", "1.5", "1099511627777"} {
			got := mangrove("explore", "broadcast", "P=4", flag, value)
			assert.Equal(t, 2, got.status, value)
			assert.Contains(t, got.stderr, want+", with commas between them", value)
		}
	}
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "--rejoin", "0").stderr, "--rejoin 0: want ticks from 1")
}

func TestFuzzKnowsCuts(t *testing.T) {
	got := mangrove("fuzz", "broadcast", "P=8", "--runs", "200", "--kinds", "cut", "--max-faults", "9")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "cut of any rank but the root")
	assert.Contains(t, got.stdout, "runs for which not everything was promised\n")
	assert.NotContains(t, got.stdout, "can fail")
}

// With a protocol that lets ranks come back they do.
func TestExploreLetsRanksComeBack(t *testing.T) {
	g := catalog.All()
	for i := range g {
		g[i].Rejoins = true
	}
	got := mangroveWith(t.Context(), g, "explore", "broadcast", "P=4", "faults<=2", "--rejoin", "9")
	require.NotEqual(t, 2, got.status, got.stderr)
	assert.Contains(t, got.stdout, "any rank but the root (--roots: that, too), back after 9 ticks\n")
	assert.Contains(t, got.stdout, ",rejoin:")
}
