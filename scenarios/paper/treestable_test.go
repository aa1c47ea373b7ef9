package paper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Table 1, from runs of which just more than one in a hundred has the paper's value, and one in a
// thousand a larger one.
func TestVerdictsOnTable1(t *testing.T) {
	seen := func(more int) measured {
		return made(t, "trees-faults", func(p point, s *campaign.Summary) {
			printed := printedTable[p.downPercent()]
			at := func(k, more int) campaign.GapTime {
				return campaign.GapTime{Gap: int(printed[0][k]) + more, Took: clock.Time(printed[1][k])}
			}
			corrected(s, map[campaign.GapTime]int{at(0, more): 995, at(1, 40): 5})
		})
	}
	const what = "99 % percentiles: farthest from the paper's"
	require.Equal(t, Claim{what, "0", "0", true, nil}, verdict(t, "trees-table1", what, seen(0)))
	require.Equal(t, Claim{what, "0", "1", true, nil}, verdict(t, "trees-table1", what, seen(1)))
	require.Equal(t, Claim{what, "0", "2", false, nil}, verdict(t, "trees-table1", what, seen(2)))
	e, err := Find("trees-table1")
	require.NoError(t, err)
	r, err := e.evaluate([]measured{seen(0)})
	require.NoError(t, err)
	require.Equal(t, 13.0, cell(t, r, "largest gap", 4.0, 4000, 99.0))
	require.Equal(t, 60.0, cell(t, r, "largest gap", 4.0, 4000, 99.9))
}
