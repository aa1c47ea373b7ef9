package scenarios

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/guarantee"
)

// Guarantee is a promise of a protocol, and whether a run kept it.
type Guarantee = guarantee.Verdict

// check decides about all guarantees of the experiment.
func (e *Experiment) check(rep *emu.Report) []Guarantee {
	return guarantee.Check(guarantee.Run{Report: rep, Roots: e.Roots}, e.Checks...)
}

// noDeadlock is that of broadcasts: if a root failed, ranks that nothing has reached may
// wait.
var noDeadlock = guarantee.Func("no deadlock", false, func(run guarantee.Run) (held bool, evidence string) {
	var waiting []int
	root, failed := run.FailedRoot()
	for _, d := range run.Report.Deadlocks {
		if !failed || !isUnreached(run.Report, d.Rank) {
			waiting = append(waiting, d.Rank)
		}
	}
	switch {
	case len(waiting) > 0:
		return false, guarantee.ListRanks(waiting) + " waiting for ever"
	case len(run.Report.Deadlocks) > 0:
		return true, fmt.Sprintf("root failed (%s), only ranks that nothing reached wait", root)
	}
	return true, "no rank waits for ever"
})

func isUnreached(rep *emu.Report, rank int) bool { return rep.Ranks[rank].Coloured == clock.Never }

// spreading are the guarantees of a broadcast. The last three look at events, and are checked
// where these are recorded.
var spreading = []guarantee.Guarantee{
	guarantee.ReachesEveryLiveRank{}, noDeadlock,
	guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{},
}
