package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Guarantee is a promise of a protocol, and whether a run kept it.
type Guarantee = guarantee.Verdict

// check decides about all guarantees of the experiment. Whoever says nothing about deadlocks
// promises that there are none, so that the verdicts alone say whether all is well.
func (e *Experiment) check(rep *report.Report) []Guarantee {
	run := guarantee.Run{Report: rep, Roots: e.Roots}
	verdicts := guarantee.Check(run, e.promises(run)...)
	if len(rep.Deadlocks) > 0 && !slices.ContainsFunc(verdicts, isAboutDeadlock) {
		verdicts = append(verdicts, e.onTerms(guarantee.NoDeadlock{}).Check(run))
	}
	return verdicts
}

func isAboutDeadlock(g Guarantee) bool { return g.Name == guarantee.NoDeadlock{}.Name() }

// NothingPromised reports whether one of the guarantees held only because it promises nothing
// in such a run: more ranks failed than it stands, for example, or links were cut.
func NothingPromised(verdicts []Guarantee) bool {
	return slices.ContainsFunc(verdicts, func(g Guarantee) bool {
		return g.Held && (strings.HasPrefix(g.Evidence, noResult) || strings.HasSuffix(g.Evidence, nothingPromised))
	})
}

// How the evidence of such guarantees begins in reductions, and ends in [guarantee.When].
const noResult, nothingPromised = "no result is promised", ": nothing promised"

// noDeadlock is that of broadcasts: if a root failed, ranks that nothing has reached may
// wait.
var noDeadlock = guarantee.Func(guarantee.NoDeadlock{}.Name(), false, func(run guarantee.Run) (held bool, evidence string) {
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

func isUnreached(rep *report.Report, rank int) bool { return rep.Ranks[rank].Coloured == clock.Never }

// spreading are the guarantees of a broadcast. The last three look at events, and are checked
// where these are recorded.
var spreading = []guarantee.Guarantee{
	guarantee.ReachesEveryLiveRank{}, noDeadlock,
	guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{},
}
