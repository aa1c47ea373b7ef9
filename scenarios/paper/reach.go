package paper

import "math"

// reach is from where to where numbers reach.
type reach struct{ low, high float64 }

func newReach() *reach { return &reach{math.Inf(1), math.Inf(-1)} }

func (r *reach) add(x float64) { r.low, r.high = min(r.low, x), max(r.high, x) }

func (r *reach) text(digits int) string { return between(r.low, r.high, digits) }
