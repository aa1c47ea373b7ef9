package draw

import (
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
)

// Machine draws a machine of least to most ranks.
func Machine(t *rapid.T, least, most int) clock.LogP {
	return clock.LogP{
		Latency: Ticks(t, "L", 1, 6), Overhead: Ticks(t, "o", 1, 4), Gap: Ticks(t, "g", 0, 6),
		Ranks: Number(t, "P", least, most),
	}
}

// PaperMachine draws one as in the papers, where g is at most o and has no effect.
func PaperMachine(t *rapid.T, least, most int) clock.LogP {
	logp := Machine(t, least, most)
	logp.Gap = min(logp.Gap, logp.Overhead)
	return logp
}

// Ticks draws a time.
func Ticks(t *rapid.T, name string, low, high int) clock.Time {
	return clock.Time(rapid.IntRange(low, high).Draw(t, name))
}

// Number draws small and large numbers alike; rapid by itself prefers small ones.
func Number(t *rapid.T, name string, low, high int) int {
	n := rapid.IntRange(low, high).Draw(t, name)
	if rapid.Bool().Draw(t, "from the top") {
		return high - (n - low)
	}
	return n
}

// Exactly draws that many of the numbers below size.
func Exactly(t *rapid.T, name string, size, count int) []int {
	return rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), count, count, rapid.ID[int]).Draw(t, name)
}

// Some draws up to most of the numbers below size.
func Some(t *rapid.T, name string, size, most int) []int {
	if size == 0 {
		return nil
	}
	return Exactly(t, name, size, Number(t, "number of "+name, 0, min(most, size)))
}
