package raft

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

// plan is a short life of a group: it elects a leader, agrees on some commands, and makes snapshots.
func plan(ranks int) Plan {
	return Plan{Config: Config{Voters: all(ranks), SnapshotEvery: 4}, Until: 500, Propose: 6}
}

var disk = clock.Disk{Write: 1, Sync: 3}

// machine has messages that take about a tick of the library, as its documentation recommends.
func machine(ranks int) clock.LogP { return clock.LogP{Ranks: ranks, Latency: 20, Overhead: 1} }

// all are so many ranks.
func all(ranks int) (all []int) {
	for rank := range ranks {
		all = append(all, rank)
	}
	return all
}

// instances makes groups of so many ranks.
func instances(ranks int, plan Plan) func() emutest.Instance {
	return func() emutest.Instance {
		seen := make([]Seen, ranks)
		return emutest.Instance{
			Program:    Program(plan, seen),
			Prepare:    func() { clear(seen) },
			Guarantees: append(Promises(seen), works(plan, seen)),
		}
	}
}

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
