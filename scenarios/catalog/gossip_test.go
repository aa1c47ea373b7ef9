package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Failure-proof gossip stands every single failure, that of the root included, with partners of
// all kinds.
func TestFailureProofGossipStandsEverySingleFailure(t *testing.T) {
	for ranks := 4; ranks <= 8; ranks++ {
		for _, gossip := range []string{"T=0", "T=2", "T=6", "T=9", "rounds=3"} {
			line := fmt.Sprintf("gossip variant=fcg f=1 P=%d %s partners=fixed", ranks, gossip)
			require.Empty(t, explore(t, line, search.ExploreOptions{Faults: 1, Roots: true}).Violations, line)
		}
	}
}

// Checked gossip does not: the explorer finds a crash in the middle of correction that leaves a
// rank out. It takes few g-nodes.
func TestCheckedGossipDoesNotStandFailuresMeanwhile(t *testing.T) {
	require.NotEmpty(t, explore(t, "gossip variant=ccg P=8 T=0", search.ExploreOptions{Faults: 1, Roots: true}).Violations)
}

// The baselines stand as many as they say: BIG log2 P - 1, BFB any number, but not of the root.
func TestBaselinesStandAsManyFailuresAsTheySay(t *testing.T) {
	for line, most := range map[string]int{
		"big P=4": 1, "big P=8": 2, "big P=6 root=3": 2, "bfb P=5": 2, "bfb P=4 root=2": 3, "bfb P=5 notices=hangs detect=11": 2,
	} {
		options := search.ExploreOptions{Faults: most}
		if line == "bfb P=5" || line == "bfb P=4 root=2" { // hangs are not noticed
			options.Kinds = []faults.Kind{faults.Crash}
		}
		require.Empty(t, explore(t, line, options).Violations, line)
	}
}

func TestGossipLinesSayWhatTheyDo(t *testing.T) {
	for line, want := range map[string][]scenarios.Detail{
		"gossip P=4096":                         {{Name: "gossip", Text: "until T=34"}},
		"gossip P=4096 variant=gos":             {{Name: "gossip", Text: "until T=50"}},
		"gossip P=4096 variant=ocg":             {{Name: "gossip", Text: "until T=32"}, {Name: "correction", Text: "5 messages each"}},
		"gossip P=64 variant=ocg T=9 C=12":      {{Name: "gossip", Text: "until T=9"}, {Name: "correction", Text: "9 messages each"}},
		"gossip P=64 rounds=9":                  {{Name: "gossip", Text: "9 rounds"}},
		"gossip P=64 variant=ocg g=4 T=50 C=16": {{Name: "gossip", Text: "until T=50"}, {Name: "correction", Text: "4 messages each"}},
	} {
		require.Equal(t, want, mustExecute(t, line, scenarios.Options{}).Details, line)
	}
}

func TestGossipSaysWhatHasNoEffect(t *testing.T) {
	run, err := ParseLine("gossip P=64 T=20 rounds=3 C=9 f=2 delta=0.1 failures=3")
	require.NoError(t, err)
	require.Equal(t, []string{
		"T=20 does not matter with rounds=3", "C=9 does not matter with variant=ccg", "f=2 does not matter with variant=ccg",
		"delta=0.1 does not matter with rounds=3", "failures=3 does not matter with rounds=3",
	}, run.Notes())
}

// Correction at T itself has its limits, and nothing to do where T or correction does not count.
func TestSharpStartsOfGossip(t *testing.T) {
	for line, want := range map[string]string{
		"gossip P=64 start=sharp":                  "start=sharp: T=auto is tuned for start=drained, want a number for T",
		"gossip P=64 start=sharp T=20 variant=ocg": "start=sharp: C=auto is tuned for start=drained, want a number for C",
		"gossip P=64 start=sharp T=20 variant=fcg": "start=sharp: with variant=fcg ranks that gossip reaches after T would leave before they know f+1 others, want start=drained",
		"gossip P=64 start=at-once T=20":           `"start=at-once": want drained or sharp`,
	} {
		_, err := ParseLine(line)
		require.EqualError(t, err, "scenarios: "+want, line)
	}
	for line, want := range map[string][]string{
		"gossip P=64 start=sharp rounds=3":              {"start=sharp does not matter with rounds=3"},
		"gossip P=64 start=sharp variant=gos":           {"start=sharp does not matter with variant=gos"},
		"gossip P=64 start=sharp variant=gos rounds=3":  {"start=sharp does not matter with variant=gos"},
		"gossip P=64 start=sharp T=9 variant=ocg C=7":   nil,
		"gossip P=64 start=drained T=9 variant=ocg C=7": nil,
	} {
		run, err := ParseLine(line)
		require.NoError(t, err, line)
		require.Equal(t, want, run.Notes(), line)
	}
	for line, same := range map[string]bool{
		"gossip P=512 T=20 seed=3":             false,
		"gossip P=512 T=20 seed=3 variant=gos": true,
		"gossip P=512 rounds=9 seed=3":         true,
	} {
		drained, sharp := mustExecute(t, line, scenarios.Options{}), mustExecute(t, line+" start=sharp", scenarios.Options{})
		require.Equal(t, drained.Verdict(), sharp.Verdict(), line)
		require.Equal(t, same, drained.Report.Hash == sharp.Report.Hash, line)
	}
}

func TestPartnersByHandMustExist(t *testing.T) {
	for value, want := range map[string]string{
		"0:1,0:2": `"partners=0:1,0:2": "0:2": rank 0 has a list already`,
		"0":       `"partners=0": "0": want random, fixed or lists such as 0:3+1,3:2`,
		"x:1":     `"partners=x:1": "x:1": want random, fixed or lists such as 0:3+1,3:2`,
		"0:1+":    `"partners=0:1+": "0:1+": want ranks joined by +, not ""`,
		"0:8":     `partners: rank 8, want 0 to 7`,
		"9:1":     `partners: rank 9, want 0 to 7`,
		"1:2+1":   `partners: rank 1 with itself, want another one`,
	} {
		_, err := ParseLine("gossip P=8 partners=" + value)
		require.EqualError(t, err, "scenarios: "+want)
	}
}
