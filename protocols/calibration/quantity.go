package calibration

import (
	"math"
	"slices"
)

// Quantity is what was measured, and from where to where the truth may lie.
type Quantity struct{ Value, Low, High float64 }

// Exact is a quantity that all estimates agree on.
func Exact(value float64) Quantity { return Quantity{value, value, value} }

// IsExact reports whether all estimates agree.
func (q Quantity) IsExact() bool { return q.Low == q.High }

// around widens an interval to hold all values that others have found.
func (q Quantity) around(found []float64) Quantity {
	return Quantity{q.Value, min(q.Low, slices.Min(found)), max(q.High, slices.Max(found))}
}

// quantities are all of an estimate that have an interval, always in the same order.
func (e *Estimate) quantities() []*Quantity {
	return []*Quantity{&e.Latency, &e.Overhead, &e.Gap, &e.PerByte, &e.Delivery, &e.Service, &e.Send, &e.Receive}
}

// values are those of one quantity in several estimates.
func values(estimates []Estimate, quantity int) []float64 {
	var all []float64
	for i := range estimates {
		all = append(all, estimates[i].quantities()[quantity].Value)
	}
	return all
}

// Source is what the estimates are that an interval comes from. What all of them have in common does not show in it.
type Source int

const (
	Stretches     Source = iota // of one run
	SameProcesses               // runs, one after the other, of the same processes
	NewProcesses                // runs, each of which had processes of its own
)

// Together is the estimate of several runs on one machine: the median of what each has found, from the lowest to the
// highest. One alone is what it is. There must be one.
func Together(estimates []Estimate, source Source) Estimate {
	if len(estimates) == 1 {
		return estimates[0]
	}
	all := Estimate{Estimates: len(estimates), Source: source}
	for i, q := range all.quantities() {
		found := values(estimates, i)
		*q = Exact(median(found)).around(found)
	}
	quartile := func(of func(Quartiles) float64) float64 {
		var found []float64
		for _, e := range estimates {
			found = append(found, of(e.RoundTrip))
		}
		return median(found)
	}
	all.RoundTrip = Quartiles{
		quartile(func(q Quartiles) float64 { return q.Lower }),
		quartile(func(q Quartiles) float64 { return q.Median }),
		quartile(func(q Quartiles) float64 { return q.Upper }),
	}
	return all
}

// Misses is the share of cases in which an interval does not hold what the median of very many such
// estimates would be. Each is above it or below with the same probability, whatever its distribution
// is, and it is outside if all are on one side.
func (e Estimate) Misses() float64 { return math.Exp2(1 - float64(e.Estimates)) }
