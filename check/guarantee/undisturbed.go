package guarantee

import (
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
)

// LinksHold is met if no links were cut, or only when all was over. Most protocols presuppose
// that a message that was sent arrives if its receiver lives.
func LinksHold(run Run) (met bool, whyNot string) {
	for f := range run.Report.Fired() {
		if f.Kind == faults.Cut {
			return false, "links were cut"
		}
	}
	return true, ""
}

// NobodyCameBack is met if no rank that had failed was started again. Most protocols presuppose
// that a rank is either there from the beginning or gone.
func NobodyCameBack(run Run) (met bool, whyNot string) {
	var ranks []int
	for _, r := range run.Report.Rejoined {
		ranks = append(ranks, r.Rank)
	}
	if len(ranks) == 0 {
		return true, ""
	}
	slices.Sort(ranks)
	return false, ListRanks(slices.Compact(ranks)) + " came back"
}

// Undisturbed is met if [LinksHold] and [NobodyCameBack] are.
func Undisturbed(run Run) (met bool, whyNot string) {
	if met, whyNot = LinksHold(run); !met {
		return met, whyNot
	}
	return NobodyCameBack(run)
}
