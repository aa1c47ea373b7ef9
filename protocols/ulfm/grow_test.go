package ulfm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// fullStrength brings a communicator back to all ranks of the machine, in their order.
func fullStrength(c *ulfm.Comm) *ulfm.Comm {
	return strength(c, func(int) bool { return true })
}

// strength brings a communicator back to all ranks of the machine that come back, in their order:
// what MPI programs do by spawning, merging and splitting, each followed by an agreement.
func strength(c *ulfm.Comm, returns func(machineRank int) bool) *ulfm.Comm {
	for {
		smaller, err := c.Shrink()
		if err != nil {
			panic(err)
		}
		var missing []int
		for machineRank := range c.Proc().Size() {
			if _, ok := smaller.Member(machineRank); !ok && returns(machineRank) {
				missing = append(missing, machineRank)
			}
		}
		c = smaller
		if len(missing) == 0 {
			return c
		}
		inter, err := c.Spawn(missing)
		if err != nil {
			continue
		}
		if whole := joined(inter); whole != nil {
			return whole
		}
	}
}

// joined merges both groups and puts them in order; nil if that has failed on one of them.
func joined(inter *ulfm.Intercomm) *ulfm.Comm {
	merged, err := inter.Merge(false)
	theirs, _ := inter.Agree(int32(well(err)))
	ours, _ := inter.Agree(theirs) // each side says what the other one has told it
	inter.Free()
	if ours == 0 || theirs == 0 {
		return nil
	}
	ordered, err := merged.Split(0, merged.Proc().Rank())
	flags, _ := merged.Agree(well(err))
	merged.Free()
	if flags == 0 {
		return nil
	}
	return ordered
}

// well is what to agree on after a call that may have failed on some.
func well(err error) int64 {
	if err != nil {
		return 0
	}
	return 1
}

func TestARankThatWasStartedAnewIsMergedIn(t *testing.T) {
	const ranks = 6
	for dead := range ranks {
		var sums [ranks]int64
		var names [ranks]int
		rep := play(t, machineOf(ranks), fmt.Sprintf("crash:%d@t5,rejoin:%d@t60", dead, dead), func(world *ulfm.Comm) {
			var c *ulfm.Comm
			if parent := world.Parent(); parent != nil {
				require.Equal(t, 1, world.Size())
				require.Equal(t, 1, parent.Size())
				require.Equal(t, ranks-1, parent.RemoteSize())
				c = joined(parent)
			} else {
				until(world, 20)
				c = fullStrength(world)
			}
			me := c.Proc().Rank()
			names[me] = c.Rank()
			require.NoError(t, c.Barrier())
			flags, err := c.Agree(allBut(me))
			require.NoError(t, err)
			sums[me] = flags
			require.Empty(t, c.GetFailed(), "of its members none has failed")
		})
		require.Len(t, live(rep), ranks)
		for rank := range ranks {
			require.Equal(t, rank, names[rank])
			require.Equal(t, allBut(0, 1, 2, 3, 4, 5), sums[rank])
		}
	}
}

func TestASecondFailureOfARankIsAnother(t *testing.T) {
	const ranks = 4
	var ends [ranks]int
	rep := play(t, machineOf(ranks), "crash:2@t5,rejoin:2@t60,crash:2@t400,rejoin:2@t600", func(world *ulfm.Comm) {
		var c *ulfm.Comm
		if parent := world.Parent(); parent != nil {
			c = joined(parent)
		} else {
			until(world, 20)
			c = fullStrength(world)
		}
		if world.Proc().Life() < 2 {
			until(c, 500)
			requireFailed(t, c.Barrier(), 2)
			require.Equal(t, []int{2}, c.GetFailed())
			c = fullStrength(c)
		}
		require.NoError(t, c.Barrier())
		ends[c.Rank()]++
	})
	require.Equal(t, [ranks]int{1, 1, 1, 1}, ends)
	require.Len(t, rep.Rejoined, 2)
}

// Nobody calls Spawn for it: it has nothing to do and keeps nobody waiting.
func TestARankThatNobodyWaitsForHasFinished(t *testing.T) {
	play(t, machineOf(3), "crash:1@t5,rejoin:1@t60", func(world *ulfm.Comm) {
		if world.Parent() != nil {
			panic("somebody has called Spawn")
		}
	})
}

func TestOfTwoThatWereStartedOneFailsAgain(t *testing.T) {
	const ranks = 5
	for _, point := range []string{"t70", "t90", "t100", "t110", "t120", "t130", "t140"} {
		var ends [ranks]int
		schedule := "crash:1@t5,crash:3@t8,rejoin:1@t60,rejoin:3@t64,crash:3@" + point + ",rejoin:3@t900"
		play(t, machineOf(ranks), schedule, func(world *ulfm.Comm) {
			var c *ulfm.Comm
			if world.Proc().Life() > 0 {
				for c == nil {
					c = joined(world.Parent())
				}
			} else {
				until(world, 20)
				c = fullStrength(world)
			}
			for c.Barrier() != nil {
				c.Revoke()
				c = fullStrength(c)
			}
			ends[c.Rank()]++
		})
		require.Equal(t, [ranks]int{1, 1, 1, 1, 1}, ends, point)
	}
}
