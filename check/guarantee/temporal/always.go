package temporal

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// Always holds if a condition does at each instant of a run, from t=0 on. If it holds and no rank has ever entered or left one of its states, nothing was
// looked at, and nothing is claimed.
//
// It is about safety if the condition holds where nobody does anything: at most one leader is, at least one is not.
func Always(name string, c Condition) guarantee.Guarantee {
	return about(c.ofNothing(), guarantee.VerdictFunc(name, true, func(run guarantee.Run) guarantee.Verdict {
		if not, changes := c.Not().spans(run); len(not) > 0 {
			return guarantee.Verdict{Evidence: c.notSo(run, not[0]), Marks: c.around(run, not[0].from)}
		} else if changes == 0 {
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "nothing has happened on which it depends that " + c.says}
		} else {
			return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%s, through %s", c.says, text.Count(changes, "change"))}
		}
	}))
}

// Never holds if something does not happen in a run. It is about safety.
func Never(name string, h Happening) guarantee.Guarantee {
	return about(true, guarantee.VerdictFunc(name, true, func(run guarantee.Run) guarantee.Verdict {
		events := run.Report.Events
		if i := slices.IndexFunc(events, h.Is); i >= 0 {
			e := events[i]
			return guarantee.Verdict{Evidence: e.String(), Marks: []guarantee.Mark{{Rank: e.Rank, From: e.Time, To: e.Time, Text: h.Says, Guilty: true}}}
		} else if len(events) == 0 {
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "nothing has happened"}
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: "none of " + text.Count(len(events), "event")}
	}))
}

// about is a guarantee that may be about safety.
func about(safety bool, g guarantee.Guarantee) guarantee.Guarantee {
	if safety {
		return guarantee.Safety(g)
	}
	return g
}

// notSo says when a condition does not hold, and how things stood.
func (c Condition) notSo(run guarantee.Run, not span) string {
	words := fmt.Sprintf("from t=%d on: %s", not.from, not.scene)
	if not.to != clock.Forever {
		words = fmt.Sprintf("from t=%d to t=%d: %s", not.from, not.to, not.scene)
	}
	if doubt := run.Report.ClockError; doubt > 0 {
		words += fmt.Sprintf("; clocks of processes may differ by %v", doubt)
	}
	return words
}

func compareMarks(a, b guarantee.Mark) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.To, b.To), cmp.Compare(a.Text, b.Text))
}
