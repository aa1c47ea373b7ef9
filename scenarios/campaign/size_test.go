package campaign

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// How many runs there are besides does not make another campaign of it.
func TestOtherSizesAreNotPartOfACampaign(t *testing.T) {
	a, b := parse(t, several), parse(t, several)
	b.Quick, b.Full = 0, 7
	require.Equal(t, a.digest(), b.digest())
	b.Lines = b.Lines[:1]
	require.NotEqual(t, a.digest(), b.digest())
}

func TestACampaignComesInSizes(t *testing.T) {
	c := parse(t, several)
	for size, runs := range map[Size]int{Quick: 2, Usual: 60, Full: 1000} {
		other, err := c.Resize(size)
		require.NoError(t, err)
		require.Equal(t, runs, other.Runs)
	}
	require.Equal(t, 60, c.Runs)
	require.Equal(t, []string{"-quick", "", "-full"}, []string{Quick.Suffix(), Usual.Suffix(), Full.Suffix()})
	_, err := parse(t, small).Resize(Full)
	require.ErrorContains(t, err, "small does not say how many runs are full, want a line such as full = 10")
	c.Full = MaxRuns
	_, err = c.Resize(Full)
	require.ErrorContains(t, err, "1000000000 runs of 4 points")
}
