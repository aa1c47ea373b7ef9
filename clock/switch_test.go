package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

func TestSwitchHasOneLatencyWithoutContention(t *testing.T) {
	s := clock.Switch{In: 2, Service: 3, Out: 4}
	require.EqualValues(t, 9, s.Latency(0, 1))
	require.EqualValues(t, 9, s.MinLatency())
	require.EqualValues(t, 9, s.Burst(1))
	require.EqualValues(t, 2+30+4, s.Burst(10))
	before, service, after := s.Bottleneck()
	require.Equal(t, s.MinLatency(), before+service+after)
	require.Equal(t, "one switch, 2 to it, 3 in it, 4 from it", s.String())
	_, bounded := clock.Network(s).(clock.Bounded)
	require.False(t, bounded, "a message may have to wait for any number of others")
}

func TestSwitchValidateListsEveryProblem(t *testing.T) {
	require.NoError(t, clock.Switch{Service: 1}.Validate())
	require.EqualError(t, clock.Switch{In: -1, Out: clock.MaxCost + 1}.Validate(),
		"clock: time to the switch = -1 ticks, want 0 to 1099511627776; service time = 0 ticks, want 1 to 1099511627776; "+
			"time from the switch = 1099511627777 ticks, want 0 to 1099511627776")
	require.EqualError(t, clock.Switch{In: clock.MaxCost, Service: 1}.Validate(),
		"clock: latency = 1099511627777 ticks, want 1 to 1099511627776")
}
