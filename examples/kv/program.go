package kv

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/examples/raft"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

const (
	keys                 = 4
	beginning clock.Time = 40             // when there is a leader, if all goes well
	electing  clock.Time = 10 * raft.Tick // the longest that a rank waits for one before it wants to be it
)

// Plan says what happens in a run besides faults.
type Plan struct {
	// Servers is how many of the ranks keep the store, the first ones. All others are clients.
	Servers int
	// Until is when all of them end.
	Until clock.Time
	// SnapshotEvery is after how many entries servers replace the log by a snapshot. 0: never.
	SnapshotEvery uint64

	bugs // in the build with the tag bug
}

// raft is the configuration of the group.
func (plan *Plan) raft() raft.Config {
	c := raft.Config{SnapshotEvery: plan.SnapshotEvery}
	for rank := range plan.Servers {
		c.Voters = append(c.Voters, rank)
	}
	return c
}

// Program is a store and its clients, which leave what they have seen in h.
func Program(plan Plan, h *History) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if p.Rank() < plan.Servers {
				serve(p, &plan)
			} else {
				use(p, &plan, h)
			}
		},
		KindName: func(k mailbox.Kind) string {
			switch k {
			case ask:
				return "ask"
			case answer:
				return "answer"
			}
			return raft.KindName(k)
		},
	}
}
