package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// Distances on networks of as many nodes as there can be are those of the formula, both ways, and within the bounds.
func TestNetworksOfTheLargestMachine(t *testing.T) {
	const last = clock.MaxRanks - 1
	line := clock.Torus{X: clock.MaxRanks, Y: 1, Z: 1, PerHop: 3}
	cube := clock.Torus{X: 1290, Y: 1290, Z: 1290, PerHop: 3, Order: clock.ZYX}
	fat := clock.FatTree{Arity: 2, Levels: 30, PerHop: 5}
	nodes := clock.Nodes{Ranks: clock.MaxRanks, Nodes: clock.MaxRanks - 1, Between: clock.Uniform(9), Inside: clock.Local{Latency: 1, Overhead: 1}}
	for _, n := range []interface {
		clock.Bounded
		Validate() error
	}{line, cube, fat, nodes} {
		require.NoError(t, n.Validate())
		rapid.Check(t, func(t *rapid.T) {
			size := clock.MaxRanks
			if sized, ok := n.(clock.Sized); ok {
				size = sized.Nodes()
			}
			rank := rapid.OneOf(rapid.IntRange(0, size-1), rapid.IntRange(size-9, size-1), rapid.IntRange(0, 9))
			from, to := rank.Draw(t, "from"), rank.Draw(t, "to")
			latency := n.Latency(from, to)
			require.Equal(t, latency, n.Latency(to, from))
			require.GreaterOrEqual(t, latency, n.MinLatency())
			require.LessOrEqual(t, latency, n.MaxLatency())
		})
	}
	require.EqualValues(t, 3, line.Latency(0, last), "round the end")
	require.EqualValues(t, 3*(1<<30-1), line.Latency(0, 1<<30-1))
	require.EqualValues(t, 2*30*5, fat.Latency(0, 1<<30-1))
	require.Equal(t, clock.MaxRanks-2, nodes.Node(last))
	require.Equal(t, 0, nodes.Node(0))
	require.True(t, nodes.Shared(0, 1), "one node has two ranks")
	require.False(t, nodes.Shared(last-1, last))
}

// Nodes are in the order of ranks, none is left out, and none has two ranks more than another.
func TestNodesOfTheLargestMachineAreEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := clock.Nodes{Ranks: clock.MaxRanks, Nodes: rapid.IntRange(1, clock.MaxRanks).Draw(t, "nodes")}
		rank := rapid.IntRange(0, clock.MaxRanks-2).Draw(t, "rank")
		step := n.Node(rank+1) - n.Node(rank)
		require.True(t, step == 0 || step == 1)
		require.Equal(t, n.Nodes-1, n.Node(clock.MaxRanks-1))
	})
}
