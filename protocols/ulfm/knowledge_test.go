package ulfm_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestACommunicatorWithoutTheFailedRankReportsNothing(t *testing.T) {
	play(t, machineOf(4), "crash:3@t20", func(world *ulfm.Comm) {
		me := world.Rank()
		c, err := world.Create([]int{0, 1, 2})
		require.NoError(t, err)
		if me == 3 {
			until(world, 100)
			return
		}
		require.Less(t, int64(world.Proc().Now()), int64(20))
		request := c.Post(ulfm.AnySource, 1)
		if me > 0 {
			until(world, 60)
			require.Equal(t, []int{3}, world.GetFailed())
			require.NoError(t, c.Send(0, 1, ""))
		} else {
			_, err := request.Wait() // while rank 3 fails
			require.NoError(t, err)
			_, err = c.Recv(ulfm.AnySource, ulfm.AnyTag)
			require.NoError(t, err)
			require.Equal(t, []int{3}, world.GetFailed())
		}
		require.Empty(t, c.GetFailed())
		require.NoError(t, broadcastParts(c, 2))
		_, err = c.Agree(1)
		require.NoError(t, err)
		_, err = c.Create([]int{0})
		require.NoError(t, err)
		_, err = world.Agree(1)
		requireFailed(t, err, 3)
	})
}

// What was acknowledged stays so, and no more is than was asked for.
func TestAckFailedAcknowledgesTheFirstSoMany(t *testing.T) {
	play(t, machineOf(5), "crash:3@t10,crash:1@t30,crash:4@t50", func(world *ulfm.Comm) {
		if world.Rank() != 0 {
			until(world, 200)
			return
		}
		until(world, 100)
		for _, c := range []struct{ count, acked int }{{0, 0}, {1, 1}, {0, 1}, {2, 2}, {1, 2}, {9, 3}, {0, 3}} {
			require.Equal(t, c.acked, world.AckFailed(c.count), "AckFailed(%d)", c.count)
			require.Equal(t, []int{3, 1, 4}[:c.acked], append([]int{}, world.GetAcked()...))
		}
	})
}

func TestGetFailedGrowsAtItsEndOnly(t *testing.T) {
	play(t, machineOf(6), "crash:5@t10,crash:1@t30,crash:4@t50", func(world *ulfm.Comm) {
		var last []int
		for world.Proc().Now() < 100 {
			if world.Rank() != 0 || world.Proc().Now() >= 60 { // rank 0 learns of all at once
				failed := world.GetFailed()
				require.True(t, slices.Equal(last, failed[:len(last)]), "%v, then %v", last, failed)
				last = slices.Clone(failed)
				slices.Reverse(failed) // what the caller does with it is its own affair
			}
			world.Spend(2)
		}
		want := []int{5, 1, 4}
		require.Equal(t, want, world.GetFailed())
		require.Empty(t, world.GetAcked())
		world.FailureAck()
		slices.Reverse(world.GetAcked())
		require.Equal(t, want, world.GetAcked())
	})
}

func TestAcknowledgementsBelongToOneCommunicator(t *testing.T) {
	play(t, machineOf(3), "crash:2@t50", func(world *ulfm.Comm) {
		c, err := world.Create([]int{0, 1, 2})
		require.NoError(t, err)
		until(world, 60)
		world.FailureAck()
		require.Equal(t, []int{2}, world.GetAcked())
		require.Empty(t, c.GetAcked())
		_, err = c.Agree(1)
		requireFailed(t, err, 2)
		_, err = world.Agree(1)
		require.NoError(t, err)
	})
}

func TestAgreeIsQuietOnlyIfAllHaveAcknowledged(t *testing.T) {
	const ranks = 5
	for silent := -1; silent < ranks-1; silent++ { // who does not acknowledge
		play(t, machineOf(ranks), "crash:4@t0", func(world *ulfm.Comm) {
			me := world.Rank()
			if me != silent {
				world.FailureAck()
			}
			flags, err := world.Agree(allBut(me))
			require.Equal(t, allBut(0, 1, 2, 3), flags)
			if silent < 0 {
				require.NoError(t, err)
			} else {
				requireFailed(t, err, 4)
			}
			require.Equal(t, []int{4}, world.GetFailed())
		})
	}
}

func TestAgreeReportsWhatOnlyOneMemberKnows(t *testing.T) {
	// Rank 3 votes and fails. Rank 2, which has its vote, and all others but rank 1 learn of it
	// by the agreement; rank 1 has asked before it voted.
	var errs [4]error
	play(t, machineOf(4), "crash:3@after-send1", func(world *ulfm.Comm) {
		me := world.Rank()
		if me == 1 {
			until(world, 30)
			require.Equal(t, []int{3}, world.GetFailed())
		}
		var flags int64
		flags, errs[me] = world.Agree(allBut(me))
		require.Equal(t, allBut(0, 1, 2, 3), flags, "rank 3 took part")
	})
	for _, rank := range []int{0, 1, 2} {
		requireFailed(t, errs[rank], 3)
	}
}

func TestAfterAgreeEverybodyKnowsWhoDidNotTakePart(t *testing.T) {
	for dead := range 6 {
		var known [6][]int
		rep := play(t, machineOf(6), "crash:"+string(rune('0'+dead))+"@before-send1", func(world *ulfm.Comm) {
			flags, err := world.Agree(allBut(world.Rank()))
			requireFailed(t, err, dead)
			require.NotZero(t, flags&(1<<dead))
			known[world.Rank()] = world.GetFailed()
		})
		for _, rank := range live(rep) {
			require.Equal(t, []int{dead}, known[rank])
		}
	}
}

func TestShrinkLeavesOutWhoAMemberWasToldOfBeforeItCalled(t *testing.T) {
	// Rank 3 votes and fails. Rank 1 waits for it before, so it is told while it computes.
	var left [4][]int
	play(t, machineOf(4), "crash:3@after-send2", func(world *ulfm.Comm) {
		me := world.Rank()
		switch me {
		case 1:
			_, err := world.Recv(3, 0)
			require.NoError(t, err)
			until(world, 50)
		case 3:
			until(world, 10)
			require.NoError(t, world.Send(1, 0, ""))
		}
		c, err := world.Shrink()
		require.NoError(t, err)
		left[me] = c.Left()
	})
	require.Equal(t, [4][]int{{3}, {3}, {3}, nil}, left)
}
