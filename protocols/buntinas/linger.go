package buntinas

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
)

// Longest is how long an attempt can take on a machine whose detector has that delay, with
// messages of that many bytes: until the root has all acknowledgements, or knows that somebody
// has failed and begins the next attempt.
//
// Between two messages to a live rank there may be as many attempts as ranks fail meanwhile,
// and one more: each failure can cost an attempt, and keep it from the rank. So Longest,
// multiplied by one more than the number of failures to be expected, is a time to linger.
//
// With n = ceil(log2 P) there are up to n hops down and n up, and once somebody waits for the
// detector. On each hop a message may wait for the n messages that its sender sends in this
// attempt, for as many that its sender is still busy with from an earlier one, and behind as
// many at its receiver.
func Longest(machine clock.LogP, detectorDelay clock.Time, bytes int) clock.Time {
	costs := machine.Costs()
	n := bits.Len(uint(machine.Ranks - 1))
	port := min(costs.Spacing+costs.Stretch(bytes), clock.Forever)
	hop := machine.Delivery() + port.Times(3*n)
	return min(hop.Times(2*n)+detectorDelay, clock.Forever)
}

// header is how many bytes a message can have besides its payload: the message's integer, and
// a list of failed ranks with its length.
func header(ranks int) int { return 10 + 4 + 4*ranks }

// lingering is how long a rank lingers, with a payload of that many bytes.
func (b *Broadcast) lingering(bytes int) clock.Time {
	if b.Linger > 0 {
		return b.Linger
	}
	return Longest(b.machine, b.DetectorDelay, bytes+header(b.machine.Ranks)).Times(b.machine.Ranks)
}
