package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestCalibrateDrawsTheBestLine(t *testing.T) {
	for _, tt := range []struct {
		name   string
		points []clock.Point
		want   clock.Switch
	}{
		{"two points", []clock.Point{{1, 12}, {11, 42}}, clock.Switch{In: 4, Service: 3, Out: 5}},
		{"in any order", []clock.Point{{11, 42}, {1, 12}}, clock.Switch{In: 4, Service: 3, Out: 5}},
		{"several for one number", []clock.Point{{1, 10}, {1, 14}, {11, 42}}, clock.Switch{In: 4, Service: 3, Out: 5}},
		// Slope (3*46-6*21)/(3*14-36) = 2, mean 7 at 2 nodes.
		{"points off the line", []clock.Point{{1, 4}, {2, 9}, {3, 8}}, clock.Switch{In: 1, Service: 2, Out: 2}},
		// With 2 in place of 1.5 per node, 11.5 at 2 nodes leaves 7.5.
		{"a slope of one and a half is rounded up", []clock.Point{{1, 10}, {3, 13}}, clock.Switch{In: 4, Service: 2, Out: 4}},
		{"no contention still takes a tick", []clock.Point{{1, 10}, {5, 10}}, clock.Switch{In: 3, Service: 1, Out: 4}},
		{"all of it in the switch", []clock.Point{{1, 5}, {2, 10}, {4, 20}}, clock.Switch{Service: 5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := clock.Calibrate(tt.points)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// What a switch does under contention leads back to that switch.
func TestCalibrateFindsTheSwitchThatWasMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ticks := func(low int64, name string) clock.Time {
			return clock.Time(rapid.Int64Range(low, 1<<37-1).Draw(t, name)) // eight of them are a cost that can be measured
		}
		in, service := ticks(0, "in"), ticks(1, "service")
		want := clock.Switch{In: in, Service: service, Out: in + clock.Time(rapid.IntRange(0, 1).Draw(t, "odd"))}
		var points []clock.Point
		for _, nodes := range rapid.SliceOfNDistinct(rapid.IntRange(1, 6), 2, 4, rapid.ID[int]).Draw(t, "nodes") {
			points = append(points, clock.Point{Nodes: nodes, Latency: want.Burst(nodes)})
		}
		got, err := clock.Calibrate(points)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestCalibrateNamesWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		points []clock.Point
		want   string
	}{
		{nil, "clock: 0 points for the same number of nodes, want two numbers of nodes or more"},
		{[]clock.Point{{4, 9}, {4, 10}}, "clock: 2 points for the same number of nodes, want two numbers of nodes or more"},
		{[]clock.Point{{0, 9}, {4, 0}}, "clock: nodes = 0 nodes, want 1 to 2147483647; measured latency = 0 ticks, want 1 to 1099511627776"},
		{[]clock.Point{{1, 9}, {4, 8}}, "clock: latency changes by -0.333 ticks per node, want 0 or more"},
		{[]clock.Point{{1, 1}, {4, 31}}, "clock: 10 ticks per node leave -9 ticks for the way to the switch and from it, want 0 or more"},
	} {
		_, err := clock.Calibrate(tt.points)
		require.EqualError(t, err, tt.want)
	}
}
