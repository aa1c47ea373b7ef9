package ulfm_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Rank 0 waits for what ranks 1, 2 and 3 send at t=100, 50 and never: rank 3 fails at t=200.
func threeSenders(t *testing.T, receive func(world *ulfm.Comm)) {
	t.Helper()
	play(t, machineOf(4), "crash:3@t200", func(world *ulfm.Comm) {
		switch me := world.Rank(); me {
		case 0:
			receive(world)
		case 3:
			until(world, 1000)
		default:
			until(world, 150-50*clock.Time(me))
			require.NoError(t, world.Send(0, 0, fmt.Sprint(me)))
		}
	})
}

func TestWaitanyReturnsWhatIsCompleteFirst(t *testing.T) {
	threeSenders(t, func(world *ulfm.Comm) {
		all := []*ulfm.Request{nil, world.Irecv(1, 0), world.Irecv(2, 0), world.Irecv(3, 0)}
		for _, want := range []struct {
			index int
			at    clock.Time
		}{{2, 50 + hop}, {1, 100 + hop}} {
			index, got, err := ulfm.Waitany(all...)
			require.NoError(t, err)
			require.Equal(t, want.index, index)
			require.Equal(t, ulfm.Received{From: index, Payload: fmt.Sprint(index)}, got)
			require.Equal(t, want.at, world.Proc().Now())
		}
		index, _, err := ulfm.Waitany(all...)
		require.Equal(t, 3, index)
		requireFailed(t, err, 3)
		index, _, err = ulfm.Waitany(all...)
		require.Equal(t, -1, index, "none is left")
		require.NoError(t, err)
		_, err = all[3].Wait()
		requireFailed(t, err, 3)
	})
}

func TestWaitsomeReturnsAllThatAreComplete(t *testing.T) {
	threeSenders(t, func(world *ulfm.Comm) {
		all := []*ulfm.Request{world.Irecv(1, 0), world.Irecv(2, 0), world.Irecv(3, 0)}
		until(world, 120)
		indices, got, err := ulfm.Waitsome(all...)
		require.NoError(t, err)
		require.Equal(t, []int{0, 1}, indices)
		require.Equal(t, []ulfm.Received{{From: 1, Payload: "1"}, {From: 2, Payload: "2"}}, got)
		indices, _, err = ulfm.Waitsome(all...)
		require.Equal(t, []int{2}, indices)
		require.ErrorIs(t, err, ulfm.ErrProcFailed)
		indices, _, err = ulfm.Waitsome(all...)
		require.Empty(t, indices)
		require.NoError(t, err)
	})
}

func TestWaitallTellsWhatHasBecomeOfEach(t *testing.T) {
	threeSenders(t, func(world *ulfm.Comm) {
		got, err := ulfm.Waitall(world.Irecv(1, 0), nil, world.Irecv(2, 0))
		require.NoError(t, err)
		require.Equal(t, []ulfm.Received{{From: 1, Payload: "1"}, {}, {From: 2, Payload: "2"}}, got)
		require.Equal(t, 100+hop, world.Proc().Now())

		waiting := world.Irecv(1, 9)
		all := []*ulfm.Request{waiting, world.Irecv(3, 0), world.Isend(1, 0, "")}
		_, err = ulfm.Waitall(all...)
		var status *ulfm.StatusError
		require.ErrorAs(t, err, &status)
		require.Equal(t, ulfm.ErrPending, status.Errors[0])
		requireFailed(t, status.Errors[1], 3)
		require.NoError(t, status.Errors[2])
		require.ErrorIs(t, err, ulfm.ErrProcFailed)
		require.NotErrorIs(t, err, ulfm.ErrPending)
		require.EqualError(t, err, "ulfm: operation 1 of 3 has failed: ulfm: rank 3 has failed")
		waiting.Cancel()
	})
}

// A program that tests until something has come sees it come.
func TestTestAndIprobeTakeTime(t *testing.T) {
	threeSenders(t, func(world *ulfm.Comm) {
		for there := false; !there; {
			var err error
			_, there, err = world.Iprobe(2, 0)
			require.NoError(t, err)
		}
		require.Equal(t, 50+hop, world.Proc().Now())
		got, err := world.Recv(2, 0)
		require.NoError(t, err)
		require.Equal(t, "2", got.Payload)

		request := world.Irecv(1, 0)
		for done := false; !done; {
			got, done, err = request.Test()
			require.NoError(t, err)
		}
		require.Equal(t, "1", got.Payload)
		require.Equal(t, 100+hop, world.Proc().Now())
		again, done, err := request.Test()
		require.NoError(t, err)
		require.True(t, done)
		require.Equal(t, got, again)

		for request, done = world.Irecv(3, 0), false; !done; {
			_, done, err = request.Test()
		}
		requireFailed(t, err, 3)
		_, _, err = world.Iprobe(3, 0)
		requireFailed(t, err, 3)
	})
}

func TestAPendingReceiveCanBeTestedAgain(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0", func(world *ulfm.Comm) {
		if world.Rank() == 1 {
			until(world, 50)
			require.NoError(t, world.Send(0, 0, "late"))
			return
		}
		request := world.Irecv(ulfm.AnySource, 0)
		_, done, err := request.Test()
		require.False(t, done)
		require.ErrorIs(t, err, ulfm.ErrProcFailedPending)
		require.Equal(t, 1, world.AckFailed(1))
		for !done {
			_, done, err = request.Test()
			require.NoError(t, err)
		}
	})
}

// A send to a rank that has failed begins well; its request fails.
func TestIsendFailsWhenItIsWaitedFor(t *testing.T) {
	play(t, machineOf(2), "crash:1@t0", func(world *ulfm.Comm) {
		request := world.Isend(1, 0, "")
		_, err := request.Wait()
		requireFailed(t, err, 1)
	})
}

// Each sends to the next and receives from the one before. What is sent is sent though the receive
// fails.
func TestSendrecvSendsThoughTheReceiveFails(t *testing.T) {
	const ranks = 4
	var errs [ranks]error
	play(t, machineOf(ranks), "crash:3@t0", func(world *ulfm.Comm) {
		me := world.Rank()
		_, errs[me] = world.Sendrecv((me+1)%ranks, 0, "", (me+ranks-1)%ranks, 0)
	})
	requireFailed(t, errs[0], 3)
	require.NoError(t, errs[1])
	requireFailed(t, errs[2], 3)
}

func TestAgreementsGoOnWhileTheProgramDoesOtherThings(t *testing.T) {
	const ranks = 5
	play(t, machineOf(ranks), "crash:4@before-send1", func(world *ulfm.Comm) {
		me := world.Rank()
		first, second, shrinking := world.Iagree(allBut(me)), world.Iagree(int64(me)), world.Ishrink()
		if me < 4 {
			_, err := world.Sendrecv(me^1, 0, "", me^1, 0)
			require.NoError(t, err)
		}
		_, err := shrinking.Wait()
		require.NoError(t, err)
		_, err = second.Wait()
		requireFailed(t, err, 4)
		require.Zero(t, second.Flags())
		_, err = first.Wait()
		requireFailed(t, err, 4)
		require.Subset(t, shrinking.Comm().Members(), []int{0, 1, 2, 3})
		flags, err := shrinking.Comm().Agree(allBut(me))
		if shrinking.Comm().Size() == 4 {
			require.NoError(t, err)
		}
		require.Equal(t, allBut(0, 1, 2, 3), flags)
	})
}

func TestTestTellsThatThePeerHasFailed(t *testing.T) {
	play(t, machineOf(3), "crash:1@t20", func(world *ulfm.Comm) {
		if world.Rank() != 0 {
			until(world, 200)
			return
		}
		request := world.Irecv(1, 0)
		_, done, err := request.Test()
		require.NoError(t, err)
		require.False(t, done)
		until(world, 60)
		_, done, err = request.Test()
		require.True(t, done)
		requireFailed(t, err, 1)
		any := world.Irecv(ulfm.AnySource, 0)
		_, done, err = any.Test()
		require.False(t, done, "it may still succeed")
		require.ErrorIs(t, err, ulfm.ErrProcFailedPending)
		any.Cancel()
	})
}

func TestABarrierWaitsForAllAndFailsOnAll(t *testing.T) {
	const ranks = 7
	play(t, machineOf(ranks), "crash:5@t200", func(world *ulfm.Comm) {
		me := world.Rank()
		until(world, 10*clock.Time(me))
		require.NoError(t, world.Barrier())
		require.GreaterOrEqual(t, world.Proc().Now(), clock.Time(10*(ranks-1)))
		if me == 3 {
			until(world, 100)
		}
		_, err := world.Ibarrier().Wait()
		require.NoError(t, err)
		require.GreaterOrEqual(t, world.Proc().Now(), clock.Time(100))
		until(world, 180)
		if me == 5 {
			until(world, 300)
		}
		requireFailed(t, world.Barrier(), 5)
		requireFailed(t, world.Barrier(), 5)
	})
}

func TestErrorHandlersHearOfEveryError(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0", func(world *ulfm.Comm) {
		var heard []string
		world.SetErrhandler(func(c *ulfm.Comm, err error) {
			require.ErrorIs(t, err, ulfm.ErrProcFailed)
			heard = append(heard, c.String())
		})
		require.Error(t, world.Send(2, 0, ""))
		smaller, err := world.Shrink()
		require.NoError(t, err)
		require.NoError(t, smaller.Barrier())
		_, err = world.Agree(1)
		require.Error(t, err)
		require.Equal(t, []string{"world", "world"}, heard)
		smaller.SetErrhandler(ulfm.ErrorsReturn)
		smaller.Revoke()
		require.ErrorIs(t, smaller.Barrier(), ulfm.ErrRevoked)
		require.Len(t, heard, 2)
	})
}

func TestErrorsAbortEndsTheRun(t *testing.T) {
	for name, main := range map[string]func(*ulfm.Comm){
		"ulfm: rank 0 aborts the run, on world: ulfm: rank 1 has failed": func(world *ulfm.Comm) {
			world.SetErrhandler(ulfm.ErrorsAbort)
			_, _ = world.Recv(1, 0)
		},
		"ulfm: rank 0 aborts the run, on world: ulfm: the program has aborted with code 7": func(world *ulfm.Comm) { world.Abort(7) },
	} {
		_, err := tryRun(t, machineOf(2), "crash:1@t0", ulfm.Program(main))
		var panicked *emu.PanicError
		require.ErrorAs(t, err, &panicked)
		aborted, ok := panicked.Value.(*ulfm.AbortError)
		require.True(t, ok)
		require.EqualError(t, aborted, name)
		require.Equal(t, errors.Is(aborted, ulfm.ErrProcFailed), aborted.Err.Error() == "ulfm: rank 1 has failed")
	}
}

func TestSplitPutsThoseOfOneColourInTheOrderOfTheirKeys(t *testing.T) {
	const ranks = 7
	play(t, machineOf(ranks), "none", func(world *ulfm.Comm) {
		me := world.Rank()
		colour, key := me%2, -me
		if me == 6 {
			colour = ulfm.Undefined
		}
		c, err := world.Split(colour, key)
		require.NoError(t, err)
		want := [][]int{{4, 2, 0}, {5, 3, 1}}[me%2]
		if me == 6 {
			require.Nil(t, c)
			return
		}
		require.Equal(t, want, c.Members())
		got, err := c.Sendrecv((c.Rank()+1)%3, 0, fmt.Sprint(me), (c.Rank()+2)%3, 0)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(want[(c.Rank()+2)%3]), got.Payload)
		other, err := c.Dup()
		require.NoError(t, err)
		require.Equal(t, want, other.Members())
		require.NotEqual(t, c.String(), other.String())
		flags, err := other.Agree(allBut(me))
		require.NoError(t, err)
		require.Equal(t, allBut(want...), flags)
		c.Free()
		require.NoError(t, other.Barrier())
		other.Free()
	})
}

func TestAnIntercommConnectsTwoHalves(t *testing.T) {
	const ranks = 5
	play(t, machineOf(ranks), "none", func(world *ulfm.Comm) {
		me := world.Rank()
		half, err := world.Split(me%2, me) // 0 2 4 and 1 3, led by 4 and 1
		require.NoError(t, err)
		inter, err := half.IntercommCreate([]int{2, 0}[me%2], world, []int{1, 4}[me%2], 3)
		require.NoError(t, err)
		sides := [][]int{{0, 2, 4}, {1, 3}}
		require.Equal(t, sides[me%2], inter.Members())
		require.Equal(t, sides[1-me%2], inter.RemoteMembers())
		require.Equal(t, half.Rank(), inter.Rank())
		if half.Rank() < 2 {
			require.NoError(t, inter.Send(half.Rank(), 0, fmt.Sprint(me)))
			got, err := inter.Recv(ulfm.AnySource, 0)
			require.NoError(t, err)
			require.Equal(t, ulfm.Received{From: half.Rank(), Payload: fmt.Sprint(me ^ 1)}, got)
		}
		require.NoError(t, inter.Barrier())
		flags, err := inter.Agree(int32(allBut(me)))
		require.NoError(t, err)
		require.Equal(t, int32(allBut(sides[1-me%2]...)), flags, "of the other side")
		merged, err := inter.Merge(me%2 == 1)
		require.NoError(t, err)
		require.Equal(t, []int{0, 2, 4, 1, 3}, merged.Members())
		back, err := inter.Merge(me%2 == 0)
		require.NoError(t, err)
		require.Equal(t, []int{1, 3, 0, 2, 4}, back.Members())
		require.NoError(t, merged.Barrier())
	})
}

// Of two leaders one fails before they have met: nobody waits for ever.
func TestAnIntercommWhoseLeaderFailsIsAnErrorForAll(t *testing.T) {
	var errs [4]error
	play(t, machineOf(4), "crash:2@step:split", func(world *ulfm.Comm) {
		me := world.Rank()
		half, err := world.Split(me/2, me)
		require.NoError(t, err)
		world.Proc().Step("split")
		_, errs[me] = half.IntercommCreate(0, world, 2-me/2*2, 3)
	})
	for _, rank := range []int{0, 1, 3} {
		require.ErrorIs(t, errs[rank], ulfm.ErrProcFailed, "rank %d", rank)
	}
}
