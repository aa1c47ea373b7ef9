package tcp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A process that was busy for long must not be found idle that much later.
func TestPausesGrowUpToALimit(t *testing.T) {
	pause := shortestPause
	for range 3 {
		require.Equal(t, 2*pause, longer(pause))
		pause = longer(pause)
	}
	for range 100 {
		pause = longer(pause)
	}
	require.Equal(t, longestPause, pause)
}
