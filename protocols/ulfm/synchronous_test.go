package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestASynchronousSendWaitsUntilAReceiveHasMatchedIt(t *testing.T) {
	play(t, machineOf(3), "", func(world *ulfm.Comm) {
		switch world.Rank() {
		case 0:
			require.NoError(t, world.Ssend(1, 7, "first"))
			require.Equal(t, 50+hop, world.Proc().Now()) // the answer's way
			request := world.Issend(1, 8, "second")
			_, done, err := request.Test()
			require.NoError(t, err)
			require.False(t, done)
			_, err = request.Wait()
			require.NoError(t, err)
			require.GreaterOrEqual(t, world.Proc().Now(), clock.Time(100))
		case 1:
			until(world, 50)
			got, err := world.Recv(0, ulfm.AnyTag)
			require.NoError(t, err)
			require.Equal(t, ulfm.Received{From: 0, Tag: 7, Payload: "first"}, got)
			until(world, 90)
			got, err = world.Probe(ulfm.AnySource, 8) // a look is no receive
			require.NoError(t, err)
			require.Equal(t, "second", got.Payload)
			until(world, 100)
			got, err = world.Irecv(0, 8).Wait()
			require.NoError(t, err)
			require.Equal(t, "second", got.Payload)
		}
	})
}

// Messages of one sender are matched in the order in which they were sent, whatever they were sent by.
func TestSynchronousMessagesAreNotOvertaken(t *testing.T) {
	play(t, machineOf(2), "", func(world *ulfm.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Send(1, 0, "a"))
			b := world.Issend(1, 0, "b")
			require.NoError(t, world.Send(1, 0, "c"))
			_, err := b.Wait()
			require.NoError(t, err)
			return
		}
		for _, want := range []string{"a", "b", "c"} {
			got, err := world.Recv(0, 0)
			require.NoError(t, err)
			require.Equal(t, want, got.Payload)
		}
	})
}

func TestSynchronousSendsToOneselfAndToNobody(t *testing.T) {
	rep := play(t, machineOf(1), "", func(world *ulfm.Comm) {
		receive := world.Irecv(0, 3)
		require.NoError(t, world.Ssend(0, 3, "me"))
		got, err := receive.Wait()
		require.NoError(t, err)
		require.Equal(t, "me", got.Payload)
		require.NoError(t, world.Ssend(ulfm.None, 3, ""))
		waiting := world.Issend(0, 3, "later")
		got, err = world.Recv(0, 3)
		require.NoError(t, err)
		require.Equal(t, "later", got.Payload)
		_, err = waiting.Wait()
		require.NoError(t, err)
	})
	require.Zero(t, rep.Messages, "its own memory is no network")
}

// Unlike Send, which may be over before anybody knows.
func TestASynchronousSendToARankThatFailsBeforeItReceivesFails(t *testing.T) {
	play(t, machineOf(3), "crash:1@t60,crash:2@t0", func(world *ulfm.Comm) {
		if world.Rank() != 0 {
			until(world, 100)
			return
		}
		require.NoError(t, world.Send(1, 0, ""))
		requireFailed(t, world.Ssend(1, 0, ""), 1)
		_, err := world.Issend(2, 0, "").Wait()
		requireFailed(t, err, 2)
	})
}

// A rank that fails besides is nobody's business here, and the receiver may fail once it has answered.
func TestASynchronousSendConcernsItsReceiverOnly(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0,crash:1@t25", func(world *ulfm.Comm) {
		switch world.Rank() {
		case 0:
			until(world, 10)
			require.NoError(t, world.Ssend(1, 0, ""))
			until(world, 60)
			require.Equal(t, []int{2, 1}, world.GetFailed())
		case 1:
			_, err := world.Recv(0, 0)
			require.NoError(t, err)
			until(world, 100)
		}
	})
}

func TestRevokeEndsASynchronousSend(t *testing.T) {
	play(t, machineOf(2), "", func(world *ulfm.Comm) {
		if world.Rank() == 0 {
			require.ErrorIs(t, world.Ssend(1, 0, ""), ulfm.ErrRevoked)
			return
		}
		until(world, 20)
		world.Revoke()
	})
}
