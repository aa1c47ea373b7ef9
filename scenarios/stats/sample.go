package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Sample is a list of measurements. The zero Sample is empty.
type Sample struct {
	values []float64
	sorted bool
}

// Add adds measurements. They must be numbers: what never happened has no time.
func (s *Sample) Add(values ...float64) {
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			panic(fmt.Sprintf("stats: %v is no measurement", x))
		}
	}
	s.values = append(s.values, values...)
	s.sorted = false
}

// Len is the number of measurements.
func (s *Sample) Len() int { return len(s.values) }

// Count is how many measurements are a value.
func (s *Sample) Count(value float64) int {
	from, _ := slices.BinarySearch(s.order(), value)
	to := from
	for to < len(s.values) && s.values[to] == value {
		to++
	}
	return to - from
}

// order sorts the values. Sums are made in this order, so that they do not depend on another.
func (s *Sample) order() []float64 {
	if !s.sorted {
		slices.Sort(s.values)
		s.sorted = true
	}
	return s.values
}

// Mean is the average; NaN if there are no values.
func (s *Sample) Mean() float64 {
	sum := 0.0
	for _, x := range s.order() {
		sum += x
	}
	return sum / float64(len(s.values))
}

// Deviation is the standard deviation of what was sampled from; NaN if there are less than two
// values.
func (s *Sample) Deviation() float64 {
	if len(s.values) < 2 {
		return math.NaN()
	}
	mean, squares := s.Mean(), 0.0
	for _, x := range s.order() {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(s.values)-1))
}

// Confidence is how far the true mean may be from Mean at this level, such as 0.95, by Student's
// distribution; infinite if there are less than two values.
func (s *Sample) Confidence(level float64) float64 {
	checkLevel(level)
	n := float64(len(s.values))
	if n < 2 {
		return math.Inf(1)
	}
	student := distuv.StudentsT{Sigma: 1, Nu: n - 1}
	return student.Quantile((1+level)/2) * s.Deviation() / math.Sqrt(n)
}

// Percentile is the smallest value that p percent of the values do not exceed; p is more than 0 and
// at most 100. It is always one of the values. NaN if there are none.
func (s *Sample) Percentile(p float64) float64 {
	if !(p > 0 && p <= 100) {
		panic(fmt.Sprintf("stats: percentile %v, want more than 0 and at most 100", p))
	}
	values := s.order()
	if len(values) == 0 {
		return math.NaN()
	}
	// What is meant to be a whole number may come out as a little more.
	rank := math.Ceil(p/100*float64(len(values)) - 1e-9)
	return values[max(0, int(rank)-1)]
}

// Median is the 50th percentile.
func (s *Sample) Median() float64 { return s.Percentile(50) }

// Min and Max are the extremes; NaN if there are no values.
func (s *Sample) Min() float64 {
	if len(s.values) == 0 {
		return math.NaN()
	}
	return s.order()[0]
}

// Max is the largest value.
func (s *Sample) Max() float64 { return s.Percentile(100) }

// checkLevel panics on a level of confidence that is none.
func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("stats: level of confidence %v, want one between 0 and 1", level))
	}
}
