package paper

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestARunWithoutAResultIsAnError(t *testing.T) {
	c, err := campaign.Parse(catalog.All(), "name = \"lost\"\nline = \"collective op=reduce P=4 strategy=plain faults=crash:2@step:exchange\"\nruns = 1")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "lost")
	require.NoError(t, c.Run(t.Context(), file, campaign.Options{}))
	c, points, err := campaign.Summarize(catalog.All(), file)
	require.NoError(t, err)
	m, err := newMeasured(c, points)
	require.NoError(t, err)
	_, err = ofResults(nil)([]measured{m})
	require.ErrorContains(t, err, "paper: lost: no result, or a wrong one: collective op=reduce P=4 strategy=plain")
}

// computing fills in when the last rank is done, by the way and the rest of a line.
func computing(done func(p point) float64) filling {
	return func(_ string, p point) { p.Done, p.Messages = just(done(p)), just(1) }
}

// ifSo changes the time of points by a factor.
func ifSo(is func(p point) bool, factor float64) filling {
	return func(_ string, p point) {
		if is(p) {
			p.Done = just(factor * p.done())
		}
	}
}

func TestSeriesThatLieOnEachOtherAreDrawnOnce(t *testing.T) {
	low, high := []figure.Point{{X: 1, Y: 2}}, []figure.Point{{X: 1, Y: 3}}
	require.Equal(t, []figure.Series{
		{Name: "a and c", Of: 1, Points: low},
		{Name: "b and e", Of: 2, Points: high},
	}, merged([]figure.Series{
		{Name: "a", Of: 1, Points: low}, {Name: "b", Of: 2, Points: high}, {Name: "c", Of: 3, Points: low}, {Of: 4, Points: low}, {Name: "e", Of: 5, Points: high},
	}))
}
