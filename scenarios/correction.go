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
	return &Correction{From: from, Gap: longestGap(rep.Ranks, from), Took: max(0, rep.Quiescence-from)}
}

// longestGap is the longest run of ranks on the ring that were not coloured by an instant.
func longestGap(ranks []report.RankResult, by clock.Time) int {
	longest, gap := 0, 0
	for i := range 2 * len(ranks) { // twice round: a gap may contain the last rank and the first
		if gap++; ranks[i%len(ranks)].Coloured <= by {
			gap = 0
		}
		longest = max(longest, gap)
	}
	return min(longest, len(ranks))
}
