package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestTestallAndTestanyDoNotWait(t *testing.T) {
	play(t, machineOf(3), "", func(world *ulfm.Comm) {
		if world.Rank() > 0 {
			until(world, 50)
			if world.Rank() == 2 {
				until(world, 100)
			}
			require.NoError(t, world.Send(0, 0, "x"))
			if world.Rank() == 1 {
				until(world, 200)
				require.NoError(t, world.Send(0, 1, "y"))
			}
			return
		}
		requests := []*ulfm.Request{nil, world.Irecv(1, 0), world.Irecv(2, 0)}
		index, _, done, err := ulfm.Testany(requests...)
		require.NoError(t, err)
		require.False(t, done)
		require.Equal(t, -1, index)
		until(world, 60)
		_, done, err = ulfm.Testall(requests...)
		require.NoError(t, err)
		require.False(t, done, "one of two is there")
		index, got, done, err := ulfm.Testany(requests...)
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, 1, index)
		require.Equal(t, 1, got.From)
		for done = false; !done; { // takes a tick each time
			var all []ulfm.Received
			all, done, err = ulfm.Testall(requests...)
			require.NoError(t, err)
			if done {
				require.Equal(t, 2, all[2].From)
			}
		}
		require.Equal(t, 100+hop, world.Proc().Now())
		again := world.Irecv(1, 1)
		for done = false; !done; { // as long as it takes, a tick each time
			index, _, done, err = ulfm.Testany(again)
			require.NoError(t, err)
		}
		require.Zero(t, index)
		require.Equal(t, 200+hop, world.Proc().Now())
		index, _, done, err = ulfm.Testany(requests...)
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, -1, index, "nothing is left")
		_, done, err = ulfm.Testall(requests...)
		require.NoError(t, err)
		require.True(t, done)
	})
}

func TestTestallAndTestanyTellOfFailures(t *testing.T) {
	play(t, machineOf(3), "crash:1@t0", func(world *ulfm.Comm) {
		if world.Rank() != 0 {
			return
		}
		until(world, 50)
		failing, waiting := world.Irecv(1, 0), world.Irecv(2, 0)
		_, done, err := ulfm.Testall(failing, waiting)
		require.False(t, done)
		var status *ulfm.StatusError
		require.ErrorAs(t, err, &status)
		requireFailed(t, status.Errors[0], 1)
		require.Equal(t, ulfm.ErrPending, status.Errors[1])
		index, _, done, err := ulfm.Testany(waiting, world.Irecv(1, 0))
		require.True(t, done)
		require.Equal(t, 1, index)
		requireFailed(t, err, 1)
		waiting.Cancel()
	})
}
