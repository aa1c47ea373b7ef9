package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestFatTreeGoesUpToTheLowestCommonSwitch(t *testing.T) {
	tree := clock.FatTree{Arity: 4, Levels: 3, PerHop: 5}
	require.Equal(t, 64, tree.Nodes())
	for _, tt := range []struct{ from, to, hops int }{
		{0, 0, 2}, {0, 3, 2}, {0, 4, 4}, {3, 4, 4}, {0, 15, 4}, {0, 16, 6}, {15, 16, 6}, {63, 0, 6}, {60, 63, 2},
	} {
		require.Equal(t, tt.hops, tree.Hops(tt.from, tt.to), "%d to %d", tt.from, tt.to)
		require.EqualValues(t, 5*tt.hops, tree.Latency(tt.from, tt.to))
	}
	require.EqualValues(t, 10, tree.MinLatency())
	require.EqualValues(t, 30, tree.MaxLatency())
	require.Equal(t, "fat tree of arity 4, 3 levels, latency 5 per hop", tree.String())
}

func TestFatTreeValidateListsEveryProblem(t *testing.T) {
	require.NoError(t, clock.FatTree{Arity: 2, Levels: 30, PerHop: 1}.Validate())
	require.EqualError(t, clock.FatTree{Arity: 1, PerHop: -2}.Validate(),
		"clock: arity = 1 leaves, want 2 to 2147483647; levels = 0 levels, want 1 to 30; "+
			"latency per hop = -2 ticks, want 1 to 1099511627776")
	require.EqualError(t, clock.FatTree{Arity: 1000, Levels: 10, PerHop: clock.MaxCost}.Validate(),
		"clock: nodes in all = 1152921504606846976 nodes, want 1 to 2147483647; "+
			"longest latency = 21990232555520 ticks, want 1 to 1099511627776")
}
