package guarantee

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/report"
)

// ReachesEveryLiveRank holds if every rank that did not fail was coloured. If a root failed and none of
// them was, nothing is claimed: the message then died with the root.
//
// It is guarantees III and IV together, at the strong level: a broadcast that keeps both is
// consistent (Corrected Gossip, section II).
type ReachesEveryLiveRank struct{}

// Name is the promise in a few words.
func (ReachesEveryLiveRank) Name() string { return "reaches every live rank" }

// NeedsEvents is false.
func (ReachesEveryLiveRank) NeedsEvents() bool { return false }

// Check looks for live ranks that were not reached.
func (g ReachesEveryLiveRank) Check(run Run) Verdict {
	reached, live := run.reached()
	if reached == live && live > 0 { // most runs: without a look at the roots
		return Verdict{Name: g.Name(), Value: Held, Evidence: "all " + strconv.Itoa(live) + " live ranks reached"}
	}
	root, failed := run.FailedRoot()
	switch {
	case live == 0:
		return Verdict{Name: g.Name(), Value: NotClaimed, Evidence: "no rank is left"}
	case failed && reached == 0:
		return Verdict{Name: g.Name(), Value: NotClaimed, Evidence: fmt.Sprintf("%s (%s, and none of %d live ranks was reached)", RootsLive.Says, root, live)}
	case failed:
		return Verdict{Name: g.Name(), Evidence: fmt.Sprintf("root failed (%s), %d live ranks reached, %s never", root, reached, listFound(run.Report.Missed()))}
	}
	return Verdict{Name: g.Name(), Evidence: listFound(run.Report.Missed()) + " never reached"}
}

// reached is how many of the live ranks are coloured.
func (run Run) reached() (reached, live int) {
	live = run.live()
	return live - run.Report.Missed().Count, live
}

// live is how many ranks did not fail.
func (run Run) live() int { return run.Report.Size() - len(run.Report.Failed) }

// FailedRoot finds the first of the roots that failed, at whatever time.
func (run Run) FailedRoot() (failure report.Failure, failed bool) {
	for _, root := range run.Roots {
		if failure, failed = run.Report.FailureOf(root); failed {
			return failure, true
		}
	}
	return report.Failure{}, false
}
