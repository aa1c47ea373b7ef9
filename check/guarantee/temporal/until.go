package temporal

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// Until holds if a condition does from t=0 on, at each instant before something happens or another condition holds, and that comes. At the instant at
// which it comes, and after it, nothing is asked of the condition any more.
func Until(name string, c Condition, what What) guarantee.Guarantee {
	return until(name, c, what, true)
}

// WeakUntil is Until for what need not come: then the condition must hold throughout. It is about safety if the condition holds where
// nobody does anything. If there was nothing to look at, nothing is claimed: what ends it came at t=0, or neither it nor what the condition
// depends on ever came.
func WeakUntil(name string, c Condition, what What) guarantee.Guarantee {
	return about(c.ofNothing(), until(name, c, what, false))
}

func until(name string, c Condition, what What, strong bool) guarantee.Guarantee {
	return guarantee.VerdictFunc(name, true, func(run guarantee.Run) guarantee.Verdict {
		came := clock.Never
		if found, _ := what.spans(run); len(found) > 0 {
			came = found[0].from
		}
		not, changes := c.Not().spans(run)
		switch {
		case len(not) > 0 && not[0].from < came:
			words := c.notSo(run, not[0])
			if came == clock.Never {
				words += fmt.Sprintf("; %s never", what)
			} else {
				words += fmt.Sprintf("; %s at t=%d only", what, came)
			}
			return guarantee.Verdict{Evidence: words, Marks: c.around(run, not[0].from)}
		case came == clock.Never && strong && nobodyLives(run):
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "no rank is left"}
		case came == clock.Never && strong:
			p := prospect{from: Start, within: clock.Forever, what: what}
			return p.missed(run, theStart, clock.Never)
		case came == clock.Never && changes == 0:
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "nothing has happened on which it depends that " + c.says}
		case came == clock.Never:
			return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%s throughout, and never %s", c.says, what)}
		case came == 0 && !strong:
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: fmt.Sprintf("%s at t=0", what)}
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%s up to t=%d: %s", c.says, came, what)}
	})
}
