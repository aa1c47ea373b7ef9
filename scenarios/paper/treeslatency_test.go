package paper

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Figure 7: checked correction adds 8 ticks to every tree, acknowledgements double the time.
func TestCheckedCorrectionAddsEightTicks(t *testing.T) {
	r := small(t, "trees-fig7", 1)
	adds := claim(t, r, "checked correction adds, ticks")
	require.Equal(t, Claim{"checked correction adds, ticks", "8", "8", true, nil}, adds)
	twice := claim(t, r, "acknowledged trees over dissemination")
	require.Equal(t, Claim{"acknowledged trees over dissemination", "2", "1.90 to 2.00", true, nil}, twice)
	require.Equal(t, 56.0, cell(t, r, "4K", "binomial, checked"))
	require.Equal(t, 96.0, cell(t, r, "4K", "binomial, acknowledged"))
	require.InDelta(t, 45, cell(t, r, "4K", "gossip, checked"), 3)
}
