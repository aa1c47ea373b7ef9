package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/emu"
)

// Guarantee is a promise of a protocol, and whether a run kept it.
type Guarantee struct {
	Name     string `json:"name"`
	Held     bool   `json:"held"`
	Evidence string `json:"evidence"` // what the report says for or against it
}

// Check decides about one guarantee.
type Check func(*Experiment, *emu.Report) Guarantee

// check decides about all guarantees of the experiment.
func (e *Experiment) check(rep *emu.Report) []Guarantee {
	var all []Guarantee
	for _, check := range e.Checks {
		all = append(all, check(e, rep))
	}
	return all
}

// ReachesEveryLiveRank holds if every rank that did not fail was coloured. If a root
// failed it also holds if none of them was: the message then died with the root.
func ReachesEveryLiveRank(e *Experiment, rep *emu.Report) Guarantee {
	live := len(rep.Ranks) - len(rep.Failed)
	reached := live - len(rep.Unreached)
	root, rootFailed := failedRoot(e.Roots, rep)
	g := Guarantee{Name: "reaches every live rank"}
	switch {
	case reached == live:
		g.Held = true
		g.Evidence = fmt.Sprintf("all %d live ranks reached", live)
	case rootFailed && reached == 0:
		g.Held = true
		g.Evidence = fmt.Sprintf("root failed (%s), none of %d live ranks reached", root, live)
	case rootFailed:
		g.Evidence = fmt.Sprintf("root failed (%s), %d live ranks reached, %s never", root, reached, listRanks(rep.Unreached))
	default:
		g.Evidence = listRanks(rep.Unreached) + " never reached"
	}
	return g
}

// failedRoot finds the first root that failed.
func failedRoot(roots []int, rep *emu.Report) (emu.Failure, bool) {
	for _, root := range roots {
		i, failed := slices.BinarySearchFunc(rep.Failed, root, func(f emu.Failure, rank int) int {
			return cmp.Compare(f.Rank, rank)
		})
		if failed {
			return rep.Failed[i], true
		}
	}
	return emu.Failure{}, false
}

// NoDeadlock holds if no rank still waited when nothing could happen any more.
func NoDeadlock(_ *Experiment, rep *emu.Report) Guarantee {
	g := Guarantee{Name: "no deadlock", Held: len(rep.Deadlocks) == 0}
	if g.Held {
		g.Evidence = "no rank waits for ever"
		return g
	}
	var ranks []int
	for _, d := range rep.Deadlocks {
		ranks = append(ranks, d.Rank)
	}
	g.Evidence = listRanks(ranks) + " waiting for ever"
	return g
}

// maxListed is how many ranks a piece of evidence lists.
const maxListed = 8

// listRanks reads like "rank 5", "ranks 5 and 9" or "ranks 5, 9 and 3 more".
func listRanks(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	var parts []string
	for _, r := range ranks[:min(len(ranks), maxListed)] {
		parts = append(parts, fmt.Sprint(r))
	}
	last := parts[len(parts)-1]
	if more := len(ranks) - len(parts); more > 0 {
		last = fmt.Sprintf("%d more", more)
	} else {
		parts = parts[:len(parts)-1]
	}
	return "ranks " + strings.Join(parts, ", ") + " and " + last
}
