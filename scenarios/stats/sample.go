package stats

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Sample is many measurements. It keeps each different value once, with how often it was measured: most
// are whole numbers of ticks or messages, and of a million runs few are different. The zero Sample is empty.
// A copy is to be read only.
type Sample struct {
	times  map[float64]int
	sorted []float64 // the different values; nil if there are new ones
	len    int
}

// Add adds measurements. They must be numbers: what never happened has no time.
func (s *Sample) Add(values ...float64) {
	for _, x := range values {
		s.AddTimes(x, 1)
	}
}

// AddTimes adds a measurement that was made several times.
func (s *Sample) AddTimes(value float64, times int) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		panic(fmt.Sprintf("stats: %v is no measurement", value))
	}
	if times < 1 {
		return
	}
	if s.times == nil {
		s.times = make(map[float64]int)
	}
	before := s.times[value]
	if before == 0 {
		s.sorted = nil
	}
	s.times[value] = before + times
	s.len += times
}

// Len is the number of measurements.
func (s *Sample) Len() int { return s.len }

// Count is how many measurements are a value.
func (s *Sample) Count(value float64) int { return s.times[value] }

// All are the different values in ascending order, and how often each was measured.
func (s *Sample) All() iter.Seq2[float64, int] {
	return func(yield func(float64, int) bool) {
		for _, x := range s.order() {
			if !yield(x, s.times[x]) {
				return
			}
		}
	}
}

// order sorts the different values. Sums are made in this order, so that they do not depend on another.
func (s *Sample) order() []float64 {
	if s.sorted == nil {
		s.sorted = slices.Sorted(maps.Keys(s.times))
	}
	return s.sorted
}

// Mean is the average; NaN if there are no values.
func (s *Sample) Mean() float64 {
	sum := 0.0
	for x, times := range s.All() {
		sum += float64(x * float64(times)) // rounded here: some processors would not, and sums would differ
	}
	return sum / float64(s.len)
}

// Deviation is the standard deviation of what was sampled from; NaN if there are less than two
// values.
func (s *Sample) Deviation() float64 {
	if s.len < 2 {
		return math.NaN()
	}
	mean, squares := s.Mean(), 0.0
	for x, times := range s.All() {
		squares += float64((x - mean) * (x - mean) * float64(times))
	}
	return math.Sqrt(squares / float64(s.len-1))
}

// Confidence is how far the true mean may be from Mean at this level, such as 0.95, by Student's
// distribution; infinite if there are less than two values.
func (s *Sample) Confidence(level float64) float64 {
	checkLevel(level)
	n := float64(s.len)
	if n < 2 {
		return math.Inf(1)
	}
	return studentQuantile((1+level)/2, n-1) * s.Deviation() / math.Sqrt(n)
}

// studentQuantile is the quantile of Student's distribution with so many degrees of freedom, for p of more than
// one half. Gonum's distuv has it, too, by the same formula, but along with that some 20 packages of linear
// algebra, which everybody who runs a line for the first time would have to compile.
func studentQuantile(p, freedom float64) float64 {
	t := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return math.Sqrt(freedom * (1 - t) / t)
}

// Percentile is the smallest value that p percent of the values do not exceed; p is more than 0 and
// at most 100. It is always one of the values. NaN if there are none.
func (s *Sample) Percentile(p float64) float64 {
	if !(p > 0 && p <= 100) {
		panic(fmt.Sprintf("stats: percentile %v, want more than 0 and at most 100", p))
	}
	// What is meant to be a whole number may come out as a little more.
	rank := max(1, int(math.Ceil(p/100*float64(s.len)-1e-9)))
	for x, times := range s.All() {
		if rank -= times; rank <= 0 {
			return x
		}
	}
	return math.NaN()
}

// Median is the 50th percentile.
func (s *Sample) Median() float64 { return s.Percentile(50) }

// Min and Max are the extremes; NaN if there are no values.
func (s *Sample) Min() float64 {
	if s.len == 0 {
		return math.NaN()
	}
	return s.order()[0]
}

// Max is the largest value.
func (s *Sample) Max() float64 { return s.Percentile(100) }

// Level is the confidence of intervals that are shown.
const Level = 0.95

// checkLevel panics on a level of confidence that is none.
func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("stats: level of confidence %v, want one between 0 and 1", level))
	}
}
