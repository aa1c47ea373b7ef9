package tuning

import (
	"iter"

	"github.com/mangrove-emu/mangrove/clock"
)

// Tune returns the plan with the least latency, of those with the same latency the one that
// withstands the largest reduction of delta, as the paper recommends: the one with the
// smallest risk. For Plain, T is the smallest that reaches the goal. Margins come on top.
func Tune(machine clock.LogP, goal Goal) (Plan, error) {
	if err := goal.check(machine); err != nil {
		return Plan{}, err
	}
	c := newCurve(machine, goal.Failures)
	search := quickest
	if goal.Variant == Plain {
		search = goodEnough
	}
	best, err := search(c, goal)
	if err != nil {
		return Plan{}, err
	}
	if err := c.grow(best.CorrectionStart + gossipMargin(machine, goal)); err != nil {
		return Plan{}, err
	}
	return best.withMargins(c, goal), nil
}

// quickest is the plan that minimizes the paper's equation. It stops where even the
// correction that is left when everybody live has been reached would end too late.
func quickest(c *Curve, goal Goal) (Plan, error) {
	least := equationWait(c.machine, goal.Variant) + bound(c.machine, goal, c.ring(0)).CorrectionTime
	best := Plan{Equation: clock.Never}
	for end, err := range c.ends() {
		switch {
		case err != nil:
			return Plan{}, err
		case end+least > best.Equation:
			return best, nil
		}
		if p := planAt(c, goal, end); goal.hasEnough(c, p) && isBetter(p, best) {
			best = p
		}
	}
	panic("tuning: gossip has no end")
}

// hasEnough reports whether failure-proof correction can do without SOS, which takes long: that
// needs f*f+f+1 g-nodes (claim 5), or all live ranks where there are fewer.
func (g Goal) hasEnough(c *Curve, p Plan) bool {
	if g.Variant != FailureProof {
		return true
	}
	f := g.OnlineFailures
	return p.Nodes > float64(min(f*f+f+1, c.machine.Ranks-g.Failures))-0.5
}

func isBetter(p, best Plan) bool {
	if p.Equation != best.Equation {
		return p.Equation < best.Equation
	}
	return p.Risk < best.Risk
}

// goodEnough is the first plan whose risk is small enough.
func goodEnough(c *Curve, goal Goal) (Plan, error) {
	for end, err := range c.ends() {
		if err != nil {
			return Plan{}, err
		}
		if p := planAt(c, goal, end); p.Risk <= goal.Delta {
			return p, nil
		}
	}
	panic("tuning: gossip has no end")
}

// ends are all T worth trying, ascending, each with the curve grown as far as it is needed.
// Between two instants of sending, a larger T delays correction and reaches nobody; so they
// are 0 and o after every instant, when its message counts.
func (c *Curve) ends() iter.Seq2[clock.Time, error] {
	return func(yield func(clock.Time, error) bool) {
		end := clock.Time(0)
		for i := 0; ; i++ {
			err := c.grow(correctionStart(c.machine, end))
			if !yield(end, err) {
				return
			}
			end = c.instants[i].time + c.machine.Overhead
		}
	}
}
