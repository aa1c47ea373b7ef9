package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestMessagesMatchPostedReceivesInTheOrderOfPosting(t *testing.T) {
	play(t, machineOf(3), "none", func(world *ulfm.Comm) {
		if me := world.Rank(); me > 0 {
			until(world, 100*hop.Times(me))
			for tag, payload := range []string{"a", "b", "c"} {
				require.NoError(t, world.Send(0, int64(tag), payload))
			}
			return
		}
		requests := []*ulfm.Request{
			world.Post(1, 2),                        // the third of rank 1
			world.Post(ulfm.AnySource, ulfm.AnyTag), // the first of all
			world.Post(2, ulfm.AnyTag),              // the first of rank 2
			world.Post(ulfm.AnySource, 1),           // the second of rank 1
			world.Post(ulfm.AnySource, 1),           // the second of rank 2
		}
		want := []ulfm.Received{{1, 2, "c"}, {1, 0, "a"}, {2, 0, "a"}, {1, 1, "b"}, {2, 1, "b"}}
		for i := range requests {
			got, err := requests[len(requests)-1-i].Wait() // the order of waiting says nothing
			require.NoError(t, err)
			require.Equal(t, want[len(want)-1-i], got)
		}
		got, err := world.Recv(ulfm.AnySource, ulfm.AnyTag)
		require.NoError(t, err)
		require.Equal(t, ulfm.Received{From: 2, Tag: 2, Payload: "c"}, got)
	})
}

func TestReceivesTakeTheFirstThatHasArrived(t *testing.T) {
	play(t, machineOf(3), "none", func(world *ulfm.Comm) {
		if me := world.Rank(); me > 0 {
			until(world, 20*hop.Times(3-me)) // rank 2 is first
			require.NoError(t, world.Send(0, 1, "first"))
			require.NoError(t, world.Send(0, 2, "second"))
			return
		}
		until(world, 500)
		for _, want := range []struct {
			from int
			tag  int64
			got  ulfm.Received
		}{
			{ulfm.AnySource, 2, ulfm.Received{From: 2, Tag: 2, Payload: "second"}},
			{1, ulfm.AnyTag, ulfm.Received{From: 1, Tag: 1, Payload: "first"}},
			{ulfm.AnySource, ulfm.AnyTag, ulfm.Received{From: 2, Tag: 1, Payload: "first"}},
			{ulfm.AnySource, ulfm.AnyTag, ulfm.Received{From: 1, Tag: 2, Payload: "second"}},
		} {
			probed, err := world.Probe(want.from, want.tag)
			require.NoError(t, err)
			require.Equal(t, want.got, probed)
			got, err := world.Recv(want.from, want.tag)
			require.NoError(t, err)
			require.Equal(t, want.got, got)
		}
	})
}

func TestDataAndPartsDoNotMatchEachOther(t *testing.T) {
	play(t, machineOf(2), "none", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			require.NoError(t, world.SendPart(0, 0, "part"))
			require.NoError(t, world.Send(0, 0, "data"))
			return
		}
		probed, err := world.Probe(ulfm.AnySource, ulfm.AnyTag)
		require.NoError(t, err)
		require.Equal(t, "data", probed.Payload)
		got, err := world.Recv(ulfm.AnySource, ulfm.AnyTag)
		require.NoError(t, err)
		require.Equal(t, "data", got.Payload)
		got, err = world.RecvPart(ulfm.AnySource, ulfm.AnyTag)
		require.NoError(t, err)
		require.Equal(t, "part", got.Payload)
	})
}

func TestACancelledReceiveLeavesTheMessageToOthers(t *testing.T) {
	play(t, machineOf(2), "none", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			until(world, 50)
			require.NoError(t, world.Send(0, 0, "kept"))
			return
		}
		world.Post(1, 0).Cancel()
		got, err := world.Recv(1, 0)
		require.NoError(t, err)
		require.Equal(t, "kept", got.Payload)
	})
}

func TestAReceiveThatFailedLeavesNothingPosted(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			until(world, 50)
			require.NoError(t, world.Send(0, 0, "kept"))
			return
		}
		_, err := world.Recv(ulfm.AnySource, 0)
		requireFailed(t, err, 2)
		got, err := world.Recv(1, 0) // would wait for ever if the first one had taken it
		require.NoError(t, err)
		require.Equal(t, "kept", got.Payload)
	})
}

func TestAPendingReceiveStaysMatchableWithoutAnAcknowledgement(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			until(world, 50)
			require.NoError(t, world.Send(0, 0, "first"))
			require.NoError(t, world.Send(0, 0, "second"))
			return
		}
		request := world.Post(ulfm.AnySource, 0)
		for range 2 {
			_, err := request.Wait()
			require.ErrorIs(t, err, ulfm.ErrProcFailedPending)
		}
		until(world, 100)
		got, err := world.Recv(1, 0)
		require.NoError(t, err)
		require.Equal(t, "second", got.Payload)
		got, err = request.Wait()
		require.NoError(t, err)
		require.Equal(t, "first", got.Payload)
	})
}

func TestEveryNewFailureMakesAnySourcePendingAgain(t *testing.T) {
	play(t, machineOf(4), "crash:2@t20,crash:3@t60", func(world *ulfm.Comm) {
		switch world.Rank() {
		case 1:
			until(world, 100)
			require.NoError(t, world.Send(0, 0, ""))
		case 2, 3:
			until(world, 1000)
		case 0:
			request := world.Post(ulfm.AnySource, 0)
			for i, known := range []struct {
				at     int64
				failed []int
			}{{20, []int{2}}, {60, []int{2, 3}}} {
				_, err := request.Wait()
				require.ErrorIs(t, err, ulfm.ErrProcFailedPending)
				require.EqualValues(t, known.at+int64(hop)+1, world.Proc().Now(), "a call that fails takes a tick")
				require.Len(t, world.GetAcked(), i)
				world.FailureAck()
				require.Equal(t, known.failed, world.GetAcked())
			}
			_, err := request.Wait()
			require.NoError(t, err)
			require.EqualValues(t, 100+hop, world.Proc().Now())
		}
	})
}

func TestAMessageToItselfCostsNothing(t *testing.T) {
	rep := play(t, machineOf(1), "none", func(world *ulfm.Comm) {
		request := world.Post(0, 3)
		require.NoError(t, world.Send(0, 3, "note"))
		got, err := request.Wait()
		require.NoError(t, err)
		require.Equal(t, ulfm.Received{From: 0, Tag: 3, Payload: "note"}, got)
		require.Zero(t, world.Proc().Now())
	})
	require.Zero(t, rep.Messages)
}

func TestNobodyIsAPeerThatHasNothing(t *testing.T) {
	rep := play(t, machineOf(2), "none", func(world *ulfm.Comm) {
		require.NoError(t, world.Send(ulfm.None, 0, "dropped"))
		for _, receive := range []func(int, int64) (ulfm.Received, error){
			world.Recv, world.RecvPart, world.Probe,
			func(from int, tag int64) (ulfm.Received, error) { return world.Post(from, tag).Wait() },
		} {
			got, err := receive(ulfm.None, 0)
			require.NoError(t, err)
			require.Equal(t, ulfm.Received{From: ulfm.None}, got)
		}
	})
	require.Zero(t, rep.Messages)
}

func TestAnySourceAsksForFailuresAtOnce(t *testing.T) {
	play(t, machineOf(2), "crash:1@t10", func(world *ulfm.Comm) {
		until(world, 50)
		_, err := world.Recv(ulfm.AnySource, 0)
		requireFailed(t, err, 1)
		require.EqualValues(t, 51, world.Proc().Now(), "a call that fails takes a tick")
	})
}

func TestAProbeOfAnySourceNamesWhatIsNotAcknowledged(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0,crash:1@t30", func(world *ulfm.Comm) {
		if world.Rank() > 0 {
			until(world, 100)
		}
		world.FailureAck()
		_, err := world.Probe(ulfm.AnySource, 0)
		requireFailed(t, err, 1)
		require.EqualValues(t, 30+hop+1, world.Proc().Now())
	})
}
