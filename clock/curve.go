package clock

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Point is a measurement of contention: the latency of a message while so many nodes send.
// Ticks must be short enough for latencies to be whole numbers of them.
type Point struct {
	Nodes   int
	Latency Time
}

// Curve is how latency depends on the number of nodes that send: as measured, in between the
// measurements and beyond them.
type Curve struct{ points []Point } // ordered by nodes, of which no two have the same

// NewCurve returns the curve through the points, in whatever order they are. No two may be
// about the same number of nodes.
func NewCurve(points []Point) (*Curve, error) {
	sorted := slices.SortedFunc(slices.Values(points), func(a, b Point) int { return cmp.Compare(a.Nodes, b.Nodes) })
	wrong := pointProblems(sorted)
	wrong.Check(len(sorted) > 0, "a curve of 0 points, want 1 or more")
	for i := 1; i < len(sorted); i++ {
		if a, b := sorted[i-1], sorted[i]; a.Nodes == b.Nodes {
			wrong.Add("latencies %d and %d for %d nodes, want one", a.Latency, b.Latency, a.Nodes)
		}
	}
	if err := wrong.Err("clock"); err != nil {
		return nil, err
	}
	return &Curve{sorted}, nil
}

// pointProblems lists measurements out of range.
func pointProblems(points []Point) (wrong problems.List) {
	for _, point := range points {
		problems.Range(&wrong, "nodes", point.Nodes, 1, MaxRanks, "nodes")
		problems.Range(&wrong, "measured latency", point.Latency, 1, MaxCost, "ticks")
	}
	return wrong
}

// At is the latency when so many nodes send, rounded to whole ticks: on the straight line
// between the nearest points, beyond the last one on the line through the last two, below
// the first one the same as there. It is 1 at least and Forever at most.
func (c *Curve) At(nodes int) Time {
	last := len(c.points) - 1
	if nodes <= c.points[0].Nodes || last == 0 {
		return c.points[0].Latency
	}
	i, _ := slices.BinarySearchFunc(c.points, nodes, func(p Point, n int) int { return cmp.Compare(p.Nodes, n) })
	i = min(i, last)
	return lineThrough(c.points[i-1], c.points[i]).at(nodes)
}

// line is a straight line. Fractions are exact, so that rounding is the same on all machines.
type line struct{ slope, intercept *big.Rat }

func lineThrough(a, b Point) line {
	slope := big.NewRat(int64(b.Latency-a.Latency), int64(b.Nodes-a.Nodes))
	rise := new(big.Rat).Mul(slope, whole(int64(a.Nodes)))
	return line{slope, rise.Sub(whole(int64(a.Latency)), rise)}
}

func (l line) at(nodes int) Time {
	y := new(big.Rat).Mul(l.slope, whole(int64(nodes)))
	return max(1, round(y.Add(y, l.intercept)))
}

func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// round is the nearest whole number, the larger one if there are two; Forever at most, and no
// less than -Forever.
func round(r *big.Rat) Time {
	r = new(big.Rat).Add(r, big.NewRat(1, 2))
	floor := new(big.Int).Div(r.Num(), r.Denom()) // Euclid's division; denominators are positive
	switch limit := big.NewInt(int64(Forever)); {
	case floor.CmpAbs(limit) < 0:
		return Time(floor.Int64())
	case floor.Sign() < 0:
		return -Forever
	}
	return Forever
}
