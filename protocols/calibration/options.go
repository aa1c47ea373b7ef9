package calibration

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// The largest values that Options may have.
const (
	MaxCount = 1 << 20 // of rounds, messages, bursts and trips
	MaxBytes = 1 << 24 // of a payload
)

// Options say how much to measure.
type Options struct {
	Warmup int // round trips that are not timed
	Rounds int // round trips, and computations while a message comes
	// Pause is what ranks wait before each round trip, in ticks. Without one they stay warm; processes
	// that have slept take longer to receive a message.
	Pause  clock.Time
	Burst  int   // messages in the longest bursts, at least 2
	Bursts int   // how many bursts, of 2, 4, 8 and so on messages up to that
	Sizes  []int // of payloads, in bytes; at least 2, in rising order
	Trips  int   // round trips of each size
	Crowd  int   // times that all others are asked at once, if there are at least three
}

// Usual measures a local network in about half a second, besides pauses.
func Usual() Options {
	return Options{Warmup: 50, Rounds: 120, Burst: 32, Bursts: 150, Sizes: SizesUpTo(1 << 20), Trips: 12, Crowd: 48}
}

// burst is the length of a burst by its number: 2, 4, 8 and so on up to the longest, again and again, so
// that what changes with time does not look like a matter of length.
func (o *Options) burst(number int) int {
	lengths := bits.Len(uint(o.Burst - 1)) // of them
	return min(2<<(number%lengths), o.Burst)
}

// SizesUpTo returns up to nine sizes, evenly spaced from 1 byte to the largest one, which is 2 or
// more. Even spacing makes all sizes count: among powers of two, most pairs would be of small
// payloads, whose times differ by chance.
func SizesUpTo(largest int) []int {
	const steps = 8
	var sizes []int
	for i := range steps + 1 {
		size := 1 + i*(largest-1)/steps
		if len(sizes) == 0 || size > sizes[len(sizes)-1] {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// validate returns an error that lists everything wrong with the options.
func (o *Options) validate() error {
	var wrong problems.List
	problems.Range(&wrong, "warmup", o.Warmup, 0, MaxCount, "")
	problems.Range(&wrong, "rounds", o.Rounds, 1, MaxCount, "")
	problems.Range(&wrong, "pause", o.Pause, 0, clock.MaxCost, "ticks")
	problems.Range(&wrong, "messages in a burst", o.Burst, 2, MaxCount, "")
	problems.Range(&wrong, "bursts", o.Bursts, 1, MaxCount, "")
	problems.Range(&wrong, "trips of each size", o.Trips, 1, MaxCount, "")
	problems.Range(&wrong, "questions to a crowd", o.Crowd, 0, MaxCount, "")
	problems.Range(&wrong, "number of sizes", len(o.Sizes), 2, MaxCount, "")
	for i, size := range o.Sizes {
		problems.Range(&wrong, "size of a payload in bytes", size, 1, MaxBytes, "")
		if i > 0 && size <= o.Sizes[i-1] {
			wrong.Add("a size of %d bytes after one of %d, want a larger one", size, o.Sizes[i-1])
		}
	}
	return wrong.Err("calibration")
}
