package raft

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// works holds if, in a run in which nothing happens, all who are to be in the group at the end have applied the same, but for what is under way.
func works(plan Plan, seen []Seen) guarantee.Guarantee {
	return guarantee.VerdictFunc("the group works", false, func(run guarantee.Run) guarantee.Verdict {
		if !run.Report.Calm() {
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "something happens"}
		}
		most := uint64(0)
		for rank := range seen {
			most = max(most, seen[rank].Node.Applied())
		}
		if most == 0 {
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "elections were tied all the time"}
		}
		for _, rank := range plan.atLast() {
			node := seen[rank].Node
			if !slices.Equal(node.group.GetVoters(), ids(plan.atLast())) || node.Applied()+underWay < most {
				return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d has applied %d of %d, and knows of members %v", rank, node.Applied(), most, node.group.GetVoters())}
			}
		}
		return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%d applied", most)}
	})
}

// underWay is how many entries may be applied by one rank and not yet by another.
const underWay = 3

func ids(ranks []int) (ids []uint64) {
	for _, rank := range ranks {
		ids = append(ids, id(rank))
	}
	return ids
}
