package paper

import (
	"fmt"
	"math"
)

var infinity = math.Inf(1)

// reach is from where to where numbers reach, or may reach; both ends count.
type reach struct{ low, high float64 }

func newReach() *reach { return &reach{infinity, -infinity} }

func (r *reach) add(x float64) { r.low, r.high = min(r.low, x), max(r.high, x) }

// number reaches from itself to itself.
func number(x float64) *reach { return &reach{x, x} }

func atLeast(x float64) *reach { return &reach{x, infinity} }
func atMost(x float64) *reach  { return &reach{-infinity, x} }
func above(x float64) *reach   { return atLeast(justOver(x)) }
func below(x float64) *reach   { return atMost(justUnder(x)) }

// near is what differs from a number by up to a share of it.
func near(x, share float64) *reach { return &reach{x * (1 - share), x * (1 + share)} }

// justOver and justUnder are the numbers next to x, for ends that do not count themselves.
func justOver(x float64) float64  { return math.Nextafter(x, infinity) }
func justUnder(x float64) float64 { return math.Nextafter(x, -infinity) }

// steps is by how much each number is larger than the one before it.
func steps(numbers []float64) *reach {
	r := newReach()
	for i, before := range numbers[:len(numbers)-1] {
		r.add(numbers[i+1] - before)
	}
	return r
}

// quotient is how many times the lowest number the highest is: 1 if all are the same.
func (r *reach) quotient() *reach { return number(r.high / r.low) }

// text prints both ends, or the number if they are the same.
func (r *reach) text(digits int) string {
	low, high := fmt.Sprintf("%.*f", digits, r.low), fmt.Sprintf("%.*f", digits, r.high)
	if low == high {
		return low
	}
	return low + " to " + high
}
