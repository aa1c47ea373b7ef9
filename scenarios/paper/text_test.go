package paper

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

func TestNumbersReadWell(t *testing.T) {
	require.Equal(t, []string{"7", "999", "1,000", "65,536", "1,234,567"},
		[]string{thousands(7), thousands(999), thousands(1000), thousands(65536), thousands(1234567)})
	require.Equal(t, "1.9 to 2.0", (&reach{1.94, 2}).text(1))
	require.Equal(t, "5.00", (&reach{4.999, 5.001}).text(2))
	require.Equal(t, []string{"512", "1K", "1536", "64K"}, []string{sizeName(512), sizeName(1024), sizeName(1536), sizeName(65536)})
}

// A single run says nothing about others, and a bar without height is none.
func TestWhatCannotBeToldIsLeftOut(t *testing.T) {
	one, two := just(5), just(5, 7)
	require.True(t, math.IsNaN(confidence(&one)))
	require.InDelta(t, 12.7062, confidence(&two), 1e-4)
	for low, want := range map[float64]figure.Point{
		2:          {X: 1, Y: 3, Low: 2, High: 4},
		4:          {X: 1, Y: 3},
		math.NaN(): {X: 1, Y: 3},
	} {
		require.Equal(t, want, withBar(1, 3, low, 4))
	}
}

func TestWhiskersAreFrom5To95(t *testing.T) {
	var s stats.Sample
	for i := range 100 {
		s.Add(float64(2 * (i + 1)))
	}
	p := whiskers(7, &s, 2)
	require.Equal(t, [3]float64{50.5, 5, 95}, [3]float64{p.Y, p.Low, p.High})
}
