package paper

import (
	"fmt"
	"math"
)

// reach is from where to where numbers reach.
type reach struct{ low, high float64 }

func newReach() *reach { return &reach{math.Inf(1), math.Inf(-1)} }

func (r *reach) add(x float64) { r.low, r.high = min(r.low, x), max(r.high, x) }

// text prints both ends, or the number if they are the same.
func (r *reach) text(digits int) string {
	low, high := fmt.Sprintf("%.*f", digits, r.low), fmt.Sprintf("%.*f", digits, r.high)
	if low == high {
		return low
	}
	return low + " to " + high
}
