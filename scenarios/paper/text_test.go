package paper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

func TestNumbersReadWell(t *testing.T) {
	require.Equal(t, []string{"7", "999", "1,000", "65,536", "1,234,567"},
		[]string{thousands(7), thousands(999), thousands(1000), thousands(65536), thousands(1234567)})
	require.Equal(t, "1.9 to 2.0", (&reach{1.94, 2}).text(1))
	require.Equal(t, "5.00", (&reach{4.999, 5.001}).text(2))
	require.Equal(t, []string{"512", "1K", "64K"}, []string{sizeName(512), sizeName(1024), sizeName(65536)})
}

func TestWhiskersAreFrom5To95(t *testing.T) {
	var s stats.Sample
	for i := range 100 {
		s.Add(float64(2 * (i + 1)))
	}
	p := whiskers(7, &s, 2)
	require.Equal(t, [3]float64{50.5, 5, 95}, [3]float64{p.Y, p.Low, p.High})
}
