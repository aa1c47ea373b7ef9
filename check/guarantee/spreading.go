package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// noDeadlock is NoDeadlock for broadcasts: if a root failed, ranks that nothing has reached may
// wait.
var noDeadlock = Func(NoDeadlock{}.Name(), false, func(run Run) (held bool, evidence string) {
	var waiting []int
	root, failed := run.FailedRoot()
	for _, d := range run.Report.Deadlocks {
		if !failed || run.Report.Ranks[d.Rank].Coloured != clock.Never {
			waiting = append(waiting, d.Rank)
		}
	}
	switch {
	case len(waiting) > 0:
		return false, ListRanks(waiting) + " waiting for ever"
	case len(run.Report.Deadlocks) > 0:
		return true, fmt.Sprintf("root failed (%s), only ranks that nothing reached wait", root)
	}
	return true, "no rank waits for ever"
})

// Spreading are the guarantees of a broadcast. The last three look at events, and are checked
// where these are recorded.
func Spreading() []Guarantee {
	return []Guarantee{ReachesEveryLiveRank{}, noDeadlock, Integrity{}, OnlyColouredRanksSend{}, NoDuplicates{}}
}
