package paper

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// The table of docs/membership.md. On a single-hop machine the base model leaves out nothing but
// overheads, serialized sends and busy ports; on the torus no level takes longer than the
// distance model says, and these. Time grows with the number of levels, that is with the
// logarithm of the number of ranks.
func TestModelsOfMembershipExplainWhatIsMeasured(t *testing.T) {
	all, err := measureViewChanges(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 18)
	for _, v := range all {
		one, torus := &v.single, &v.torus
		require.True(t, one.Known && torus.Known, v.line)
		require.Equal(t, one.Height-1, one.Items.Levels, v.line)
		require.Equal(t, one.Base+one.Items.Unmodelled(), one.Measured, v.line)
		require.LessOrEqual(t, torus.Measured, torus.Distance+torus.Items.Unmodelled(), v.line)
		require.Greater(t, 2*torus.Measured, torus.Distance, v.line)
		levels := clock.Time((bits.Len(uint(v.ranks)) - 1) / (bits.Len(uint(v.children)) - 1))
		require.LessOrEqual(t, one.Measured, 120*(levels+2), "%s: 12 us a level", v.line)
	}
}
