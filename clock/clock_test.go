package clock_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestValidateListsEveryProblem(t *testing.T) {
	require.NoError(t, clock.LogP{Ranks: 1, Latency: 1, Overhead: 1}.Validate())
	err := clock.LogP{Ranks: 8, Latency: -3, Gap: -1, PerByte: clock.MaxCost + 1}.Validate()
	require.EqualError(t, err, "clock: latency L = -3 ticks, want 1 to 1099511627776; "+
		"overhead o = 0 ticks, want 1 to 1099511627776; gap g = -1 ticks, want 0 to 1099511627776; "+
		"per-byte gap G = 1099511627777 ticks, want 0 to 1099511627776")
	require.ErrorContains(t, clock.LogP{Latency: 1, Overhead: 1}.Validate(), "ranks P = 0 ranks, want 1 to")
}

func TestTimesStopsAtForever(t *testing.T) {
	require.Equal(t, clock.Time(12), clock.Time(3).Times(4))
	require.Zero(t, clock.Time(0).Times(1<<40))
	require.Zero(t, clock.Time(1<<40).Times(0))
	require.Equal(t, clock.Forever, clock.Time(1<<30).Times(1<<30))
	require.Equal(t, clock.Forever, clock.Time(1<<40).Times(1<<28))
	require.Positive(t, clock.Forever+clock.Forever+clock.Forever)
}

func TestTimePrintsTicksAndNever(t *testing.T) {
	require.Equal(t, "42", clock.Time(42).String())
	require.Equal(t, "never", clock.Never.String())
}

func TestPortsFollowTheInstantsOfTheModel(t *testing.T) {
	tests := []struct {
		name               string
		logp               clock.LogP
		bytes              int
		resumed, left      clock.Time // of a send that starts at 10
		nextSend, nextRecv clock.Time
	}{
		{"LogP", clock.LogP{Overhead: 2}, 1, 12, 12, 12, 12},
		{"gap below overhead has no effect", clock.LogP{Overhead: 3, Gap: 2}, 1, 13, 13, 13, 13},
		{"gap above overhead", clock.LogP{Overhead: 2, Gap: 5}, 1, 12, 12, 15, 15},
		{"bytes", clock.LogP{Overhead: 2, PerByte: 3}, 4, 12, 21, 21, 12},
		{"bytes and gap", clock.LogP{Overhead: 2, Gap: 5, PerByte: 3}, 4, 12, 21, 24, 15},
		{"many receives at once", clock.LogP{Overhead: 2, Gap: 5, ManyReceives: true}, 1, 12, 12, 15, 10},
		{"no payload counts as one byte", clock.LogP{Overhead: 2, PerByte: 3}, 0, 12, 12, 12, 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			costs := tt.logp.Costs()
			var send clock.SendPort
			require.EqualValues(t, 10, send.Start(10))
			resumed, left := send.Send(10, tt.bytes, &costs)
			require.Equal(t, tt.resumed, resumed)
			require.Equal(t, tt.left, left)
			require.Equal(t, tt.nextSend, send.Start(11))
			require.EqualValues(t, 100, send.Start(100), "an idle port starts at once")

			var recv clock.RecvPort
			require.Equal(t, 10+tt.logp.Overhead, recv.Receive(recv.Start(10), &costs))
			require.Equal(t, tt.nextRecv, recv.Start(10))
			recv.ReleaseAt(3)
			require.EqualValues(t, 10, recv.Start(10))
		})
	}
}

func TestSlowDownMultipliesAllCosts(t *testing.T) {
	costs := clock.LogP{Overhead: 2, Gap: 5, PerByte: 3}.Costs().Times(4)
	require.Equal(t, clock.Costs{Overhead: 8, Spacing: 20, PerByte: 12, Receiving: 20}, costs)
}

func TestLookaheadIsTheShortestDelivery(t *testing.T) {
	p := clock.LogP{Ranks: 4, Latency: 7, Overhead: 3}
	require.EqualValues(t, 13, p.Delivery())
	require.EqualValues(t, 13, clock.Lookahead(p, clock.Uniform(7)))
	require.EqualValues(t, 7, clock.Uniform(7).Latency(0, 3))
	require.Equal(t, "uniform network, latency 7", clock.Uniform(7).String())
}

// The longest message on the slowest rank of the most expensive machine takes long, but the clock does not run over:
// neither for the message nor for those after it.
func TestLongMessagesOfSlowRanksTakeForeverAtMost(t *testing.T) {
	const slowest = 1_000_000
	costs := clock.LogP{Ranks: 2, Latency: clock.MaxCost, Overhead: clock.MaxCost, Gap: clock.MaxCost, PerByte: clock.MaxCost}.Costs().Times(slowest)
	require.Equal(t, clock.MaxCost*slowest, costs.PerByte)
	require.Equal(t, clock.MaxCost*slowest, costs.Stretch(2))
	for _, bytes := range []int{3, 4, 9, 10, 100, 1 << 20, math.MaxInt32, math.MaxInt64} {
		require.Equal(t, clock.Forever, costs.Stretch(bytes), "%d bytes", bytes)
		var port clock.SendPort
		resumed, left := port.Send(clock.Forever, bytes, &costs)
		require.Greater(t, resumed, clock.Forever, "%d bytes", bytes)
		require.Greater(t, left, resumed, "%d bytes", bytes)
		require.Greater(t, port.Start(0), clock.Forever, "%d bytes", bytes)
		require.Less(t, left+clock.MaxCost+costs.Overhead, clock.Never, "it is received before the end of time")
	}
}
