package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// scale maps values to 0..1, from the lower end of an axis to the upper one.
type scale struct {
	low, high float64
	log       bool
}

func (s scale) unit(v float64) float64 {
	low, high := s.low, s.high
	if s.log { // the ratio of logarithms does not depend on the base
		low, high, v = math.Log(low), math.Log(high), math.Log(max(v, 1/most))
	}
	return (v - low) / (high - low)
}

// along is where a value is on an axis that ends at these. What is very far outside is brought nearer, where
// lines can be clipped without losing their last digits.
func (s scale) along(low, high vg.Length, v float64) vg.Length {
	const far = 1e9
	return low + vg.Length(min(max(s.unit(v), -far), far))*(high-low)
}

// has says whether a value is between the ends of the axis.
func (s scale) has(v float64) bool {
	u := s.unit(v)
	return u >= -1e-9 && u <= 1+1e-9
}

// scaleOf is the scale of an axis, from its own range or from the values on it.
func (a Axis) scaleOf(values []float64, fromZero float64) scale {
	s := scale{low: a.Min, high: a.Max, log: a.Log != 0}
	switch {
	case len(a.Names) > 0:
		s.low, s.high = -0.5, float64(len(a.Names))-0.5
	case !a.chosen():
	case s.log:
		s.low, s.high = logRange(values)
	default:
		s.low, s.high = linearRange(values, fromZero)
	}
	return s
}

// room is how much of an axis is left free at each end.
const room = 0.04

// linearRange takes 0 in if that makes the axis little longer: if the lowest value is at most this
// share of the highest. Values that are all the same get an axis around them.
func linearRange(values []float64, fromZero float64) (low, high float64) {
	low, high = slices.Min(values), slices.Max(values)
	size := max(math.Abs(low), math.Abs(high))
	switch {
	case size < 1/most:
		return 0, 1
	case high-low < near*size:
		low, high = low-size/10, high+size/10
	case low > 0 && low <= fromZero*high:
		low = 0
	case high < 0 && high >= fromZero*low:
		high = 0
	}
	extra := room * (high - low)
	if low != 0 {
		low -= extra
	}
	if high != 0 {
		high += extra
	}
	return low, high
}

func logRange(values []float64) (low, high float64) {
	low, high = slices.Min(values), slices.Max(values)
	factor := math.Pow(high/low, room)
	if factor < 1.0001 { // all the same
		factor = 2
	}
	return low / factor, high * factor
}

// valuesX are all values on the x axis.
func (f Figure) valuesX() (values []float64) {
	for _, s := range f.Series {
		for _, p := range s.Points {
			values = append(values, p.X)
		}
	}
	return values
}

// valuesY are all values on the y axis, with the ends of intervals and the feet of bars.
func (f Figure) valuesY() (values []float64) {
	for _, s := range f.Series {
		if s.Style == Bars && f.Y.Log == 0 {
			values = append(values, 0)
		}
		for _, p := range s.Points {
			if s.Style != Band {
				values = append(values, p.Y)
			}
			if s.ranged(p) {
				values = append(values, p.High)
			}
			if s.ranged(p) && (f.Y.Log == 0 || p.Low >= 1/most) {
				values = append(values, p.Low)
			}
		}
	}
	return values
}

// widened has room for half a bar beside the first and the last.
func (f Figure) widened(values []float64) []float64 {
	if !f.has(Bars) {
		return values
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(values)))
	first, last := sorted[0], sorted[len(sorted)-1]
	if f.X.Log != 0 {
		factor := 2.0
		for i := 1; i < len(sorted); i++ {
			factor = min(factor, math.Sqrt(sorted[i]/sorted[i-1]))
		}
		return append(values, first/factor, last*factor)
	}
	half := 0.5
	for i := 1; i < len(sorted); i++ {
		if between := (sorted[i] - sorted[i-1]) / 2; i == 1 || between < half {
			half = between
		}
	}
	return append(values, first-half, last+half)
}

// whole says whether all values are whole numbers.
func whole(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}
