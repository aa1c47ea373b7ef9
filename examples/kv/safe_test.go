//go:build !bug

package kv

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

func TestLinearizableUnderCuts(t *testing.T) {
	var sum tally
	emutest.Run(t, emutest.Test{
		Machine: machine, Disk: disk, New: instances(plan, &sum),
		Random: *schedules, RandomFaults: 6, Kinds: cuts,
	})
	achieved(t, &sum)
}

// Raft does not rely on the order of messages, nor may what is built on it.
func TestLinearizableWhateverHappens(t *testing.T) {
	var sum tally
	emutest.Run(t, emutest.Test{
		Machine: machine, Disk: disk, New: instances(plan, &sum), Unordered: true,
		Random: *schedules, RandomFaults: 6, Rejoins: []clock.Time{20, 200},
		Kinds: append(cuts, faults.Crash, faults.Hang, faults.Slow, faults.Rejoin, faults.Late, faults.Lose, faults.Twice),
	})
	achieved(t, &sum)
}

// achieved sees that clients got something done: nothing is wrong with a store that does nothing.
func achieved(t *testing.T, sum *tally) {
	t.Helper()
	runs := sum.runs.Load()
	busy, returned := 100*sum.busy.Load()/runs, sum.returned.Load()/runs
	require.GreaterOrEqual(t, busy, int64(75), "in so many of 100 runs %d operations returned", enough)
	require.GreaterOrEqual(t, returned, int64(20), "so many operations returned in a run")
}
