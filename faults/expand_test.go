package faults

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func ranksOf(s Schedule) []int {
	ranks := make([]int, len(s))
	for i, f := range s {
		ranks[i] = f.Rank
	}
	return ranks
}

func mustExpand(t testing.TB, text string, ranks int, seed uint64, spare ...int) Schedule {
	t.Helper()
	s, err := MustParse(text).Expand(ranks, seed, spare...)
	require.NoError(t, err)
	require.NoError(t, s.Validate(ranks))
	require.True(t, s.Explicit())
	return s
}

func TestACountOfRanksDrawsExactlyKDistinctRanks(t *testing.T) {
	for _, ranks := range []int{2, 3, 63, 64, 65, 1000} {
		for _, k := range []int{1, ranks / 2, ranks - 1} {
			for seed := range uint64(20) {
				s, err := Schedule{{Kind: Hang, Select: Count, Number: k, At: OnNthRecv(2)}}.Expand(ranks, seed, 1)
				require.NoError(t, err)
				drawn := ranksOf(s)
				require.Len(t, slices.Compact(drawn), k, "P=%d seed %d", ranks, seed)
				require.True(t, slices.IsSorted(drawn))
				require.NotContains(t, drawn, 1)
				require.NoError(t, s.Validate(ranks))
				require.Equal(t, Fault{Kind: Hang, Rank: drawn[0], At: OnNthRecv(2)}, s[0])
			}
		}
	}
}

// Every pair of 6 ranks should come up equally often: 5 standard deviations of room.
func TestACountOfRanksDrawsEverySetEquallyOften(t *testing.T) {
	const seeds, sets = 30_000, 15
	times := map[string]int{}
	for seed := range uint64(seeds) {
		s, err := Schedule{{Kind: Crash, Select: Count, Number: 2, At: OnTime(0)}}.Expand(7, seed, 3)
		require.NoError(t, err)
		times[fmt.Sprint(ranksOf(s))]++
	}
	require.Len(t, times, sets)
	mean, room := bounds(seeds, 1.0/sets)
	for set, n := range times {
		assert.InDelta(t, mean, n, room, set)
	}
}

// bounds returns the mean of a binomial variable and five standard deviations of it.
func bounds(n int, p float64) (mean, room float64) {
	mean = float64(n) * p
	return mean, 5 * math.Sqrt(mean*(1-p))
}

func TestARateOfRanksHitsTheRate(t *testing.T) {
	const ranks = 1 << 20
	for _, rate := range []Percent{OnePercent / 100, OnePercent, 4 * OnePercent, 50 * OnePercent, 99 * OnePercent} {
		for seed := range uint64(3) {
			s, err := Schedule{{Kind: Crash, Select: Rate, Rate: rate, At: OnTime(0)}}.Expand(ranks, seed, 0)
			require.NoError(t, err)
			mean, room := bounds(ranks-1, float64(rate)/float64(certain))
			assert.InDelta(t, mean, len(s), room, "%s, seed %d", rate, seed)
			drawn := ranksOf(s)
			assert.True(t, slices.IsSorted(drawn))
			assert.Len(t, slices.Compact(drawn), len(s))
			assert.NotContains(t, drawn[:1], 0)
		}
	}
}

func TestARateOfRanksGivesEveryRankTheSameChance(t *testing.T) {
	const seeds, ranks = 20_000, 11
	var times [ranks]int
	var neighbours int // how often ranks 4 and 6 fail together; 5 between them is spared
	for seed := range uint64(seeds) {
		s, err := Schedule{{Kind: Crash, Select: Rate, Rate: 30 * OnePercent, At: OnTime(0)}}.Expand(ranks, seed, 5)
		require.NoError(t, err)
		drawn := ranksOf(s)
		for _, rank := range drawn {
			times[rank]++
		}
		if slices.Contains(drawn, 4) && slices.Contains(drawn, 6) {
			neighbours++
		}
	}
	mean, room := bounds(seeds, 0.3)
	for rank, n := range times {
		if rank == 5 {
			assert.Zero(t, n, "spared")
			continue
		}
		assert.InDelta(t, mean, n, room, "rank %d", rank)
	}
	mean, room = bounds(seeds, 0.3*0.3)
	assert.InDelta(t, mean, neighbours, room)
}

func TestCertainRateTakesEveryRankThatIsNotSpared(t *testing.T) {
	assert.Equal(t, []int{1, 2, 4, 5, 6}, ranksOf(mustExpand(t, "crash:100%", 8, 0, 7, 0, 3, 0)))
	assert.Equal(t, []int{1, 2, 4, 5, 6}, ranksOf(mustExpand(t, "crash:~5", 8, 0, 7, 0, 3, 0)))
	assert.Empty(t, mustExpand(t, "crash:100%", 2, 0, 0, 1))
}

func TestExpandKeepsExplicitItemsEvenOnSparedRanks(t *testing.T) {
	s := MustParse("crash:0@send1,slow:3x2@t4")
	got, err := s.Expand(8, 1, 0, 3)
	require.NoError(t, err)
	assert.Equal(t, s, got)
	got[0].Rank = 5
	assert.Equal(t, "crash:0@send1,slow:3x2@t4", s.String(), "the result shares no memory")

	assert.Equal(t, "none", mustExpand(t, "none", 8, 1).String())
}

func TestExpandCopiesAllButTheRanks(t *testing.T) {
	for _, f := range mustExpand(t, "slow:~9x4@step:commit#2,slow:20%x4@step:commit#2", 100, 7) {
		assert.Equal(t, Fault{Kind: Slow, Rank: f.Rank, Factor: 4, At: OnStep("commit", 2)}, f)
	}
}

func TestExpandIsAFunctionOfItsArguments(t *testing.T) {
	const text = "crash:~9@t0,hang:3%@send2,crash:5@t1"
	assert.Equal(t, mustExpand(t, text, 500, 8, 0), mustExpand(t, text, 500, 8, 0))
	assert.NotEqual(t, mustExpand(t, text, 500, 8, 0), mustExpand(t, text, 500, 9, 0))
}

// A run is replayed from its seed, so what a seed draws must not change between versions.
func TestDrawsAreTheSameInEveryVersion(t *testing.T) {
	assert.Equal(t, []int{16, 366, 514, 521, 673, 915}, ranksOf(mustExpand(t, "crash:~6", 1000, 0, 0)))
	assert.Equal(t, []int{44, 172, 557, 675, 746, 996}, ranksOf(mustExpand(t, "crash:~6", 1000, 1, 0)))
	assert.Equal(t, []int{832, 962}, ranksOf(mustExpand(t, "crash:0.5%", 1000, 0, 0)))
	assert.Equal(t, []int{352, 979}, ranksOf(mustExpand(t, "crash:0.5%", 1000, 1, 0)))
}

func TestItemsDrawFromStreamsOfTheirOwn(t *testing.T) {
	both := mustExpand(t, "crash:~20@t0,crash:~20@t1", 10_000, 3)
	first, second := ranksOf(both[:20]), ranksOf(both[20:])
	assert.NotEqual(t, first, second)

	longer := mustExpand(t, "crash:~20@t0,crash:~20@t1,hang:5%,crash:77@t0", 10_000, 3)
	assert.Equal(t, both, longer[:40], "more items at the end change nothing before them")
	other := mustExpand(t, "hang:~900@t7,crash:~20@t1", 10_000, 3)
	assert.Equal(t, second, ranksOf(other[900:]), "the draws of other items do not matter")
}

func TestSeedZeroIsOrdinary(t *testing.T) {
	seen := map[string]bool{}
	for _, seed := range []uint64{0, 1, 2, 1 << 63, math.MaxUint64} {
		seen[fmt.Sprint(ranksOf(mustExpand(t, "crash:~20", 10_000, seed)))] = true
	}
	assert.Len(t, seen, 5)
	assert.Equal(t, mustExpand(t, "crash:~20", 10_000, 0), mustExpand(t, "crash:~20", 10_000, 0))
}

func TestExpandListsTheSameFaultOfARankOnce(t *testing.T) {
	got := mustExpand(t, "crash:2@t0,crash:100%@t0,crash:~3@t0,crash:~4@t1", 4, 0)
	assert.Equal(t, "crash:2@t0,crash:0@t0,crash:1@t0,crash:3@t0,"+
		"crash:0@t1,crash:1@t1,crash:2@t1,crash:3@t1", got.String())
}

func TestExpandErrors(t *testing.T) {
	for _, c := range []struct {
		text  string
		ranks int
		spare []int
		want  string
	}{
		{"crash:~8,hang:~6", 8, []int{0, 3, 0}, "crash:~8@t0: 8 ranks to draw, want at most the 6 that are not spared"},
		{"crash:~1", 1, []int{0}, "crash:~1@t0: 1 ranks to draw, want at most the 0 that are not spared"},
		{"crash:~9,crash:8", 8, nil, "crash:~9@t0: number of ranks 9, want 1 to 8; crash:8@t0: rank 8, want 0 to 7"},
		{"crash:9", 8, []int{8, -1}, "crash:9@t0: rank 9, want 0 to 7; spared rank -1, want 0 to 7; spared rank 8, want 0 to 7"},
		{"crash:1,crash:1", 8, nil, "crash:1@t0: listed twice"},
		{"none", 0, []int{0}, "ranks 0, want 1 to 2147483647"},
	} {
		got, err := MustParse(c.text).Expand(c.ranks, 1, c.spare...)
		assert.Nil(t, got, c.text)
		assert.EqualError(t, err, "faults: "+c.want)
	}
	_, err := Schedule{{Kind: Slow, Select: Count, Number: 3, At: OnTime(0)}}.Expand(8, 1)
	assert.EqualError(t, err, "faults: slow:~3x0@t0: factor 0, want 2 to 1000000")
	_, err = Schedule{{Kind: Crash, Select: Rate, Rate: 0, At: OnTime(0)}}.Expand(8, 1)
	assert.EqualError(t, err, "faults: crash:0%@t0: rate 0%, want more than 0% and at most 100%")
}

func BenchmarkExpand(b *testing.B) {
	const ranks = 1 << 20
	for _, text := range []string{"crash:~41943", "crash:4%", "crash:0.01%", "crash:4%,hang:1%"} {
		b.Run(fmt.Sprintf("%s/P=%d", text, ranks), func(b *testing.B) {
			s := MustParse(text)
			for b.Loop() {
				if _, err := s.Expand(ranks, 1, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
