package ulfm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// strength brings a communicator back to all ranks of the machine that come back, in their order. [ulfm.Comm.Replace] waits for
// all that have failed.
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
		if whole := inter.Together(c.Proc().Rank()); whole != nil {
			return whole
		}
	}
}

// replaced is [ulfm.Comm.Replace] where it cannot fail.
func replaced(c *ulfm.Comm) *ulfm.Comm {
	whole, err := c.Replace()
	if err != nil {
		panic(err)
	}
	return whole
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
				c = parent.Together(world.Proc().Rank())
			} else {
				until(world, 20)
				c = strength(world, func(int) bool { return true })
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
		if world.Proc().Life() == 0 {
			until(world, 20)
		}
		c := replaced(world)
		if world.Proc().Life() < 2 {
			until(c, 500)
			requireFailed(t, c.Barrier(), 2)
			require.Equal(t, []int{2}, c.GetFailed())
			c = replaced(c)
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
			if world.Proc().Life() == 0 {
				until(world, 20)
			}
			c := replaced(world)
			for c.Barrier() != nil {
				c.Revoke()
				c = replaced(c)
			}
			ends[c.Rank()]++
		})
		require.Equal(t, [ranks]int{1, 1, 1, 1, 1}, ends, point)
	}
}

// Two groups start the same rank, which takes its time. It meets them in the order of their calls.
func TestParentMeetsThoseWhoHaveStartedItInTheirOrder(t *testing.T) {
	play(t, machineOf(5), "crash:4@step:die,rejoin:4@t100", func(world *ulfm.Comm) {
		if world.Proc().Life() > 0 {
			until(world, 600)
			for _, others := range [][]int{{0, 1}, {2, 3}} {
				inter := world.Parent()
				require.Equal(t, others, inter.RemoteMembers())
				require.Equal(t, []int{4}, inter.Members())
				got, err := inter.Recv(0, 0)
				require.NoError(t, err)
				require.Equal(t, fmt.Sprint(others[0]), got.Payload)
			}
			return
		}
		half, err := world.Split(world.Rank()/2, 0)
		require.NoError(t, err)
		if world.Rank() == 4 {
			until(world, 50) // all have their half by then
			world.Proc().Step("die")
		}
		if world.Rank() >= 2 {
			until(world, 300)
		}
		inter, err := half.Spawn([]int{4})
		require.NoError(t, err)
		if half.Rank() == 0 {
			require.NoError(t, inter.Send(0, 0, fmt.Sprint(world.Rank())))
		}
	})
}

// Who says high comes last; if both groups or neither do, those with the lower leader come first.
func TestMergePutsThoseLastWhoSayHigh(t *testing.T) {
	for _, c := range []struct {
		even, odd bool // what those with even and odd numbers say
		want      []int
	}{
		{false, false, []int{0, 2, 4, 1, 3, 5}}, {true, true, []int{0, 2, 4, 1, 3, 5}},
		{false, true, []int{0, 2, 4, 1, 3, 5}}, {true, false, []int{1, 3, 5, 0, 2, 4}},
	} {
		play(t, machineOf(6), "", func(world *ulfm.Comm) {
			high := c.even
			if world.Rank()%2 == 1 {
				high = c.odd
			}
			merged, err := connected(t, world).Merge(high)
			require.NoError(t, err)
			require.Equal(t, c.want, merged.Members(), "%v and %v", c.even, c.odd)
		})
	}
}

// Where nobody is missing, too, what Replace returns has the error handler of the communicator that it was called on.
func TestWhatReplaceReturnsHasTheErrorHandler(t *testing.T) {
	for _, schedule := range []string{"", "crash:2@t0,rejoin:2@t100"} {
		handled := make([]int, 3)
		play(t, machineOf(3), schedule, func(world *ulfm.Comm) {
			world.SetErrhandler(func(*ulfm.Comm, error) { handled[world.Proc().Rank()]++ })
			whole := replaced(world)
			before := handled[world.Proc().Rank()]
			whole.Revoke()
			require.ErrorIs(t, whole.Send(0, 0, ""), ulfm.ErrRevoked)
			require.Equal(t, before+1, handled[world.Proc().Rank()], schedule)
		})
	}
}
