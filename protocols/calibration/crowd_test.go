package calibration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

func crowdOf(rounds int) Options {
	o := few()
	o.Crowd = rounds
	return o
}

// Pairs that wait for a switch and nothing else tell its service time, exactly.
func TestACrowdShowsTheServiceTimeOfASwitch(t *testing.T) {
	for _, ranks := range []int{16, 17, 64} {
		for _, service := range []clock.Time{20, 33} {
			logp := clock.LogP{Ranks: ranks, Latency: 4 + service, Overhead: 3}
			network := clock.Switch{In: 2, Service: service, Out: 2}
			samples, report := run(t, crowdOf(60), emu.Config{LogP: logp, Network: network}, "none")
			require.Empty(t, report.Deadlocks)
			require.Len(t, samples.Crowd, ranks/2)
			e, ok := samples.Estimate()
			require.True(t, ok)
			require.Equal(t, float64(service), e.Service, "P=%d", ranks)
			require.Equal(t, float64(logp.Latency), e.Latency)
		}
	}
}

// Where ranks share nothing a crowd is as fast as two of them.
func TestACrowdOnAUniformNetworkSharesNothing(t *testing.T) {
	for _, ranks := range []int{2, 3, 4, 5, 64} {
		logp := clock.LogP{Ranks: ranks, Latency: 9, Overhead: 2, Gap: 3, PerByte: 1}
		samples, report := run(t, crowdOf(20), emu.Config{LogP: logp}, "none")
		require.Empty(t, report.Deadlocks)
		requireParameters(t, logp, samples)
		e, _ := samples.Estimate()
		require.Zero(t, e.Service)
		if ranks >= 4 {
			require.Len(t, samples.Crowd, ranks/2)
		} else {
			require.Empty(t, samples.Crowd)
		}
	}
}

// A rank of the crowd that fails is missed, and what was measured before is there.
func TestACrowdThatIsNotCompleteIsMissed(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 9, Overhead: 2}
	c, err := New(crowdOf(20))
	require.NoError(t, err)
	samples, report := run(t, crowdOf(20), emu.Config{LogP: logp}, "crash:4@send5")
	require.NotEmpty(t, report.Deadlocks)
	require.Equal(t, "3 of 4 pairs in a crowd", c.Missing(&samples))
	requireParameters(t, logp, samples)
}
