package command

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestCheckRunsTwice(t *testing.T) {
	got := mangrove("run", "broadcast", "P=100", "--check", "--workers", "2")
	assert.Equal(t, 0, got.status)
	assert.Contains(t, got.stdout, "checked      run twice, with 2 and 1 workers: same hash\n")
	assert.NotContains(t, mangrove("run", "broadcast", "P=100").stdout, "checked")
	assert.Contains(t, mangrove("run", "broadcast", "P=100", "--check", "--json").stdout, `"held":true,"checked":true,"verdict":"held","guarantees":`)
	got = mangrove("run", "fickle", "P=2", "--check")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stderr, "the run does not repeat: hash ")
	assert.Contains(t, got.stderr, "replay: mangrove run fickle P=2")
}

func TestBadSearchesAreRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"explore", "broadcast", "faults<=0"}, `"faults<=0": want faults<= and a number from 1 to 999`},
		{[]string{"explore", "broadcast", "faults<2"}, `"faults<2": want faults<= and a number`},
		{[]string{"explore", "broadcast", "faults<=1", "faults<=2"}, `"faults<=2": faults<= is set twice`},
		{[]string{"explore", "broadcast", "faults<=1", "--max-faults", "1"}, `both faults<=1 and --max-faults 1, want one of them`},
		{[]string{"explore", "broadcast", "--max-faults", "1000"}, `--max-faults 1000: want a whole number from 1 to 999`},
		{[]string{"explore", "broadcast", "faults=crash:1"}, `"faults=crash:1": that happens in every run; want 'faults<=N' beside it`},
		{[]string{"explore", "broadcast", "faults=crash:1", "--orders"}, `"faults=crash:1": that happens in every run`},
		{[]string{"explore", "broadcast", "faults=crash:1", "faults<=1", "--orders"}, `--orders: any number of messages is late, and nobody fails`},
		{[]string{"explore", "broadcast", "faults=crash:1,rejoin:1@t9", "faults<=1"}, `broadcast does not let ranks come back`},
		{[]string{"explore", "collective", "P=4", "--rejoin", "9"}, `--rejoin 9: collective lets ranks come back only with strategy=respawn`},
		{[]string{"explore", "membership", "P=4", "--rejoin", "5"}, `--rejoin 5 with faults<=1: nobody would come back, as a failure and a rejoin are two faults; want faults<= and a number from 2 to 999`},
		{[]string{"explore", "membership", "P=4", "--rejoin", "5,9", "faults<=1", "delays<=1"}, `--rejoin 5,9 with faults<=1 delays<=1: nobody would come back`},
		{[]string{"explore", "membership", "P=4", "--rejoin", "5", "--max-delays", "1"}, `--rejoin 5 with delays<=1: nobody would come back`},
		{[]string{"explore", "membership", "P=4", "--rejoin", "5", "faults=cut:1|*", "faults<=1"}, `--rejoin 5 with faults<=1: nobody would come back`},
		{[]string{"explore", "membership", "P=4", "--rejoin", "5", "faults=crash:1", "delays<=1"}, `--rejoin 5 with delays<=1: nobody would come back by that, as a rejoin is a fault; want faults<= and a number from 1 to 999`},
		{[]string{"explore", "membership", "P=4", "--rejoin", "5", "--orders"}, `--orders: want none of --every, --seeds, --rejoin`},
		{[]string{"fuzz", "membership", "P=4", "--kinds", "crash,rejoin", "--max-faults", "1"}, `--kinds crash,rejoin with --max-faults 1: nobody would come back, as a failure and a rejoin are two faults; want --max-faults 2 to 999`},
		{[]string{"explore", "broadcast", "--kinds", "crash,melt"}, `--kinds crash,melt: want some of crash,hang, with commas`},
		{[]string{"explore", "broadcast", "--kinds", "slow"}, `--kinds slow: want some of crash,hang, with commas`},
		{[]string{"explore", "broadcast", "--kinds", "crash,crash"}, `--kinds crash,crash: want each kind once`},
		{[]string{"explore", "broadcast", "--kinds", ""}, `--kinds '': want some of crash,hang`},
		{[]string{"explore", "broadcast", "--workers", "-1"}, `--workers -1: want a whole number from 0 to 4096`},
		{[]string{"explore", "broadcast", "--workers", "5000"}, `--workers 5000: want a whole number from 0 to 4096`},
		{[]string{"explore", "chatter"}, `unknown protocol "chatter"`},
		{[]string{"fuzz", "broadcast", "faults=crash:1"}, `want --max-faults for how many`},
		{[]string{"fuzz", "broadcast", "faults<=2"}, `"faults<=2": want --max-faults 2`},
		{[]string{"fuzz", "broadcast", "faults<2"}, `"faults<2": want --max-faults N`},
		{[]string{"fuzz", "broadcast", "--max-faults", "0"}, `--max-faults 0: want a whole number from 1 to 999`},
		{[]string{"fuzz", "broadcast", "--max-faults", "1000"}, `--max-faults 1000: want a whole number from 1 to 999`},
		{[]string{"fuzz", "broadcast", "--runs", "-1"}, `--runs -1: want a whole number, 0 or more`},
		{[]string{"fuzz", "broadcast", "--runs", "x"}, `--runs x: want a whole number, 0 or more`},
		{[]string{"fuzz", "broadcast", "--time", "-1s"}, `--time -1s: want a time such as 30s or 5m, 0 or more`},
		{[]string{"fuzz", "broadcast", "--time", "soon"}, `--time soon: want a time such as 30s`},
		{[]string{"fuzz", "broadcast", "--seed", "-1"}, `--seed -1: want a whole number from 0 to 18446744073709551615`},
		{[]string{"fuzz", "broadcast", "--workers", "x"}, `--workers x: want a whole number from 0 to 4096`},
		{[]string{"fuzz", "broadcast", "--shrink", "-1"}, `--shrink -1: want a whole number, 0 or more`},
		{[]string{"fuzz", "broadcast", "--kinds", "melt"}, `--kinds melt: want some of crash,hang,slow`},
		{[]string{"fuzz", "broadcast", "--json=x"}, `invalid argument "x" for "--json" flag`},
		{[]string{"shrink", "broadcast", "--runs", "-1"}, `--runs -1: want a whole number, 1 or more`},
		{[]string{"shrink", "broadcast", "faults<=2"}, `"faults<=2": want a line with the faults that break something`},
		{[]string{"run", "broadcast", "faults<=2"}, `'mangrove explore' runs all schedules of up to 2`},
		{[]string{"demo", "broadcast", "faults<=2"}, `'mangrove explore' runs all schedules of up to 2`},
	} {
		got := mangrove(c.args...)
		assert.Equal(t, 2, got.status, c.args)
		assert.Contains(t, got.stderr, c.want)
		assert.NotContains(t, got.stderr, "strconv")
		assert.Empty(t, got.stdout)
	}
}

func TestSearchesAreRefusedThatDoNotFitIntoMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // nobody knows how much memory there is
	}
	for _, command := range [][]string{{"explore", "broadcast"}, {"fuzz", "gossip", "--runs", "1"}, {"shrink", "big", "faults=crash:1"}} {
		got := mangrove(append(command, "P=16777216")...)
		assert.Equal(t, statusInput, got.status, command)
		assert.Contains(t, got.stderr, "not enough memory for P=16777216", command)
	}
}

// Cuts are explored like failures, and lines with them can be typed as they are printed.
func TestExploreCutsRanksOff(t *testing.T) {
	plain := mangrove("explore", "broadcast", "P=4")
	got := mangrove("explore", "broadcast", "P=4", "--cut", "30,0,4")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "crash, hang of any rank but the root (--roots: that, too); cut off at t=0,4,30\n")
	assert.Contains(t, got.stdout, "judged       reaches every live rank: in 20 of 26 runs\n")
	assert.NotContains(t, plain.stdout, "cut off")
	assert.NotEqual(t, plain.stdout, got.stdout)
	assert.Contains(t, mangrove("explore", "broadcast", "P=4", "--cut", "0", "--json").stdout, `"cut":[0]`)
	assert.Contains(t, mangrove("explore", "broadcast", "P=3", "faults<=5").stdout, "only 2 ranks can fail")
	assert.NotContains(t, mangrove("explore", "broadcast", "P=3", "faults<=5", "--cut", "2").stdout, "can fail")
	assert.Equal(t, "mangrove run broadcast 'faults=cut:4|*@t0'", commandName(ours).run("broadcast faults=cut:4|*@t0"))
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

// A failure and a rejoin are two faults, and two will do.
func TestFuzzLetsRanksComeBackWithTwoFaults(t *testing.T) {
	got := mangrove("fuzz", "membership", "P=4", "--runs", "3", "--kinds", "crash,rejoin", "--max-faults", "2")
	assert.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "rejoin")
}

func TestFuzzKnowsCuts(t *testing.T) {
	got := mangrove("fuzz", "broadcast", "P=8", "--runs", "200", "--kinds", "cut", "--max-faults", "9")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "cut of any rank but the root")
	assert.Contains(t, got.stdout, "warning: judged in less than half of the runs: \"reaches every live rank\" in 2 of 200")
	assert.NotContains(t, got.stdout, "can fail")
}

// The faults of a line happen in all runs of an exploration, and more besides.
func TestExploreGoesOnFromTheFaultsOfTheLine(t *testing.T) {
	got := mangrove("explore", "broadcast", "P=4", "correction=none", "faults=hang:3@recv1", "faults<=1")
	require.Equal(t, 1, got.status, got.stderr)
	assert.Contains(t, got.stdout, "broadcast P=4 correction=none faults=hang:3@recv1 faults<=1\n")
	assert.Contains(t, got.stdout, "any rank but the root (--roots: that, too), besides those of the line\n")
	assert.Contains(t, got.stdout, "\nmangrove run broadcast P=4 correction=none faults=hang:3@recv1,crash:")
	got = mangrove("explore", "collective", "P=3", "op=barrier", "strategy=respawn", "faults=crash:2@t9,rejoin:2@t80", "faults<=1", "--rejoin", "60", "--kinds", "crash")
	require.Equal(t, 0, got.status, got.stdout+got.stderr)
	assert.Contains(t, got.stdout, "crash of any rank, besides those of the line, back after 60 ticks\n")
	assert.NotContains(t, got.stdout, "can fail")
}

// Who comes back by one fault has failed by the line.
func TestARankThatFailsByTheLineComesBackByOneFault(t *testing.T) {
	line := []string{"membership", "P=3", "faults=crash:2@t9", "faults<=1", "--kinds", "crash", "--every"}
	assert.Greater(t, exploreAsJSON(t, append(line, "--rejoin", "60")...).Runs, exploreAsJSON(t, line...).Runs)
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
