package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

var cheap = clock.Local{Latency: 1, Overhead: 2}

func TestRanksLieInEvenBlocks(t *testing.T) {
	for ranks := 1; ranks <= 40; ranks++ {
		for nodes := 1; nodes <= ranks; nodes++ {
			n := clock.Nodes{Ranks: ranks, Nodes: nodes, Between: clock.Uniform(9), Inside: cheap}
			require.NoError(t, n.Validate())
			sizes := make([]int, nodes)
			last := 0
			for r := range ranks {
				node := n.Node(r)
				require.True(t, node == last || node == last+1, "in blocks")
				last = node
				sizes[node]++
			}
			for _, size := range sizes {
				require.True(t, size == ranks/nodes || size == (ranks+nodes-1)/nodes, "%d ranks, %v", ranks, sizes)
			}
		}
	}
}

func TestMessagesInsideANodeHaveTheirOwnCosts(t *testing.T) {
	logp := clock.LogP{Ranks: 6, Latency: 30, Overhead: 5, Gap: 3, PerByte: 7}
	n := clock.Nodes{Ranks: 6, Nodes: 2, Between: clock.Torus{X: 2, Y: 1, Z: 1, PerHop: 9}, Inside: cheap}
	require.EqualValues(t, 1, n.Latency(0, 2))
	require.EqualValues(t, 1, n.Latency(4, 4), "to itself")
	require.EqualValues(t, 9, n.Latency(2, 3))
	require.Equal(t, clock.Costs{Overhead: 2, Spacing: 3, PerByte: 7, Receiving: 3}, clock.CostsBetween(logp, n, 0, 2))
	require.Equal(t, logp.Costs(), clock.CostsBetween(logp, n, 2, 3))
	require.Equal(t, logp.Costs(), clock.CostsBetween(logp, clock.Uniform(30), 0, 0))
	require.EqualValues(t, 1, n.MinLatency())
	require.EqualValues(t, 9, n.MaxLatency())
	n.Inside.Latency = 40
	require.EqualValues(t, 9, n.MinLatency())
	require.EqualValues(t, 40, n.MaxLatency())
}

// No window is longer than the shortest way from the start of a send to the arrival, and the shortest receive.
func TestLookaheadIsThatOfTheCheapestPair(t *testing.T) {
	logp := clock.LogP{Ranks: 6, Latency: 10, Overhead: 5}
	require.EqualValues(t, 20, clock.Lookahead(logp, clock.Uniform(10)))
	for _, c := range []struct {
		inside clock.Local
		want   clock.Time
	}{
		{clock.Local{Latency: 1, Overhead: 2}, 1 + 2 + 2},
		{clock.Local{Latency: 10, Overhead: 5}, 20},
		{clock.Local{Latency: 50, Overhead: 1}, 10 + 5 + 1},
		{clock.Local{Latency: 1, Overhead: 9}, 1 + 9 + 5},
		{clock.Local{Latency: 50, Overhead: 9}, 20},
	} {
		n := clock.Nodes{Ranks: 6, Nodes: 2, Between: clock.Uniform(10), Inside: c.inside}
		require.Equal(t, c.want, clock.Lookahead(logp, n), "%+v", c.inside)
	}
}

func TestWrongNodesAreRefused(t *testing.T) {
	good := clock.Nodes{Ranks: 8, Nodes: 2, Between: clock.Uniform(9), Inside: cheap}
	for want, change := range map[string]func(*clock.Nodes){
		"clock: nodes = 9 nodes, want 1 to 8":                                        func(n *clock.Nodes) { n.Nodes = 9 },
		"clock: nodes = 0 nodes, want 1 to 8":                                        func(n *clock.Nodes) { n.Nodes = 0 },
		"clock: ranks = 0 ranks, want 1 to 2147483647; nodes = 2 nodes, want 1 to 1": func(n *clock.Nodes) { n.Ranks = 0 },
		"clock: latency inside a node = 0 ticks, want 1 to 1099511627776; overhead inside a node = -1 ticks, want 1 to 1099511627776": func(n *clock.Nodes) {
			n.Inside = clock.Local{Latency: 0, Overhead: -1}
		},
		"clock: no network between nodes":                                        func(n *clock.Nodes) { n.Between = nil },
		"clock: nodes between nodes, want another network":                       func(n *clock.Nodes) { n.Between = *n },
		"clock: latency per hop = 0 ticks, want 1 to 1099511627776":              func(n *clock.Nodes) { n.Between = clock.Torus{X: 2, Y: 1, Z: 1} },
		"clock: nodes = 2 nodes, want 1 to 1, those of the network between them": func(n *clock.Nodes) { n.Between = clock.Torus{X: 1, Y: 1, Z: 1, PerHop: 1} },
	} {
		n := good
		change(&n)
		require.EqualError(t, n.Validate(), want)
	}
	require.NoError(t, good.Validate())
	require.Equal(t, "2 nodes, latency 1 and overhead 2 inside; between them uniform network, latency 9", good.String())
}
