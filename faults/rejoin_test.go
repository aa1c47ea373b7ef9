package faults

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidateChecksRejoins(t *testing.T) {
	for want, f := range map[string]Fault{
		"rejoin:0@t0: time 0, want 1 to 1099511627776: nobody can come back before anything has failed": {Kind: Rejoin},
		"rejoin:0@t-1: time -1, want 0 to 1099511627776":                                                {Kind: Rejoin, At: OnTime(-1)},
		"rejoin:8@t1: rank 8, want 0 to 7":                                                              {Kind: Rejoin, Rank: 8, At: OnTime(1)},
		"rejoin:0@send1: point send1, want a time such as t90: a rejoin is not tied to a program":       {Kind: Rejoin, At: DuringNthSend(1)},
		"rejoin:0x2@t1: factor 2, want none: only slow has one":                                         {Kind: Rejoin, Factor: 2, At: OnTime(1)},
		"rejoin:0@t1: Left 3, want none: only a fault on links has one":                                 {Kind: Rejoin, Left: "3", At: OnTime(1)},
	} {
		assert.EqualError(t, Schedule{f}.Validate(8), "faults: "+want)
	}
	assert.EqualError(t, MustParse("rejoin:1@t3,rejoin:1@t3").Validate(8), "faults: rejoin:1@t3: listed twice")
}

// What can be known before ranks are drawn is said before.
func TestValidateCountsWhoCanComeBack(t *testing.T) {
	const few = " ranks to draw, want at most the "
	for text, want := range map[string]string{
		"rejoin:~1@t9":                                 "rejoin:~1@t9: 1" + few + "0",
		"rejoin:~1@t9,crash:3":                         "rejoin:~1@t9: 1" + few + "0",
		"slow:3x2,cut:4|*,rejoin:5@t2,rejoin:~1@t9":    "rejoin:~1@t9: 1" + few + "0",
		"crash:3,crash:3@t4,hang:3@t7,rejoin:~2@t9":    "rejoin:~2@t9: 2" + few + "1",
		"crash:3,crash:~2,rejoin:~4@t9":                "rejoin:~4@t9: 4" + few + "3",
		"crash:~2,hang:~1@t3,rejoin:~4@t9":             "rejoin:~4@t9: 4" + few + "3",
		"crash:1,rejoin:~2@t3,crash:2@t9,rejoin:~2@t9": "rejoin:~2@t3: 2" + few + "1",
	} {
		assert.EqualError(t, MustParse(text).Validate(8), "faults: "+want+" that items before it let crash or hang", text)
	}
	assert.EqualError(t, MustParse("crash:1,rejoin:~9@t3").Validate(8), "faults: rejoin:~9@t3: number of ranks 9, want 1 to 8", "said once")
	for _, text := range []string{
		"crash:1,hang:2@t4,rejoin:~2@t9", "crash:1%,rejoin:~8@t9", "crash:~7,hang:~7,rejoin:~8@t9", "rejoin:5%@t9", "rejoin:3@t9",
	} {
		assert.NoError(t, MustParse(text).Validate(8), text)
	}
}

// Those come back whom items before let crash or hang, by name or by chance, and nobody else.
func TestRejoinsDrawFromThoseThatFail(t *testing.T) {
	for seed := range uint64(50) {
		s := mustExpand(t, "crash:~4@t5,hang:9@t7,slow:1x2,rejoin:~3@t90,crash:2@t3", 10, seed, 0)
		require.Equal(t, []Kind{Crash, Crash, Crash, Crash, Hang, Slow, Rejoin, Rejoin, Rejoin, Crash}, kindsOf(s))
		failing := append(ranksOf(s[:4]), 9)
		back := ranksOf(s[6:9])
		require.True(t, slices.IsSorted(back))
		require.Len(t, slices.Compact(slices.Clone(back)), 3)
		for i, rank := range back {
			require.Contains(t, failing, rank, "%s", s)
			require.Equal(t, Fault{Kind: Rejoin, Rank: rank, At: OnTime(90)}, s[6+i])
		}
	}
}

func TestRejoinsDrawEverySetEquallyOften(t *testing.T) {
	const seeds, sets = 6_000, 6
	times := map[string]int{}
	for seed := range uint64(seeds) {
		times[mustExpand(t, "crash:3,hang:5,crash:6,crash:3@t9,crash:1,rejoin:~2@t90", 8, seed)[5:].String()]++
	}
	require.Len(t, times, sets)
	mean, room := bounds(seeds, 1.0/sets)
	for set, n := range times {
		assert.InDelta(t, mean, n, room, set)
	}
}

func TestRateOfRanksThatComeBack(t *testing.T) {
	assert.Equal(t, "crash:2@t0,hang:5@t3,rejoin:2@t9,rejoin:5@t9",
		mustExpand(t, "crash:2,hang:5@t3,rejoin:100%@t9", 8, 1, 2, 5).String(), "all of them, spared ones, too")
	assert.Empty(t, mustExpand(t, "rejoin:100%@t9", 8, 1), "nobody has failed")
	assert.Equal(t, "crash:3@t5", mustExpand(t, "rejoin:100%@t9,crash:3@t5", 8, 1).String(), "not before")

	const seeds = 4_000
	var times [8]int
	for seed := range uint64(seeds) {
		for _, f := range mustExpand(t, "crash:2,hang:5@t3,rejoin:30%@t9", 8, seed)[2:] {
			times[f.Rank]++
		}
	}
	mean, room := bounds(seeds, 0.3)
	assert.InDelta(t, mean, times[2], room)
	assert.InDelta(t, mean, times[5], room)
	assert.Equal(t, seedsOf(times), times[2]+times[5], "and nobody else")
}

func seedsOf(times [8]int) (sum int) {
	for _, n := range times {
		sum += n
	}
	return sum
}

// Two items may draw the same ranks; who is left is known then only.
func TestExpandCountsWhoCanComeBack(t *testing.T) {
	got, err := MustParse("crash:100%@t3,hang:~8,rejoin:~9@t9").Expand(9, 1, 0)
	assert.Nil(t, got)
	assert.EqualError(t, err, "faults: rejoin:~9@t9: 9 ranks to draw, want at most the 8 that items before it let crash or hang")
	_, err = MustParse("crash:0.000000001%,rejoin:~1@t9,rejoin:~2@t10").Expand(9, 1, 0)
	assert.EqualError(t, err, "faults: rejoin:~1@t9: 1 ranks to draw, want at most the 0 that items before it let crash or hang"+
		"; rejoin:~2@t10: 2 ranks to draw, want at most the 0 that items before it let crash or hang")
	assert.Len(t, mustExpand(t, "crash:~3,rejoin:~3@t9", 4, 1, 0), 6, "spared ranks do not matter")
}

// More items at the end change nothing before them, and a rejoin that draws no others' draws.
func TestRejoinsHaveStreamsOfTheirOwn(t *testing.T) {
	short := mustExpand(t, "crash:~20@t0,rejoin:~10@t90", 10_000, 3)
	assert.Equal(t, short, mustExpand(t, "crash:~20@t0,rejoin:~10@t90,crash:~20@t100,cut:1%|*", 10_000, 3)[:30])
	assert.Equal(t, mustExpand(t, "hang:~1,slow:1%x2,crash:~20@t1", 10_000, 3)[1:],
		slices.DeleteFunc(mustExpand(t, "hang:~1,slow:1%x2,crash:~20@t1,rejoin:100%@t9", 10_000, 3)[1:],
			func(f Fault) bool { return f.Kind == Rejoin }))
}

func TestDrawsOfRejoinsAndCutsAreTheSameInEveryVersion(t *testing.T) {
	assert.Equal(t, "rejoin:514@t9,rejoin:673@t9", mustExpand(t, "crash:~6,rejoin:~2@t9", 1000, 0, 0)[6:].String())
	assert.Equal(t, "cut:16+366+514+521+673+915|*@t0", mustExpand(t, "cut:~6|*", 1000, 0, 0).String())
	assert.Equal(t, "cut:832+962|*@t3", mustExpand(t, "cut:0.5%|*@t3", 1000, 0, 0).String())
}
