package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// Eight million messages of the longest service time would be more than a Time can hold.
func TestQueuesOfASwitchDoNotOverflow(t *testing.T) {
	b := newBottleneck(clock.Switch{Service: clock.MaxCost})
	for range 1 << 24 {
		b.free = b.served(&packet{reach: 1})
	}
	require.Equal(t, endOfQueues, b.free)
	longest := clock.Lookahead(clock.LogP{Overhead: clock.MaxCost}, clock.Uniform(clock.MaxCost))
	require.Greater(t, b.free, maxTimeLimit+longest, "no window reaches that far")
}
