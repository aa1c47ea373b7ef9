package calibration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

func asking(times int) Options {
	o := few()
	o.Crowd = times
	return o
}

// A crowd that waits for a switch and nothing else tells its service time, exactly.
func TestACrowdShowsTheServiceTimeOfASwitch(t *testing.T) {
	for _, ranks := range []int{16, 17, 64, 200} {
		for _, service := range []clock.Time{20, 33} {
			logp := clock.LogP{Ranks: ranks, Latency: 4 + service, Overhead: 3}
			network := clock.Switch{In: 2, Service: service, Out: 2}
			samples, report := run(t, asking(3), emu.Config{LogP: logp, Network: network}, "none")
			require.Empty(t, report.Deadlocks)
			require.Len(t, samples.Crowd, 3)
			e, ok := samples.Estimate()
			require.True(t, ok)
			// Bursts and crowds wait for the same switch.
			require.Equal(t, Exact(float64(service)), e.Gap)
			require.Equal(t, Exact(float64(service)), e.Service, "P=%d", ranks)
			require.Equal(t, Exact(float64(logp.Latency)), e.Latency)
		}
	}
}

// Where ranks share nothing only the ports of the rank that asks are in the way.
func TestACrowdOnAUniformNetworkSharesNothing(t *testing.T) {
	for _, ranks := range []int{2, 3, 4, 5, 64} {
		for _, logp := range []clock.LogP{
			{Latency: 9, Overhead: 2, Gap: 3, PerByte: 1},
			{Latency: 1, Overhead: 7},
			{Latency: 500, Overhead: 1},
		} {
			logp.Ranks = ranks
			samples, report := run(t, asking(5), emu.Config{LogP: logp}, "none")
			require.Empty(t, report.Deadlocks)
			requireParameters(t, logp, samples)
			e, _ := samples.Estimate()
			require.Zero(t, e.Service, "%+v", logp)
			require.Equal(t, ranks > crowdOf, len(samples.Crowd) == 5)
		}
	}
}

// A rank of the crowd that fails is missed, and what was measured before is there.
func TestACrowdThatIsNotCompleteIsMissed(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 9, Overhead: 2}
	c, err := New(asking(20))
	require.NoError(t, err)
	samples, report := run(t, asking(20), emu.Config{LogP: logp}, "crash:4@send6")
	require.NotEmpty(t, report.Deadlocks)
	require.Equal(t, "5 of 20 answers of a crowd", c.Missing(&samples))
	requireParameters(t, logp, samples)
}
