package clock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// Noise takes the processor of each rank away once in every Period, for Length: the operating system has something else
// to do. What the rank's ports do meanwhile takes that much longer. Ranks are not in step with each other.
type Noise struct {
	Period, Length Time
	// Random lets each time begin at any instant of its period, and not so long after the one before.
	Random bool
}

// Validate returns an error that lists everything wrong with the noise, or nil.
func (n Noise) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "period of noise", n.Period, 2, MaxCost, "ticks")
	problems.Range(&wrong, "length of noise", n.Length, 1, max(1, min(n.Period, MaxCost)-1), "ticks")
	return wrong.Err("clock")
}

// String is the text that ParseNoise reads.
func (n Noise) String() string {
	text := fmt.Sprintf("%d:%d", n.Period, n.Length)
	if n.Random {
		return randomNoise + text
	}
	return text
}

const randomNoise = "random:"

// ParseNoise reads noise: PERIOD:LENGTH, or random:PERIOD:LENGTH.
func ParseNoise(text string) (Noise, error) {
	rest, random := strings.CutPrefix(text, randomNoise)
	period, length, both := strings.Cut(rest, ":")
	p, err := strconv.ParseInt(period, 10, 64)
	l, err2 := strconv.ParseInt(length, 10, 64)
	if !both || err != nil || err2 != nil {
		return Noise{}, problems.New("clock", "noise %q, want a period and a length such as 1000:25, or random:1000:25", text)
	}
	n := Noise{Time(p), Time(l), random}
	return n, n.Validate()
}

// noiseDomain keeps the streams of noise apart from others made of the same seed.
const noiseDomain = 0x6e6f697365000000 // "noise"

// Stream is the stream of a rank in runs with that seed.
func (n Noise) Stream(seed uint64, rank int) uint64 {
	return splitmix.At(seed, noiseDomain+uint64(rank))
}

// Lengthen is how much longer an operation takes that starts at some instant and needs the processor for so long. The stream
// is that of the rank: a number which is another one for each rank and seed.
func (n Noise) Lengthen(stream uint64, start, needs Time) Time {
	phase := Time(0)
	if !n.Random {
		phase = Time(scaled(splitmix.At(stream, 1), uint64(n.Period)))
	}
	at := start + n.Period - phase // in the periods of this rank, of which one has begun before 0
	period, at := at/n.Period, at%n.Period
	end := n.within(stream, period, at, needs)
	if end <= n.Period {
		return end - at - needs
	}
	// Whole periods have as much time for the rank as they have, wherever the noise is.
	quiet := n.Period - n.Length
	left := needs - n.quietAfter(stream, period, at)
	whole := (left - 1) / quiet
	last := n.within(stream, period+1+whole, 0, left-whole*quiet)
	return n.Period - at + n.Period.Times(int(whole)) + last - needs
}

// noiseAt is when the noise of a period begins, in that period.
func (n Noise) noiseAt(stream uint64, period Time) Time {
	if !n.Random {
		return 0
	}
	return Time(scaled(splitmix.At(stream, uint64(period)), uint64(n.Period-n.Length)+1))
}

// within is when an operation ends that starts in a period and needs the processor for so long, if no other period came
// after it.
func (n Noise) within(stream uint64, period, at, needs Time) Time {
	switch begins := n.noiseAt(stream, period); {
	case at+needs <= begins, at >= begins+n.Length:
		return at + needs
	case at <= begins:
		return at + needs + n.Length
	default:
		return begins + n.Length + needs
	}
}

// quietAfter is for how long a rank has its processor in a period from an instant on.
func (n Noise) quietAfter(stream uint64, period, at Time) Time {
	begins := n.noiseAt(stream, period)
	noisy := begins + n.Length - max(at, begins)
	return n.Period - at - max(0, noisy)
}
