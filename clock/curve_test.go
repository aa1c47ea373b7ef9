package clock_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestCurveIsStraightBetweenPointsAndBeyondTheLast(t *testing.T) {
	curve, err := clock.NewCurve([]clock.Point{{10, 30}, {2, 10}, {4, 13}})
	require.NoError(t, err)
	for _, tt := range []struct{ nodes, latency int }{
		{-1, 10}, {1, 10}, {2, 10},
		{3, 12},                            // 11.5
		{4, 13}, {5, 16}, {6, 19}, {7, 22}, // 15.83, 18.67, 21.5
		{10, 30}, {11, 33}, {100, 285}, // 17/6 a node
	} {
		require.EqualValues(t, tt.latency, curve.At(tt.nodes), "%d nodes", tt.nodes)
	}
}

func TestCurveOfOnePointIsFlatAndAFallingOneEndsAtOneTick(t *testing.T) {
	flat, err := clock.NewCurve([]clock.Point{{8, 7}})
	require.NoError(t, err)
	require.EqualValues(t, 7, flat.At(1))
	require.EqualValues(t, 7, flat.At(1000))
	falling, err := clock.NewCurve([]clock.Point{{1, 10}, {2, 5}})
	require.NoError(t, err)
	require.EqualValues(t, 1, falling.At(3))
	require.EqualValues(t, 1, falling.At(clock.MaxRanks))
	steep, err := clock.NewCurve([]clock.Point{{1, 1}, {2, clock.MaxCost}})
	require.NoError(t, err)
	require.Equal(t, clock.Forever, steep.At(clock.MaxRanks))
}

func TestCurveGoesThroughItsPointsAndStaysBetweenThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []clock.Point
		for _, nodes := range rapid.SliceOfNDistinct(rapid.IntRange(1, 50), 1, 6, rapid.ID[int]).Draw(t, "nodes") {
			points = append(points, clock.Point{Nodes: nodes, Latency: clock.Time(rapid.IntRange(1, 100).Draw(t, "latency"))})
		}
		curve, err := clock.NewCurve(points)
		require.NoError(t, err)
		slices.SortFunc(points, func(a, b clock.Point) int { return a.Nodes - b.Nodes })
		for i, p := range points {
			require.Equal(t, p.Latency, curve.At(p.Nodes))
			for n := p.Nodes; i > 0 && n > points[i-1].Nodes; n-- {
				require.GreaterOrEqual(t, curve.At(n), min(p.Latency, points[i-1].Latency))
				require.LessOrEqual(t, curve.At(n), max(p.Latency, points[i-1].Latency))
			}
		}
	})
}

func TestNewCurveNamesWhatIsWrong(t *testing.T) {
	_, err := clock.NewCurve(nil)
	require.EqualError(t, err, "clock: a curve of 0 points, want 1 or more")
	_, err = clock.NewCurve([]clock.Point{{3, 0}, {2, 9}, {2, 8}})
	require.EqualError(t, err, "clock: measured latency = 0 ticks, want 1 to 1099511627776; latencies 9 and 8 for 2 nodes, want one")
}
