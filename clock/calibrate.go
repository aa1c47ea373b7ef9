package clock

import (
	"math/big"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Calibrate returns the switch that comes closest to a measured curve of contention, on
// which n nodes send at the same time and the last message takes In + n Service + Out.
//
// It draws the straight line with the least squares of deviations. Its slope, in ticks per
// node, is the service time, rounded to whole ticks and at least one; if rounding changes it
// much, ticks are too long. With that slope the line is drawn again, through the mean of the
// points; where it begins, at 0 nodes, is the time to the switch and from it, half each.
//
// There must be measurements for at least two numbers of nodes, and any number of them for
// each. A line that falls, or that begins below 0, is an error: such a curve is not that of a
// switch. [Switch.Burst] says what the switch makes of each point.
func Calibrate(points []Point) (Switch, error) {
	if err := pointProblems(points).Err("clock"); err != nil {
		return Switch{}, err
	}
	sums := sumUp(points)
	slope, ok := sums.slope()
	if !ok {
		return Switch{}, problems.New("clock", "%d points for the same number of nodes, want two numbers of nodes or more", len(points))
	}
	if slope.Sign() < 0 {
		return Switch{}, problems.New("clock", "latency changes by %s ticks per node, want 0 or more", slope.FloatString(3))
	}
	service := max(1, round(slope))
	rest := sums.intercept(service)
	if rest < 0 {
		return Switch{}, problems.New("clock", "%d ticks per node leave %d ticks for the way to the switch and from it, want 0 or more", service, rest)
	}
	s := Switch{In: rest / 2, Service: service, Out: rest - rest/2}
	return s, s.Validate()
}

// pointSums is what least squares need to know, exactly.
type pointSums struct{ count, nodes, latencies, squares, products big.Rat }

func sumUp(points []Point) *pointSums {
	s := new(pointSums)
	add := func(sum *big.Rat, a, b int64) {
		sum.Add(sum, new(big.Rat).Mul(whole(a), whole(b)))
	}
	for _, p := range points {
		nodes, latency := int64(p.Nodes), int64(p.Latency)
		add(&s.count, 1, 1)
		add(&s.nodes, nodes, 1)
		add(&s.latencies, latency, 1)
		add(&s.squares, nodes, nodes)
		add(&s.products, nodes, latency)
	}
	return s
}

// slope is that of the best line; false if all points are about the same number of nodes.
func (s *pointSums) slope() (slope *big.Rat, ok bool) {
	covariance := s.difference(&s.products, &s.latencies)
	variance := s.difference(&s.squares, &s.nodes)
	if variance.Sign() == 0 {
		return nil, false
	}
	return covariance.Quo(covariance, variance), true
}

// difference is count*sum - nodes*other.
func (s *pointSums) difference(sum, other *big.Rat) *big.Rat {
	left, right := new(big.Rat).Mul(&s.count, sum), new(big.Rat).Mul(&s.nodes, other)
	return left.Sub(left, right)
}

// intercept is where a line of that slope through the mean of all points begins.
func (s *pointSums) intercept(slope Time) Time {
	rise := new(big.Rat).Mul(whole(int64(slope)), &s.nodes)
	rest := rise.Sub(&s.latencies, rise)
	return round(rest.Quo(rest, &s.count))
}
