package tcp

import (
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// Death is a rank that has failed.
type Death struct {
	Rank    int
	Outcome Outcome
	Time    clock.Time
	// Fault is which of the schedule it was, or -1 if nothing of the kind was to happen: somebody
	// else has killed the process.
	Fault int
	// Slowed are the slow-downs that had taken effect on it on the way.
	Slowed []int
	Traffic
}

// Rejoin is a rank that has begun again.
type Rejoin struct {
	Rank int
	Time clock.Time
}

// Result is how a run went, as far as that is known.
type Result struct {
	Ranks   []*RankReport // by rank; nil for those whose process has failed
	Deaths  []Death       // in the order in which they happened
	Rejoins []Rejoin
	Wall    time.Duration // from the start of the run until it was over
}

// complete reports whether all is there that will come.
func (c *Coordinator) complete() bool {
	return c.over && !slices.ContainsFunc(c.members, func(m *member) bool { return m.state == joined })
}

func (c *Coordinator) result() *Result {
	res := &Result{Ranks: make([]*RankReport, c.cfg.Ranks), Deaths: c.deaths, Rejoins: c.rejoins, Wall: c.wall}
	for _, m := range c.members {
		if m.report == nil {
			continue
		}
		for i := range m.report.Ranks {
			if r := &m.report.Ranks[i]; !c.fallen[r.Rank] {
				res.Ranks[r.Rank] = r
			}
		}
	}
	return res
}
