package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/guarantee"
)

// What a run may be made to look like.
var (
	unreached = func(ranks ...int) func(*trial) { return func(t *trial) { t.report.Unreached = ranks } }
	stuck     = func(rank int) func(*trial) {
		return func(t *trial) { t.report.Deadlocks = []emu.Deadlock{{Rank: rank, Call: "Recv"}} }
	}
	verdict = func(evidence string) func(*trial) {
		return func(t *trial) { t.outcome.Guarantees[0] = guarantee.Verdict{Name: "first", Evidence: evidence} }
	}
	asItIs = func(*trial) {}
)

// Every promise of every family is judged where it is made: runs that kept it are made to look
// as if they had not.
func TestEveryPromiseIsJudged(t *testing.T) {
	const (
		checked = "broadcast P=8 correction=checked "
		proof   = "broadcast P=8 correction=failure-proof f=1 "
		tree    = "broadcast P=8 correction=none "
		trees   = "multitree P=8 trees=2 k=2 "
		all     = "allreduce P=8 f=1 correction=failure-proof "
	)
	reached, waits := "every live rank is reached and nobody waits for ever", "a rank that has the message does not wait for ever"
	divides := "either all live ranks are reached or none"
	for _, c := range []struct {
		family *family
		line   string
		forge  func(*trial)
		says   string // what is broken; "" if nothing is
	}{
		{broadcastFamily, checked, stuck(3), waits},
		{broadcastFamily, tree + "faults=crash:1", stuck(2), waits},
		{broadcastFamily, tree + "faults=crash:1", stuck(3), ""}, // nothing has reached it
		{broadcastFamily, tree + "faults=crash:1", asItIs, ""},
		{broadcastFamily, "broadcast P=8 correction=ack faults=crash:1", stuck(0), ""},
		{broadcastFamily, checked, unreached(3), reached},
		{broadcastFamily, checked + "faults=crash:1", unreached(3), reached},
		{broadcastFamily, checked + "repeat=2", stuck(3), reached}, // for the second broadcast
		{broadcastFamily, checked + "faults=crash:1@after-send1", unreached(3), ""},
		{broadcastFamily, proof + "faults=crash:0@send2", unreached(3), divides},
		{broadcastFamily, proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6), divides},
		{broadcastFamily, proof + "faults=crash:0@send2", unreached(1, 2, 3, 4, 5, 6, 7), ""},
		{broadcastFamily, proof + "faults=crash:0@send2,crash:1@after-send1", unreached(3), ""},
		{broadcastFamily, checked + "repeat=2", verdict("late"), "every broadcast of a series is in time"},
		{broadcastFamily, checked + "repeat=2 faults=slow:3x2", verdict("late"), ""},
		{multiTreeFamily, trees + "faults=crash:1", stuck(3), waits},
		{multiTreeFamily, trees + "faults=crash:1,crash:2", stuck(0), waits},
		{multiTreeFamily, trees + "faults=crash:1", unreached(3), reached},
		{multiTreeFamily, trees + "faults=crash:1,crash:2", unreached(3), ""},
		{reduceFamily, "reduce P=8", verdict("wrong"), "the root has a whole result, if one is promised, and nobody waits for ever"},
		{allReduceFamily, all, verdict("wrong"), "whole results are the same everywhere, each live rank once and in order"},
		{allReduceFamily, all + "faults=crash:0@t9", verdict("wrong"), "whole results are the same everywhere, each live rank once and in order"},
		{allReduceFamily, all, stuck(3), "nobody waits for ever"},
		{allReduceFamily, all, verdict(noResult + "rank 3"), "every live rank has a whole result"},
		{allReduceFamily, all + "faults=crash:1,crash:2", verdict(noResult + "rank 3"), ""},
	} {
		run := tried(t, c.family, c.line)
		c.forge(run)
		err := c.family.judge(run)
		if c.says == "" {
			require.NoError(t, err, c.line)
			continue
		}
		require.ErrorContains(t, err, c.says+": broken: ", c.line)
	}
}
