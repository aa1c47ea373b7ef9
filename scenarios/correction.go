package scenarios

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Correction is what a correction that begins everywhere at once found, and how long it took.
type Correction struct {
	From clock.Time `json:"from"` // when it began
	// Gap is how many ranks lie side by side on the ring that had not got the message by then,
	// failed ones included: the most of them (Corrected Trees, section 3.1).
	Gap  int        `json:"gap"`
	Took clock.Time `json:"took"` // until nothing was under way any more
}

// correctionFrom looks at the correction of a run that began everywhere at that instant; nil if there
// is none.
func correctionFrom(from clock.Time, rep *report.Report) *Correction {
	if from == 0 {
		return nil
	}
	return &Correction{From: from, Gap: longestGap(rep, from), Took: max(0, rep.Quiescence-from)}
}

// longestGap is the longest run of ranks on the ring that were not coloured by an instant.
func longestGap(rep *report.Report, by clock.Time) int {
	var own, all gaps
	for i := range rep.Ranks {
		missing := 0
		if rep.Ranks[i].Coloured > by {
			missing = 1
		}
		own = own.before(gaps{1, missing, missing, missing})
	}
	for _, part := range report.FromAll(rep, own) {
		all = all.before(part)
	}
	return max(all.Longest, min(all.Last+all.First, all.Ranks)) // a gap may contain the last rank and the first
}

// gaps are runs of ranks side by side that something is missing of: among so many ranks the longest, and those at both ends.
type gaps struct{ Ranks, First, Last, Longest int }

// before is what comes of gaps with others to their right.
func (g gaps) before(next gaps) gaps {
	all := gaps{g.Ranks + next.Ranks, g.First, next.Last, max(g.Longest, next.Longest, g.Last+next.First)}
	if g.First == g.Ranks {
		all.First += next.First
	}
	if next.Last == next.Ranks {
		all.Last += g.Last
	}
	return all
}
