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

// What the thesis says of BlueGene/L, but for how close its distance model is and that time grows with the
// logarithm also where ways grow.
func TestTimesOfMembershipAreThoseOfTheThesisButForTheTorus(t *testing.T) {
	all, err := measureViewChanges(t.Context())
	require.NoError(t, err)
	r := stabilizationResult(all)
	require.Equal(t, map[string]bool{
		"T_s on 1,024 ranks, us":                                 true,
		"T_s with four children over that with two":              true,
		"base model over T_s, 1,024 ranks":                       true,
		"T_s over distance model, two children":                  false,
		"T_s over distance model, four children, powers of four": false,
		"T_s over distance model, four children, in between":     false,
		"us for each doubling of ranks, one hop, two children":   true,
		"us for each doubling of ranks, torus, two children":     false,
	}, verdicts(r))
	for _, ratio := range column[float64](t, r, "ratio") {
		require.Greater(t, ratio, 0.65)
		require.Less(t, ratio, 1.03)
	}
	requireReadable(t, r)
}
