package figure

import (
	"errors"
	"fmt"
	"math"
)

// most is the largest number, and 1/most the smallest on a logarithmic axis: far more than anyone
// measures, and so much less than what a number can hold that lengths of axes are numbers, too.
const most = 1e100

// near is how much of its values the length of an axis is at least: ticks that are closer together
// would not be different numbers.
const near = 1e-10

// Validate lists everything that keeps the figure from being drawn.
func (f Figure) Validate() error {
	var wrong problems
	if len(f.Series) == 0 {
		wrong.say("no series")
	}
	if f.Legend < Auto || f.Legend > None {
		wrong.say("legend %d, want Auto to None", f.Legend)
	}
	f.X.validate(&wrong, "x")
	f.Y.validate(&wrong, "y")
	if len(f.Y.Names) > 0 {
		wrong.say("y axis: names, want them on the x axis")
	}
	for i, s := range f.Series {
		wrong.in = fmt.Sprintf("series %d", i+1)
		if s.Name != "" {
			wrong.in = fmt.Sprintf("series %q", s.Name)
		}
		s.validate(&wrong, f)
	}
	if len(wrong.all) > 0 {
		return fmt.Errorf("figure %q: %w", f.Title, errors.Join(wrong.all...))
	}
	return nil
}

// problems collects what is wrong, and where.
type problems struct {
	in  string
	all []error
}

func (p *problems) say(format string, args ...any) {
	if p.in != "" {
		format, args = "%s: "+format, append([]any{p.in}, args...)
	}
	p.all = append(p.all, fmt.Errorf(format, args...))
}

func (a Axis) validate(wrong *problems, name string) {
	wrong.in = name + " axis"
	defer func() { wrong.in = "" }()
	if a.Log != 0 && !(a.Log > 1 && a.Log <= most) {
		wrong.say("logarithm to the base %v, want more than 1", a.Log)
	}
	if a.Log != 0 && len(a.Names) > 0 {
		wrong.say("logarithmic and with names, want one of them")
	}
	if a.chosen() {
		return
	}
	switch {
	case len(a.Names) > 0:
		wrong.say("names and a range, want one of them")
	case !(math.Abs(a.Min) <= most && math.Abs(a.Max) <= most && a.Min < a.Max):
		wrong.say("from %v to %v, want finite numbers, the smaller one first", a.Min, a.Max)
	case a.Max-a.Min < near*max(math.Abs(a.Min), math.Abs(a.Max)):
		wrong.say("from %v to %v, want them farther apart", a.Min, a.Max)
	case a.Log != 0 && a.Min < 1/most:
		wrong.say("logarithmic from %v, want more than 0", a.Min)
	}
}

// chosen says whether the range of the axis is that of the data.
func (a Axis) chosen() bool { return a.Min == 0 && a.Max == 0 }

func (s Series) validate(wrong *problems, f Figure) {
	if s.Style < Lines || s.Style > Rule {
		wrong.say("style %d, want Lines to Rule", s.Style)
	}
	if len(s.Points) == 0 {
		wrong.say("no points")
	}
	for i, p := range s.Points {
		at := fmt.Sprintf("point %d", i+1)
		f.X.place(wrong, at+": x", p.X)
		if s.Style != Band {
			f.Y.place(wrong, at+": y", p.Y)
		}
		if !s.ranged(p) {
			continue
		}
		if !(p.Low <= p.High && p.Low >= -most) {
			wrong.say("%s: low %v, high %v, want the smaller one first", at, p.Low, p.High)
		}
		f.Y.place(wrong, at+": high", p.High)
	}
}

// ranged says whether a point has a Low and a High.
func (s Series) ranged(p Point) bool { return s.Style == Band || p.Low != 0 || p.High != 0 }

// place says why a value has no place on the axis.
func (a Axis) place(wrong *problems, what string, v float64) {
	switch n := len(a.Names); {
	case !(math.Abs(v) <= most):
		wrong.say("%s is %v, want a finite number", what, v)
	case a.Log != 0 && v < 1/most:
		wrong.say("%s is %v on a logarithmic axis, want more than 0", what, v)
	case n > 0 && !(v >= -0.5 && v <= float64(n)-0.5):
		wrong.say("%s is %v on an axis of %d names, want 0 to %d", what, v, n, n-1)
	}
}
