package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestTorusGoesTheShorterWayRound(t *testing.T) {
	torus := clock.Torus{X: 8, Y: 5, Z: 1, PerHop: 3}
	mesh := torus
	mesh.Mesh = true
	for _, tt := range []struct{ from, to, torus, mesh int }{
		{0, 0, 0, 0},
		{0, 1, 1, 1},
		{0, 4, 4, 4},
		{0, 5, 3, 5},
		{0, 7, 1, 7},
		{0, 8, 1, 1}, // next in y
		{0, 4 * 8, 1, 4},
		{1 + 8, 6 + 3*8, 3 + 2, 5 + 2},
	} {
		require.Equal(t, tt.torus, torus.Hops(tt.from, tt.to), "torus, %d to %d", tt.from, tt.to)
		require.Equal(t, tt.mesh, mesh.Hops(tt.from, tt.to), "mesh, %d to %d", tt.from, tt.to)
		require.EqualValues(t, 3*max(1, tt.torus), torus.Latency(tt.from, tt.to))
		require.EqualValues(t, 3*max(1, tt.mesh), mesh.Latency(tt.from, tt.to))
	}
	require.EqualValues(t, 3*(4+2), torus.MaxLatency())
	require.EqualValues(t, 3*(7+4), mesh.MaxLatency())
}

// The neighbour of rank 0 in the order is a neighbour in its first coordinate, and so on.
func TestOrderSaysWhichCoordinateChangesFastest(t *testing.T) {
	for _, tt := range []struct {
		order                 string
		first, second, third  [3]int
		secondRank, thirdRank int
	}{
		{"xyz", [3]int{1, 0, 0}, [3]int{0, 1, 0}, [3]int{0, 0, 1}, 2, 2 * 3},
		{"xzy", [3]int{1, 0, 0}, [3]int{0, 0, 1}, [3]int{0, 1, 0}, 2, 2 * 5},
		{"yxz", [3]int{0, 1, 0}, [3]int{1, 0, 0}, [3]int{0, 0, 1}, 3, 3 * 2},
		{"yzx", [3]int{0, 1, 0}, [3]int{0, 0, 1}, [3]int{1, 0, 0}, 3, 3 * 5},
		{"zxy", [3]int{0, 0, 1}, [3]int{1, 0, 0}, [3]int{0, 1, 0}, 5, 5 * 2},
		{"zyx", [3]int{0, 0, 1}, [3]int{0, 1, 0}, [3]int{1, 0, 0}, 5, 5 * 3},
	} {
		order, err := clock.ParseOrder(tt.order)
		require.NoError(t, err)
		require.Equal(t, tt.order, order.String())
		torus := clock.Torus{X: 2, Y: 3, Z: 5, PerHop: 1, Order: order}
		at := func(rank int) [3]int {
			x, y, z := torus.Coordinates(rank)
			return [3]int{x, y, z}
		}
		require.Equal(t, tt.first, at(1), tt.order)
		require.Equal(t, tt.second, at(tt.secondRank), tt.order)
		require.Equal(t, tt.third, at(tt.thirdRank), tt.order)
		require.Equal(t, [3]int{1, 2, 4}, at(29), tt.order)
	}
	_, err := clock.ParseOrder("xyx")
	require.EqualError(t, err, `clock: order "xyx", want xyz, xzy, yxz, yzx, zxy or zyx`)
	require.Equal(t, "Order(6)", clock.Order(6).String())
}

func TestEveryNodeOfATorusIsOneRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		torus := anyTorus(t)
		seen := make(map[[3]int]bool)
		for rank := range torus.Nodes() {
			x, y, z := torus.Coordinates(rank)
			require.True(t, 0 <= x && x < torus.X && 0 <= y && y < torus.Y && 0 <= z && z < torus.Z)
			seen[[3]int{x, y, z}] = true
		}
		require.Len(t, seen, torus.Nodes())
	})
}

func TestMidplanesOfBlueGene(t *testing.T) {
	require.Equal(t, 512, clock.Midplane(1).Nodes())
	require.Equal(t, 1024, clock.TwoMidplanes(1).Nodes())
	require.EqualValues(t, 2*12, clock.Midplane(2).MaxLatency())
	require.EqualValues(t, 2*16, clock.TwoMidplanes(2).MaxLatency())
	require.Equal(t, "8x8x16 torus, order xyz, latency 2 per hop", clock.TwoMidplanes(2).String())
}

func TestTorusValidateListsEveryProblem(t *testing.T) {
	require.NoError(t, clock.Torus{X: 1, Y: 1, Z: 1, PerHop: 1}.Validate())
	require.NoError(t, clock.Torus{X: 1 << 14, Y: 1 << 14, Z: 1, PerHop: 1, Order: clock.ZYX}.Validate())
	require.EqualError(t, clock.Torus{Y: -1, Z: clock.MaxRanks + 1, Order: 6}.Validate(),
		"clock: nodes in x = 0 nodes, want 1 to 2147483647; nodes in y = -1 nodes, want 1 to 2147483647; "+
			"nodes in z = 2147483648 nodes, want 1 to 2147483647; latency per hop = 0 ticks, want 1 to 1099511627776; "+
			"order = 6, want 0 (xyz) to 5 (zyx)")
	require.ErrorContains(t, clock.Torus{X: 1 << 10, Y: 1 << 10, Z: 1 << 11, PerHop: 1}.Validate(),
		"nodes in all = 2147483648 nodes, want 1 to 2147483647")
	require.ErrorContains(t, clock.Torus{X: clock.MaxRanks, Y: clock.MaxRanks, Z: clock.MaxRanks, PerHop: 1}.Validate(), "nodes in all")
	require.EqualError(t, clock.Torus{X: 4, Y: 1, Z: 1, PerHop: clock.MaxCost, Mesh: true}.Validate(),
		"clock: longest latency = 3298534883328 ticks, want 1 to 1099511627776")
}
