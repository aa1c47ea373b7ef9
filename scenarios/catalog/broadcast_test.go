package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// A payload takes G for each byte after the first, on every level of the tree. What is due at an instant knows only of short messages.
func TestABroadcastHasAPayload(t *testing.T) {
	const short = "broadcast P=8 L=20 o=3 G=2 correction=none"
	none := mustExecute(t, short, scenarios.Options{}).Report
	long := mustExecute(t, short+" bytes=101", scenarios.Options{}).Report
	require.Equal(t, none.Colouring+3*2*100, long.Colouring)
	require.Equal(t, none.Messages, long.Messages)
	series := mustExecute(t, short+" bytes=101 repeat=3 period=5000", scenarios.Options{})
	require.Equal(t, []float64{float64(long.Colouring), float64(long.Colouring), float64(long.Colouring)}, series.Latencies)
	mustExecute(t, "broadcast P=8 start=overlapped bytes=1048576", scenarios.Options{})
	mustExecute(t, "broadcast P=8 bytes=1", scenarios.Options{})
	_, err := ParseLine("broadcast P=8 bytes=2")
	require.EqualError(t, err, "scenarios: bytes=2, want 0 or 1, or start=overlapped and a correction without deadlines: those are for short messages")
	_, err = ParseLine("broadcast P=8 start=overlapped correction=delayed bytes=2")
	require.ErrorContains(t, err, "bytes=2, want 0 or 1")
}
