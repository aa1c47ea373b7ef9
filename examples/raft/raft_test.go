package raft

import (
	"github.com/mangrove-emu/mangrove/check/emutest"
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

// usual is a test of three ranks with the usual kinds of faults and numbers, and with ranks that come back.
func usual(plan Plan) emutest.Test {
	return emutest.Test{
		Machine:      machine(3),
		Disk:         disk,
		New:          instances(3, plan),
		Random:       3000,
		RandomFaults: 3,
		Rejoins:      []clock.Time{20, 200},
	}
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
