package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func join(lists ...string) string {
	result := reduce.Value{Payload: lists[0]}
	for _, list := range lists[1:] {
		result = joinRanges(result, reduce.Value{Payload: list})
	}
	return result.Payload
}

func TestRangesThatMeetBecomeOne(t *testing.T) {
	require.Equal(t, "0-1", join("0", "1"))
	require.Equal(t, "0-9", join("0-3", "4", "5-9"))
	require.Equal(t, "0,2", join("0", "2"))
	require.Equal(t, "0,2-5,7-8,11", join("0,2-3", "4-5,7", "8,11"))
	require.Equal(t, "3,2", join("3", "2"), "order is kept")
	require.Equal(t, "1,1", join("1", "1"), "and so is what comes twice")
}

// The longest list there can be has exactly as many bytes, unless some ranks have fewer digits
// than others.
func TestNoListOfRanksIsLongerThanTheLongest(t *testing.T) {
	for ranks := 1; ranks <= 16; ranks++ {
		longest := 0
		for members := 1; members < 1<<ranks; members++ {
			var own []string
			for rank := range ranks {
				if members>>rank&1 == 1 {
					own = append(own, strconv.Itoa(rank))
				}
			}
			longest = max(longest, len(join(own...)))
		}
		if ranks <= 10 {
			require.Equal(t, longest, longestRanges(ranks), "%d ranks", ranks)
		}
		require.LessOrEqual(t, longest, longestRanges(ranks), "%d ranks", ranks)
	}
}

// Deadlines leave room for the longest list, where bytes cost something: no failures make a
// value too long.
func TestReductionsCarryAnyListOfRanks(t *testing.T) {
	var thirds []string
	for rank := 2; rank < 60; rank += 3 {
		thirds = append(thirds, fmt.Sprintf("crash:%d", rank))
	}
	for line, result := range map[string]string{
		"reduce P=60 f=20 G=3 faults=" + strings.Join(thirds, ","): "ranks 0-1,3-4,6-7,9-10,12-13,15-16,18-19,21-22,24-25,27-28," +
			"30-31,33-34,36-37,39-40,42-43,45-46,48-49,51-52,54-55,57-58",
		"reduce P=8 f=8 G=1 faults=crash:2,crash:5":               "ranks 0-1,3-4,6-7",
		"reduce P=60 f=60 G=1 faults=crash:50%,hang:10%@t9":       "ranks ",
		"allreduce P=40 f=40 G=2 faults=crash:40%,hang:20%@send3": "ranks ",
	} {
		value, evidence, got := firstGuarantee(t, line)
		require.Equal(t, guarantee.Held, value, "%s: %s", line, evidence)
		require.Contains(t, got, result, line)
	}
}

func TestFlawsOfAResultAreFound(t *testing.T) {
	rep := &report.Report{Ranks: make([]report.RankResult, 8)}
	rep.Ranks[3].Outcome, rep.Ranks[7].Outcome = report.Crashed, report.Hung
	for list, want := range map[string]string{
		"0-7":       "",
		"0-2,4-6":   "",
		"0-6":       "",
		"0-2,4-7":   "",
		"0-1,3-7":   "rank 2 is missing in 0-1,3-7",
		"1-7":       "rank 0 is missing in 1-7",
		"0-5":       "rank 6 is missing in 0-5",
		"0-2,2-7":   "rank 2 is out of order in 0-2,2-7",
		"4-7,0-3":   "rank 0 is missing in 4-7,0-3",
		"0-2,5-6,4": "rank 4 is missing in 0-2,5-6,4",
	} {
		require.Equal(t, want, flaw(list, rep), list)
	}
}

func firstGuarantee(t *testing.T, line string) (value guarantee.Value, evidence, result string) {
	t.Helper()
	outcome := mustExecute(t, line, scenarios.Options{})
	g := outcome.Guarantees[0]
	require.NotEmpty(t, outcome.Details)
	return g.Value, g.Evidence, outcome.Details[0].Text
}

func TestReductionsKeepTheirPromise(t *testing.T) {
	for _, c := range []struct {
		line             string
		value            guarantee.Value
		evidence, result string
	}{
		{"reduce P=40", guarantee.Held, "all 40 live ranks are in the result", "ranks 0-39"},
		{"reduce P=1", guarantee.Held, "all 1 live ranks are in the result", "ranks 0"},
		{"reduce P=40 f=2 tree=kary k=3 root=9 faults=crash:20,crash:21", guarantee.Held, "all 38 live ranks are in the result", "ranks 0-19,22-39"},
		{"reduce P=40 f=1 faults=crash:20,crash:21", guarantee.NotClaimed, "at most 1 failure (2 ranks failed)", "none"},
		{"reduce P=40 faults=crash:0", guarantee.NotClaimed, "the root lives (rank 0 crashed at t=0)", "none"},
		{"reduce P=40 faults=slow:3x100", guarantee.NotClaimed, "nobody is slow (slow:3x100@t0)", "ranks 0-2,4-39"},
		{"reduce P=40 G=2 faults=crash:7", guarantee.Held, "all 39 live ranks are in the result", "ranks 0-6,8-39"},
		{"allreduce P=40", guarantee.Held, "all 40 live ranks are in the result", "ranks 0-39, on 40 ranks"},
		{"allreduce P=40 f=2 correction=failure-proof root=3 faults=crash:20,crash:22@t30", guarantee.Held, "all 38 live ranks are in the result", "ranks 0-19,21-39, on 38 ranks"},
		{"allreduce P=40 f=1 start=overlapped faults=crash:20,crash:21", guarantee.NotClaimed, "at most 1 failure (2 ranks failed)", "none, on 38 ranks"},
	} {
		t.Run(c.line, func(t *testing.T) {
			value, evidence, result := firstGuarantee(t, c.line)
			require.Equal(t, c.value, value)
			require.Equal(t, c.evidence, evidence)
			require.Equal(t, c.result, result)
		})
	}
}

// An all-reduce whose broadcast cannot reach everybody is caught.
func TestBrokenAllReduceIsCaught(t *testing.T) {
	value, evidence, _ := firstGuarantee(t, "allreduce P=16 correction=none faults=crash:1")
	require.Equal(t, guarantee.Broken, value)
	require.Equal(t, "no complete result on ranks 3, 5, 7, 9, 11, 13 and 15", evidence)
}

// A run's results do not leak into the next run of the same line.
func TestFiguresAreThoseOfTheRun(t *testing.T) {
	run, err := ParseLine("broadcast P=64 repeat=5 start=overlapped correction=optimized faults=crash:5")
	require.NoError(t, err)
	executor := scenarios.NewExecutor(scenarios.Options{})
	var texts []string
	for range 2 {
		outcome, err := executor.Run(t.Context(), run)
		require.NoError(t, err)
		for _, f := range outcome.Details {
			texts = append(texts, f.Name+": "+f.Text)
		}
	}
	require.Len(t, texts, 4)
	require.Equal(t, texts[:2], texts[2:])
	require.Equal(t, "broadcasts: 5 of 5 reached every live rank", texts[0])
	require.True(t, strings.HasPrefix(texts[1], "latency: median "), texts[1])
}

func TestQuantilesLieBetweenValues(t *testing.T) {
	values := []float64{1, 2, 3, 10}
	require.Equal(t, 2.5, quantile(values, 0.5))
	require.Equal(t, 1.75, quantile(values, 0.25))
	require.Equal(t, 4.75, quantile(values, 0.75))
	require.Equal(t, 1.0, quantile(values, 0))
	require.Equal(t, 10.0, quantile(values, 1))
	require.Equal(t, 7.0, quantile([]float64{7}, 0.3))
}

func TestKeysThatDoNotMatterAreNoted(t *testing.T) {
	for line, want := range map[string][]string{
		"broadcast P=8 k=3 f=2 d=4 delay=7":                       {"k=3 does not matter with tree=binomial", "d=4 does not matter with correction=checked", "f=2 does not matter with correction=checked", "delay=7 does not matter with correction=checked"},
		"broadcast P=8 correction=none start=sync ring=chain":     {"start=sync does not matter with correction=none", "ring=chain does not matter with correction=none"},
		"broadcast P=8 early=rest period=5":                       {"early=rest does not matter with start=sync", "period=5 does not matter with repeat=1"},
		"broadcast P=8 tree=lame k=3 start=overlapped early=rest": nil,
		"allreduce P=8 f=2 k=2":                                   {"k=2 does not matter with tree=binomial"},
		"reduce P=8 k=2 tree=kary":                                nil,
	} {
		require.Equal(t, want, mustExecute(t, line, scenarios.Options{}).Notes, line)
	}
}
