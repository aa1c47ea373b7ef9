package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
)

// unbounded is a network on which messages wait for as long as they have to.
type unbounded struct{ clock.Network }

func TestWhatAnExperimentAssumesDecidesOnWhichNetworksItRuns(t *testing.T) {
	bounded := clock.Uniform(3)
	require.Implements(t, (*clock.Bounded)(nil), bounded)
	for _, c := range []struct {
		timing  Timing
		network clock.Network
		says    string
	}{
		{Timing{}, nil, ""},
		{Timing{Assumes: LongestLatency}, nil, ""},
		{Timing{Assumes: NoLatency}, bounded, ""},
		{Timing{Assumes: NoLatency}, unbounded{}, ""},
		{Timing{Assumes: LongestLatency}, bounded, ""},
		{Timing{Assumes: LongestLatency}, unbounded{}, "messages may have to wait there without limit, and the protocol may rely on L for all; want uniform, torus, mesh or fattree"},
		{Timing{}, bounded, "latencies differ there, and the protocol may rely on L for all; want network=uniform"},
		{Timing{}, unbounded{}, "latencies differ there, and the protocol may rely on L for all; want network=uniform"},
		{Timing{Because: "all end at once"}, bounded, "latencies differ there, and all end at once; want network=uniform"},
	} {
		err := c.timing.check(c.network)
		if c.says == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.says)
		}
	}
}
