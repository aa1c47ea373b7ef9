package tuning

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// maxSweep bounds the number of plans of a sweep.
const maxSweep = 1 << 16

// Sweep returns the plans for all T from first to last, without margins: the curves of the
// paper's figures 3, 5 and 9.
func Sweep(machine clock.LogP, goal Goal, first, last clock.Time) ([]Plan, error) {
	if err := goal.check(machine); err != nil {
		return nil, err
	}
	var bad problems.List
	checkTime(&bad, "first T", first)
	checkTime(&bad, "last T", last)
	problems.Range(&bad, "number of T from first to last", int(last-first)+1, 1, maxSweep, "")
	if err := bad.Err("tuning"); err != nil {
		return nil, err
	}
	c := newCurve(machine, goal.Failures)
	if err := c.grow(correctionStart(machine, last)); err != nil {
		return nil, err
	}
	plans := make([]Plan, 0, last-first+1)
	for end := first; end <= last; end++ {
		plans = append(plans, planAt(c, goal, end))
	}
	return plans, nil
}
