package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestMessagesWaitForLateOnesOnTheirLink(t *testing.T) {
	var o clock.InOrder
	require.EqualValues(t, 30, o.Arrive(1, 30, 5))
	require.EqualValues(t, 6, o.Arrive(2, 6, 6), "another link")
	require.EqualValues(t, 30, o.Arrive(1, 7, 7))
	require.EqualValues(t, 33, o.Arrive(1, 33, 8))
	require.EqualValues(t, 33, o.Arrive(1, 33, 33))
	require.EqualValues(t, 34, o.Arrive(1, 34, 34))
}

// It is as if all messages were remembered.
func TestMessagesStayInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o clock.InOrder
		last := make(map[int]clock.Time)
		left := clock.Time(0)
		for range rapid.IntRange(1, 40).Draw(t, "messages") {
			left += clock.Time(rapid.IntRange(0, 4).Draw(t, "pause"))
			to := rapid.IntRange(0, 3).Draw(t, "to")
			latency := clock.Time(2 + to) // that of a link is always the same
			at := left + latency + clock.Time(rapid.IntRange(0, 9).Draw(t, "late"))
			last[to] = max(last[to], at)
			require.Equal(t, last[to], o.Arrive(to, at, left+2))
		}
	})
}
