package guarantee

import (
	"fmt"
	"math/bits"
)

// Level is how consistent a broadcast promises to be: the function f of Corrected Gossip,
// section II.
type Level struct {
	Name string
	// Of is how many of the live ranks must be reached, 0 to live.
	Of func(live int) int
}

var (
	// Strong wants all live ranks: f(n) = n.
	Strong = Level{"strong", func(live int) int { return live }}
	// Weak wants more than n - log2 n of them. The papers promise it with high probability
	// only, so that one run in which it is broken proves nothing.
	Weak = Level{"weak", weak}
)

// weak is the smallest whole number above n - log2 n; n itself for n = 1, where there is no
// such number up to n.
func weak(live int) int {
	if live <= 1 {
		return live
	}
	return live - bits.Len(uint(live-1)) + 1 // Len(n-1) is log2 n, rounded up
}

// AtLeast wants k live ranks, or all if there are fewer.
func AtLeast(k int) Level {
	return Level{fmt.Sprintf("at least %d", k), func(live int) int { return min(k, live) }}
}
