package paper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

func TestCoverageCountsWhoWasMissed(t *testing.T) {
	runs := max(6, thorough.Times(20)) // fewer say nothing about a share
	r := small(t, "trees-coverage", runs)
	require.Len(t, r.Table.Rows, 32)
	require.True(t, claim(t, r, "opportunistic: runs that missed somebody at 0.1 %").Holds)
	for _, row := range r.Table.Rows {
		missed := row[4].(int)
		require.Equal(t, row[9].(float64) > 0, missed > 0, "%v", row)
		require.Equal(t, 100*float64(missed)/float64(runs), row[5], "%v", row)
	}
}

// If nobody is missed in 23 runs, the share of those who miss somebody is less than 15 %; of 22 it is not.
func TestFewRunsMakeNoClaimsOnCoverage(t *testing.T) {
	few, enough := coverage{most: stats.Proportion{Runs: 22}}, coverage{most: stats.Proportion{Runs: 23}}
	require.Empty(t, few.claims(""))
	require.Len(t, enough.claims(""), 2, "of those who miss somebody there is nothing to say")
	enough.missed = 1
	require.Len(t, enough.claims(""), 3)
}

func TestVerdictsOnCoverage(t *testing.T) {
	missing := func(at4, ranks int) measured {
		return made(t, "trees-coverage", func(p point, s *campaign.Summary) {
			missed := 0
			if p.downPercent() == 4 {
				missed = at4
			} else if p.downPercent() == 2 {
				missed = 50 // is not counted at 4 %
			}
			for i := range 250 {
				n := 0
				if i < missed {
					n = ranks
				}
				s.Missed.Add(float64(n))
				s.Complete.Add(n == 0)
			}
		})
	}
	const share, single = "optimized: missed somebody at 4 %", "optimized: of those, missed a single rank"
	require.True(t, verdict(t, "trees-coverage", share, missing(1, 1)).Holds)
	require.False(t, verdict(t, "trees-coverage", share, missing(20, 1)).Holds)
	require.True(t, verdict(t, "trees-coverage", single, missing(1, 1)).Holds)
	require.False(t, verdict(t, "trees-coverage", single, missing(1, 2)).Holds)
	require.True(t, verdict(t, "trees-coverage", "optimized: runs that missed somebody at 0.1 %", missing(1, 1)).Holds)
}
