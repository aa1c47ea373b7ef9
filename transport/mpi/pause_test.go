package mpi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Short waits are ended soon, and long ones cost little: in a minute, less than fifty looks a second.
func TestPausesGrowWithTheWait(t *testing.T) {
	var waited time.Duration
	looks := 0
	for pause := shortestPause; waited < time.Minute; pause = nextPause(pause, waited) {
		require.LessOrEqual(t, pause, max(usualPause, waited/100), waited)
		require.LessOrEqual(t, pause, longestPause)
		if waited > 3*time.Second {
			require.Equal(t, longestPause, pause)
		}
		waited += pause
		looks++
	}
	require.Less(t, looks, 60*50+500)
	require.Equal(t, 2*shortestPause, nextPause(shortestPause, shortestPause))
	require.Equal(t, usualPause, nextPause(usualPause, 50*time.Millisecond))
}
