package mpi

import "time"

// Pauses between two looks for a message. Those who wait for long may be many, beside others that are being measured, and must not be felt by these. So pauses
// go on to grow then, but stay a hundredth of the whole wait.
const (
	shortestPause = 10 * time.Microsecond
	usualPause    = time.Millisecond
	longestPause  = 20 * time.Millisecond
)

// nextPause is the one after another, after so long a wait.
func nextPause(last, waited time.Duration) time.Duration {
	return min(2*last, max(usualPause, min(waited/100, longestPause)))
}
