package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// connected splits six ranks into those with even and odd numbers and connects the two.
func connected(t *testing.T, world *ulfm.Comm) *ulfm.Intercomm {
	half, err := world.Split(world.Rank()%2, 0)
	require.NoError(t, err)
	inter, err := half.IntercommCreate(0, world, 1-world.Rank()%2, 0)
	require.NoError(t, err)
	return inter
}

func TestAMasterBetweenGroupsAcknowledgesFailuresAndGoesOn(t *testing.T) {
	play(t, machineOf(6), "crash:3@step:die", func(world *ulfm.Comm) {
		inter := connected(t, world)
		switch me := world.Rank(); {
		case me == 3:
			world.Proc().Step("die")
		case me%2 == 1:
			until(world, 200)
			require.NoError(t, inter.Ssend(0, 0, "hello"))
			_, err := inter.Isend(0, 1, "bye").Wait()
			require.NoError(t, err)
		case me == 0:
			_, err := inter.Recv(ulfm.AnySource, 0)
			require.ErrorIs(t, err, ulfm.ErrProcFailed)
			require.Equal(t, []int{3}, inter.GetFailed())
			require.Empty(t, inter.GetAcked())
			require.Equal(t, 0, inter.AckFailed(0))
			inter.FailureAck()
			require.Equal(t, []int{3}, inter.GetAcked())
			for _, member := range []int{0, 2} { // of ranks 1, 3 and 5
				got, err := inter.Probe(member, 0)
				require.NoError(t, err)
				require.Equal(t, member, got.From)
				got, there, err := inter.Iprobe(ulfm.AnySource, 0)
				require.NoError(t, err)
				require.True(t, there)
				require.Contains(t, []int{0, 2}, got.From)
				for tag := range int64(2) {
					got, err = inter.Recv(member, tag)
					require.NoError(t, err)
					require.Equal(t, member, got.From)
				}
			}
		}
	})
}

func TestShrinkOfAnIntercommLeavesFailedRanksOutOnBothSides(t *testing.T) {
	play(t, machineOf(6), "crash:0@step:die,crash:5@step:die", func(world *ulfm.Comm) {
		inter := connected(t, world)
		if me := world.Rank(); me == 0 || me == 5 {
			world.Proc().Step("die")
		}
		for len(inter.GetFailed()) < 2 {
			require.Error(t, inter.Barrier())
		}
		inter.Revoke()
		small, err := inter.Shrink()
		require.NoError(t, err)
		own, remote := []int{2, 4}, []int{1, 3}
		if world.Rank()%2 == 1 {
			own, remote = remote, own
		}
		require.Equal(t, own, small.Members())
		require.Equal(t, remote, small.RemoteMembers())
		require.Equal(t, remote, small.RemoteGroup().MachineRanks())
		require.NoError(t, small.Barrier())
		to := small.Rank()
		got, err := small.Sendrecv(to, 0, "hello", ulfm.AnySource, 0)
		require.NoError(t, err)
		require.Equal(t, ulfm.Received{From: to, Payload: "hello"}, got)
		receive, send := small.Irecv(to, 1), small.Issend(to, 1, "again")
		all, err := ulfm.Waitall(receive, send)
		require.NoError(t, err)
		require.Equal(t, []ulfm.Received{{From: to, Tag: 1, Payload: "again"}, {}}, all)
		whole, err := small.Merge(world.Rank()%2 == 0)
		require.NoError(t, err)
		require.Equal(t, []int{1, 3, 2, 4}, whole.Members())
	})
}

func TestAnErrorHandlerCanBePutBack(t *testing.T) {
	play(t, machineOf(2), "", func(world *ulfm.Comm) {
		require.NotNil(t, world.GetErrhandler())
		heard := 0
		world.SetErrhandler(func(*ulfm.Comm, error) { heard++ })
		before := world.GetErrhandler()
		world.SetErrhandler(ulfm.ErrorsReturn)
		world.Revoke()
		require.Error(t, world.Barrier())
		require.Zero(t, heard)
		world.SetErrhandler(before)
		require.Error(t, world.Barrier())
		require.Equal(t, 1, heard)
	})
}
