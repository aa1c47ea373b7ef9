package figure

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// most is the largest number, and 1/most the smallest on a logarithmic axis: far more than anyone
// measures, and so much less than what a number can hold that lengths of axes are numbers, too.
const most = 1e100

// near is how much of its values the length of an axis is at least: ticks that are closer together
// would not be different numbers.
const near = 1e-10

// validate lists everything that keeps the figure from being drawn.
func (f Figure) validate() error {
	var wrong problems.List
	wrong.Check(len(f.Series) > 0, "no series")
	wrong.Check(f.Legend >= Auto && f.Legend <= None, "legend %d, want Auto to None", f.Legend)
	wrong.In("x axis", f.X.problems())
	wrong.In("y axis", f.Y.problems())
	wrong.Check(len(f.Y.Names) == 0, "y axis: names, want them on the x axis")
	for i, s := range f.Series {
		name := fmt.Sprintf("series %d", i+1)
		if s.Name != "" {
			name = fmt.Sprintf("series %q", s.Name)
		}
		wrong.In(name, s.problems(f))
	}
	return wrong.ErrLines(fmt.Sprintf("figure %q", f.Title))
}

func (a Axis) problems() (wrong problems.List) {
	wrong.Check(a.Log == 0 || a.Log > 1 && a.Log <= most, "logarithm to the base %v, want more than 1", a.Log)
	wrong.Check(a.Log == 0 || len(a.Names) == 0, "logarithmic and with names, want one of them")
	if a.chosen() {
		return wrong
	}
	switch {
	case len(a.Names) > 0:
		wrong.Add("names and a range, want one of them")
	case !(math.Abs(a.Min) <= most && math.Abs(a.Max) <= most && a.Min < a.Max):
		wrong.Add("from %v to %v, want finite numbers, the smaller one first", a.Min, a.Max)
	case a.Max-a.Min < near*max(math.Abs(a.Min), math.Abs(a.Max)):
		wrong.Add("from %v to %v, want them farther apart", a.Min, a.Max)
	case a.Log != 0 && a.Min < 1/most:
		wrong.Add("logarithmic from %v, want more than 0", a.Min)
	}
	return wrong
}

// chosen says whether the range of the axis is that of the data.
func (a Axis) chosen() bool { return a.Min == 0 && a.Max == 0 }

func (s Series) problems(f Figure) (wrong problems.List) {
	wrong.Check(s.Style >= Lines && s.Style <= Rule, "style %d, want Lines to Rule", s.Style)
	wrong.Check(len(s.Points) > 0, "no points")
	for i, p := range s.Points {
		at := fmt.Sprintf("point %d", i+1)
		f.X.place(&wrong, at+": x", p.X)
		if s.Style != Band {
			f.Y.place(&wrong, at+": y", p.Y)
		}
		if !s.ranged(p) {
			continue
		}
		if !(p.Low <= p.High && p.Low >= -most) {
			wrong.Add("%s: low %v, high %v, want the smaller one first", at, p.Low, p.High)
		}
		f.Y.place(&wrong, at+": high", p.High)
	}
	return wrong
}

// ranged says whether a point has a Low and a High.
func (s Series) ranged(p Point) bool { return s.Style == Band || p.Low != 0 || p.High != 0 }

// place says why a value has no place on the axis.
func (a Axis) place(wrong *problems.List, what string, v float64) {
	switch n := len(a.Names); {
	case !(math.Abs(v) <= most):
		wrong.Add("%s is %v, want a finite number", what, v)
	case a.Log != 0 && v < 1/most:
		wrong.Add("%s is %v on a logarithmic axis, want more than 0", what, v)
	case n > 0 && !(v >= -0.5 && v <= float64(n)-0.5):
		wrong.Add("%s is %v on an axis of %d names, want 0 to %d", what, v, n, n-1)
	}
}
