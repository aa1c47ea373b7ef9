package catalog

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func TestParseReadsBackWhatStringPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := anyLine(t)
		run, err := ParseLine(line)
		require.NoError(t, err, line)
		require.Equal(t, line, run.String())
		requireSame(t, run)
	})
}

// requireSame fails unless the line of a run leads to the same run.
func requireSame(t require.TestingT, run *scenarios.Run) {
	back, err := ParseLine(run.String())
	require.NoError(t, err)
	require.Equal(t, run.String(), back.String())
	require.Equal(t, run.Settings(), back.Settings())
	require.Equal(t, run.Protocol().Name, back.Protocol().Name)
	require.Equal(t, run.Config().LogP, back.Config().LogP)
	require.Equal(t, run.Config().Network, back.Config().Network)
	require.Equal(t, run.Experiment().Roots, back.Experiment().Roots)
}

// anyLine draws a valid line: some keys in any order.
func anyLine(t *rapid.T) string {
	p := rapid.SampledFrom(All()).Draw(t, "protocol")
	ranks := rapid.IntRange(2, 300).Draw(t, "P")
	words := []string{fmt.Sprintf("P=%d", ranks)}
	keys := p.AllKeys().Without("P")
	if _, ok := keys.Lookup("detect"); ok || p.Name == gossipProtocol.Name || p.Name == membershipProtocol.Name { // these refuse extreme machines
		for _, name := range []string{"T", "C", "L", "o", "g", "G", "jitter"} {
			keys = keys.Without(name)
		}
	}
	if p.Name == gossipProtocol.Name {
		start := rapid.SampledFrom([]string{"drained", "sharp variant=ocg", "sharp variant=ccg"}).Draw(t, "start") // not sharp and fcg
		words, keys = append(words, strings.Fields("start="+start)...), keys.Without("start")
		if start != "drained" {
			keys = keys.Without("variant")
		}
		words = append(words,
			fmt.Sprintf("T=%d", rapid.IntRange(0, 100).Draw(t, "T")), fmt.Sprintf("C=%d", rapid.IntRange(210, 400).Draw(t, "C"))) // with any jitter
	}
	if p.Name == bigProtocol.Name && rapid.Bool().Draw(t, "distances") { // it goes with all networks
		words = append(words, "network="+anyNetwork(t))
		keys = keys.Without("network").Without("L") // the longest way might be too long
	}
	keys = keys.Without(rapid.SampledFrom([]string{"L", "jitter"}).Draw(t, "without")) // together they might be too long
	if _, set := keys.Lookup("network"); set && p.Name == bigProtocol.Name && rapid.Bool().Draw(t, "on nodes") {
		words = append(words, fmt.Sprintf("nodes=%d", rapid.IntRange(1, ranks).Draw(t, "nodes")), "receive=one",
			rapid.SampledFrom([]string{"Lin=1", "oin=7", "overhead-inside=2 latency-inside=99"}).Draw(t, "inside"))
		keys = keys.Without("receive").Without("nodes").Without("Lin").Without("oin")
	}
	tick := rapid.SampledFrom([]string{"none", "1ns", "100ns", "1.5us", "2ms", "1s"}).Draw(t, "tick")
	words, keys = append(words, "tick="+tick), keys.Without("tick")
	for _, k := range keys {
		if rapid.Bool().Draw(t, "set "+k.Name) {
			words = append(words, anyName(t, k)+"="+anyTime(t, k, anyValue(t, k, ranks), tick))
		}
	}
	words = rapid.Permutation(words).Draw(t, "order")
	return p.Name + " " + strings.Join(words, " ")
}

// anyName draws one of the names of a key.
func anyName(t *rapid.T, k line.Key) string {
	if k.Alias != "" && rapid.Bool().Draw(t, "in words") {
		return k.Alias
	}
	return k.Name
}

// anyTime makes a time of some of the values that are ticks, if these have a unit.
func anyTime(t *rapid.T, k line.Key, value, tick string) string {
	unit, none := time.ParseDuration(tick)
	ticks, err := strconv.ParseInt(value, 10, 64)
	if !k.Ticks || none != nil || err != nil || ticks > math.MaxInt64/int64(unit) || rapid.Bool().Draw(t, "in ticks") {
		return value
	}
	ns := ticks * int64(unit)
	if rapid.Bool().Draw(t, "in microseconds") {
		return fmt.Sprintf("%d.%03dus", ns/1000, ns%1000)
	}
	return fmt.Sprintf("%dns", ns)
}

// anyNetwork draws a network of 300 nodes or more.
func anyNetwork(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"uniform", "torus:8x8x16", "mesh:300x1x1:zxy", "torus:7x7x7:zyx", "fattree:2x9", "fattree:20x2", "switch:1", "switch:99",
	}).Draw(t, "network")
}

// anyValue draws a valid value of a key.
func anyValue(t *rapid.T, k line.Key, ranks int) string {
	switch k.Name {
	case "L", "o", "g", "G":
		return fmt.Sprint(rapid.Int64Range(1, 1<<40-1000).Draw(t, k.Name)) // and there may be jitter
	case "seed":
		return fmt.Sprint(rapid.Uint64().Draw(t, k.Name))
	case "faults":
		return anyFaults(t, ranks)
	case "k":
		return fmt.Sprint(rapid.IntRange(2, max(2, ranks-1)).Draw(t, k.Name))
	case "root", "d", "f", "delay", "period", "repeat", "calls", "wait", "spread":
		return fmt.Sprint(rapid.IntRange(1, ranks-1).Draw(t, k.Name))
	case "trees":
		return "1"
	case "bytes": // more of them do not go with all corrections
		return fmt.Sprint(rapid.IntRange(0, 1).Draw(t, k.Name))
	case "rounds", "failures":
		least := 0
		if k.Check("0") != nil { // calibration measures something
			least = 1
		}
		return fmt.Sprint(rapid.IntRange(least, ranks-1).Draw(t, k.Name))
	case "warmup", "burst", "bursts", "largest", "trips", "crowd", "pause":
		return fmt.Sprint(rapid.IntRange(2, 1000).Draw(t, k.Name))
	case "delta":
		return fmt.Sprint(rapid.Float64Range(1e-9, 0.9).Draw(t, k.Name))
	case "partners":
		return rapid.SampledFrom([]string{"random", "fixed", "0:1", "0:1+1,1:0"}).Draw(t, k.Name)
	case "a":
		return rapid.SampledFrom([]string{"2", "4", "64"}).Draw(t, k.Name)
	case "members", "timeout", "every", "until":
		return rapid.SampledFrom([]string{"auto", "1", "2"}).Draw(t, k.Name)
	case "sf", "risk":
		return fmt.Sprint(rapid.Float64Range(1e-6, 0.01).Draw(t, k.Name))
	case "segment":
		return rapid.SampledFrom([]string{"BUILDING", "MACHINERY"}).Draw(t, k.Name)
	case "date":
		return rapid.SampledFrom([]string{"1995-03-15", "1992-01-01"}).Draw(t, k.Name)
	case "n", "sample":
		return fmt.Sprint(rapid.IntRange(1, 1000).Draw(t, k.Name))
	case "compute", "restart", "restore", "combine", "generate", "work", "distinct":
		return fmt.Sprint(rapid.IntRange(0, 1000).Draw(t, k.Name))
	case "ask":
		return rapid.SampledFrom([]string{"none", "0:1@t5", "1:0@t0,0:1@t70"}).Draw(t, k.Name)
	case "join": // only who is no member, which depends on another key
		return "none"
	case "detect": // at least 2o+L
		return "auto"
	case "network", "nodes", "Lin", "oin": // not all go with every protocol
		return k.Default
	case "machine": // machinekey_test.go has files
		return k.Default
	case "direction", "ring": // other values do not go with every correction
		return k.Default
	}
	return rapid.SampledFrom(strings.Split(strings.ReplaceAll(k.Values, " or ", ", "), ", ")).Draw(t, k.Name)
}

func anyFaults(t *rapid.T, ranks int) string {
	return rapid.SampledFrom([]string{
		"none",
		"crash:1%",
		"crash:~1@recv1,slow:~1x3",
		fmt.Sprintf("crash:%d@send2", ranks-1),
		fmt.Sprintf("hang:%d,slow:0x4@step:correction#2", rapid.IntRange(0, ranks-1).Draw(t, "rank")),
	}).Draw(t, "faults")
}

// FuzzParseLine feeds ParseLine any text. It must not panic, and what it accepts must
// come back from its own text. Lines that name a file are left out: which files there are is no
// business of the fuzzer's.
func FuzzParseLine(f *testing.F) {
	for _, line := range []string{"", "broadcast", "broadcast P=64 L=3 o=2 faults=crash:3@send2 seed=7", "gossip P=0 P=0 x", "gossip variant=ocg C=9 partners=0:1+2,1:0 delta=1e-3", "bfb detect=7 notices=hangs",
		"big ranks=8 latency=4.6us tick=100ns network=torus:2x2x2:zyx", "calibration P=2 machine=none rounds=7", "broadcast network=switch:2us start=overlapped tick=1us"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(strings.ReplaceAll(line, "machine=none", ""), "machine=") {
			t.Skip("a file")
		}
		run, err := ParseLine(line)
		if err != nil {
			require.Nil(t, run)
			require.NotEmpty(t, err.Error())
			return
		}
		require.Equal(t, strings.Join(strings.Fields(line), " "), run.String())
		requireSame(t, run)
	})
}
