package catalog_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// largestLines are lines of the largest machine there is. What follows "!" says why there is none with so many ranks.
var largestLines = []string{
	"broadcast",
	"broadcast root=2147483646 ring=chain",
	"broadcast numbering=in-order",
	"broadcast tree=kary k=3",
	"broadcast tree=kary k=1",
	"broadcast tree=kary k=2147483647",
	"broadcast tree=kary k=3 numbering=in-order ! every process lists all ranks of such a tree",
	"broadcast tree=lame k=3 ! every process lists all ranks of such a tree",
	"broadcast tree=optimal ! every process lists all ranks of such a tree",
	"broadcast L=1099511627776 o=1099511627776",
	"broadcast correction=failure-proof f=2147483646",
	"broadcast correction=delayed",
	"broadcast correction=optimized d=2147483647",
	"broadcast correction=none repeat=100",
	"broadcast network=torus:1024x1024x2047 ! 2146435072 nodes, and P=2147483647 ranks",
	"broadcast network=torus:1x1x2147483647 start=overlapped",
	"broadcast network=fattree:2147483647x1 start=overlapped",
	"broadcast nodes=2147483647 Lin=1 start=overlapped",
	"broadcast nodes=16777216 Lin=1 start=overlapped",
	"broadcast faults=crash:2147483646@t5,slow:~1000x3,hang:1%,crash:~2147483646@t9",
	"broadcast faults=cut:0-1073741823|1073741824-2147483646@t9,cut:~5|*@t3,late:0>2147483646@t10..t50+20",
	"broadcast faults=crash:~2147483647 ! 2147483647 ranks to draw, want at most the 2147483646 that are not spared",
	"multitree",
	"multitree trees=2147483646 k=2147483647 root=7",
	"gossip",
	"gossip variant=gos",
	"gossip variant=ocg failures=1000000",
	"gossip variant=fcg f=100",
	"gossip rounds=40 partners=fixed",
	"big root=2147483646",
	"bfb root=2147483646",
	"reduce",
	"reduce f=2147483647",
	"reduce tree=kary ! every process lists all ranks of such a tree",
	"allreduce f=5 root=2147483646",
	"membership ! want P up to 16777216",
	"ulfm ! want P up to 536870912",
	"collective ! no more than 1048576",
	"samplesort ! no more than 1048576",
	"tpch-q3 ! no more than 1048576",
	"calibration",
}

// parseBytes is how much memory a line asks for while it is read.
func parseBytes(text string) (bytes uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run, err := catalog.ParseLine(text)
	if err == nil {
		run.Notes()
		_ = run.Experiment()
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// Whoever reads a line, to run it with others, to list it or to refuse it, has no room for all its ranks.
func TestLinesOfTheLargestMachineAreReadInLittleMemory(t *testing.T) {
	told := make(map[string]bool)
	for _, line := range largestLines {
		text, refusal, refused := strings.Cut(line, " ! ")
		text += fmt.Sprintf(" P=%d", clock.MaxRanks)
		bytes, err := parseBytes(text)
		require.Less(t, bytes, uint64(1<<20), text)
		if refused {
			require.ErrorContains(t, err, refusal, text)
		} else {
			require.NoError(t, err, text)
		}
		told[strings.Fields(text)[0]] = true
	}
	for _, p := range catalog.All() {
		require.True(t, told[p.Name], "%s: no line of it is here", p.Name)
	}
}

// Protocols that cannot have as many ranks are no more wasteful up to what they can have.
func TestLinesOfTheLargestMachineOfAProtocolAreReadInLittleMemory(t *testing.T) {
	for _, text := range []string{
		"membership P=16777216", "ulfm P=536870912", "ulfm op=shrink P=268435456", "collective P=1048576", "samplesort P=1048576", "tpch-q3 P=1048576",
	} {
		bytes, err := parseBytes(text)
		require.NoError(t, err, text)
		require.Less(t, bytes, uint64(1<<20), text)
	}
}

func TestCommunicatorsThatCannotBeToldApartAreRefused(t *testing.T) {
	_, err := catalog.ParseLine("ulfm op=shrink P=16777216 calls=31")
	require.NoError(t, err)
	_, err = catalog.ParseLine("ulfm op=shrink P=16777216 calls=32")
	require.EqualError(t, err, `scenarios: "calls=32": each makes a communicator, and with P=16777216 ranks there are numbers for 31 of a rank; want fewer calls or ranks`)
	_, err = catalog.ParseLine("ulfm op=agree P=16777216 calls=32")
	require.NoError(t, err)
}
