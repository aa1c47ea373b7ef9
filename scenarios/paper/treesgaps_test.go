package paper

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

func TestEveryCorrectionLiesWithinTheBoundsOfLemma3(t *testing.T) {
	runs := thorough.Times(10)
	for _, name := range []string{"trees-fig10", "trees-table1"} {
		r := small(t, name, runs)
		require.Equal(t, Claim{"runs outside lemma 3's bounds", "0", fmt.Sprintf("0 of %d", 20*runs), true, nil}, claim(t, r, "runs outside lemma 3's bounds"))
	}
	seen := 0
	for _, row := range small(t, "trees-fig10", runs).Table.Rows {
		require.LessOrEqual(t, row[2], row[1], "%v", row)
		require.GreaterOrEqual(t, row[3], row[1], "%v", row)
		for _, times := range row[4:] {
			seen += times.(int)
		}
	}
	require.Equal(t, 20*runs, seen)
}

func TestLemma3(t *testing.T) {
	low, high := lemma3(0)
	require.EqualValues(t, [2]int{8, 8}, [2]int{int(low), int(high)})
	low, high = lemma3(5)
	require.EqualValues(t, [2]int{13, 19}, [2]int{int(low), int(high)})
}

// corrected fills in corrections that have been seen.
func corrected(s *campaign.Summary, seen map[campaign.GapTime]int) {
	s.Corrections = seen
	for c, times := range seen {
		for range times {
			s.Gap.Add(float64(c.Gap))
			s.Correction.Add(float64(c.Took))
		}
	}
}

func TestVerdictsOnGaps(t *testing.T) {
	seen := func(last campaign.GapTime, often int) measured {
		return made(t, "trees-faults", func(_ point, s *campaign.Summary) {
			corrected(s, map[campaign.GapTime]int{{Gap: 1, Took: 10}: 1000, last: often})
		})
	}
	const bounds, large = "runs outside lemma 3's bounds", "runs with a gap of more than 10"
	require.True(t, verdict(t, "trees-fig10", bounds, seen(campaign.GapTime{Gap: 3, Took: 11}, 1)).Holds)
	require.True(t, verdict(t, "trees-fig10", bounds, seen(campaign.GapTime{Gap: 3, Took: 15}, 1)).Holds)
	require.False(t, verdict(t, "trees-fig10", bounds, seen(campaign.GapTime{Gap: 3, Took: 10}, 1)).Holds)
	require.Equal(t, "20 of 20,020", verdict(t, "trees-fig10", bounds, seen(campaign.GapTime{Gap: 3, Took: 16}, 1)).Ours)
	require.True(t, verdict(t, "trees-fig10", large, seen(campaign.GapTime{Gap: 11, Took: 20}, 5)).Holds)
	require.True(t, verdict(t, "trees-fig10", large, seen(campaign.GapTime{Gap: 10, Took: 20}, 50)).Holds)
	require.False(t, verdict(t, "trees-fig10", large, seen(campaign.GapTime{Gap: 11, Took: 20}, 50)).Holds)
}
