package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// hopping is a network whose latency follows from a number of hops.
type hopping interface {
	clock.Sized
	clock.Bounded
	Hops(from, to int) int
	Validate() error
}

// anyTorus draws a small torus or mesh.
func anyTorus(t *rapid.T) clock.Torus {
	side := rapid.IntRange(1, 5)
	return clock.Torus{
		X: side.Draw(t, "X"), Y: side.Draw(t, "Y"), Z: side.Draw(t, "Z"),
		PerHop: clock.Time(rapid.IntRange(1, 9).Draw(t, "per hop")),
		Mesh:   rapid.Bool().Draw(t, "mesh"),
		Order:  clock.Order(rapid.IntRange(0, int(clock.ZYX)).Draw(t, "order")),
	}
}

// anyFatTree draws a small fat tree.
func anyFatTree(t *rapid.T) clock.FatTree {
	return clock.FatTree{
		Arity:  rapid.IntRange(2, 5).Draw(t, "arity"),
		Levels: rapid.IntRange(1, 3).Draw(t, "levels"),
		PerHop: clock.Time(rapid.IntRange(1, 9).Draw(t, "per hop")),
	}
}

func anyHopping(t *rapid.T) hopping {
	if rapid.Bool().Draw(t, "torus") {
		return anyTorus(t)
	}
	return anyFatTree(t)
}

func TestHopsAreADistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyHopping(t)
		require.NoError(t, n.Validate())
		rank := rapid.IntRange(0, n.Nodes()-1)
		a, b, c := rank.Draw(t, "a"), rank.Draw(t, "b"), rank.Draw(t, "c")
		require.Equal(t, n.Hops(a, b), n.Hops(b, a))
		require.LessOrEqual(t, n.Hops(a, c), n.Hops(a, b)+n.Hops(b, c))
		require.Equal(t, n.Latency(a, b), n.Latency(b, a))
		require.LessOrEqual(t, n.Hops(a, a), n.Hops(a, b))
	})
}

// The smallest latency is what windows rely on, the largest what deadlines do.
func TestSmallestAndLargestLatenciesAreThoseOfSomePair(t *testing.T) {
	require.EqualValues(t, 7, clock.Uniform(7).MaxLatency())
	rapid.Check(t, func(t *rapid.T) {
		n := anyHopping(t)
		least, most := clock.Never, clock.Time(0)
		for from := range n.Nodes() {
			for to := range n.Nodes() {
				least, most = min(least, n.Latency(from, to)), max(most, n.Latency(from, to))
			}
		}
		require.Equal(t, n.MinLatency(), least)
		require.Equal(t, n.MaxLatency(), most)
	})
}

// Networks are compared to find out whether a machine can be used again.
func TestNetworksAreComparable(t *testing.T) {
	var a, b clock.Network = clock.Midplane(3), clock.Midplane(3)
	require.True(t, a == b)
	b = clock.Switch{Service: 3}
	require.False(t, a == b)
}
