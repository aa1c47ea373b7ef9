package calibration

import (
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// ticks makes numbers of times, to calculate with.
func ticks(times []clock.Time) []float64 {
	numbers := make([]float64, len(times))
	for i, t := range times {
		numbers[i] = float64(t)
	}
	return numbers
}

// median is the number in the middle, the mean of the two if there are two. There must be one.
func median(numbers []float64) float64 { return quantile(numbers, 0.5) }

// quantile is the number below which a share of all lies. Between two of them it is a straight line.
func quantile(numbers []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	at := share * float64(len(sorted)-1)
	low, high := sorted[int(math.Floor(at))], sorted[int(math.Ceil(at))]
	return low + (high-low)*(at-math.Floor(at))
}

// slope is that of a line through points by Theil and Sen: the median of the slopes between any two
// of them. No two points may have the same x, and there must be two.
func slope(x, y []float64) float64 {
	var slopes []float64
	for i := range x {
		for j := range i {
			slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
		}
	}
	return median(slopes)
}
