package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Spreading are the promises of a broadcast: what it achieves under the premises, as far as its algorithm
// stands it ([Promise].Stands), and what must never happen. The last three look at events, and are checked where
// these are recorded.
func Spreading(premises, stands []Premise) []Guarantee {
	return []Guarantee{
		Promise{Guarantee: ReachesEveryLiveRank{}, Premises: premises, Stands: stands},
		Promise{Guarantee: noDeadlock, Premises: premises, Stands: stands, Safety: true},
		Integrity{}, OnlyColouredRanksSend{}, NoDuplicates{},
	}
}

// noDeadlock is NoDeadlock for broadcasts: if a root failed, ranks that nothing has reached may
// wait.
var noDeadlock = Func(NoDeadlock{}.Name(), false, func(run Run) (held bool, evidence string) {
	root, failed := run.FailedRoot()
	waiting := run.waiting(!failed)
	switch {
	case waiting.Count > 0:
		return false, listFound(waiting) + " waiting for ever"
	case len(run.Report.Deadlocks) > 0:
		return true, fmt.Sprintf("root failed (%s), only ranks that nothing reached wait", root)
	}
	return true, "no rank waits for ever"
})

// ReachedRanksReturn holds if nobody waits for ever whom the message has reached. Broadcasts in which ranks depend on
// nobody once they have the message promise that whatever fails.
type ReachedRanksReturn struct{}

// Name is the promise in a few words.
func (ReachedRanksReturn) Name() string { return "whoever is reached returns" }

// NeedsEvents is false.
func (ReachedRanksReturn) NeedsEvents() bool { return false }

func (ReachedRanksReturn) safety() {}

// Check lists the ranks that wait though they have been reached.
func (g ReachedRanksReturn) Check(run Run) Verdict {
	if waiting := run.waiting(false); waiting.Count > 0 {
		return Verdict{Name: g.Name(), Evidence: listFound(waiting) + " waiting for ever"}
	}
	reached, _ := run.reached()
	return Verdict{Name: g.Name(), Value: looked(reached), Evidence: fmt.Sprintf("none of %d waits for ever", reached)}
}

// waiting finds the ranks that wait for ever: all of them, or those that were reached.
func (run Run) waiting(all bool) report.Found {
	rep := run.Report
	if all || len(rep.Deadlocks) == 0 { // most runs: without a look at the ranks
		found := report.Found{Count: rep.Waiting()}
		for _, d := range rep.Deadlocks[:min(len(rep.Deadlocks), maxListed)] {
			found.First = append(found.First, d.Rank)
		}
		return found
	}
	listed := make(map[int]bool, len(rep.Deadlocks))
	for _, d := range rep.Deadlocks {
		listed[d.Rank] = true
	}
	return rep.Find(func(rank int, r *report.RankResult) bool {
		return (r.Outcome == report.Deadlocked || listed[rank]) && r.Coloured != clock.Never
	})
}
