package ulfm

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// A program that shrinks, or makes other communicators, and frees those it needs no more does not
// remember them for ever: what is kept of one is dropped when all have gone on.
func TestCommunicatorsThatWereFreedAreForgotten(t *testing.T) {
	const ranks, times = 6, 20
	for name, next := range map[string]func(c *Comm) *Comm{
		"Shrink": func(c *Comm) *Comm {
			smaller, err := c.Shrink()
			require.NoError(t, err)
			return smaller
		},
		"Shrink of a revoked one": func(c *Comm) *Comm {
			c.Revoke()
			smaller, err := c.Shrink()
			require.NoError(t, err)
			return smaller
		},
		"Dup of the same, which agrees": func(c *Comm) *Comm {
			other, err := c.Dup()
			require.NoError(t, err)
			_, err = other.Agree(1)
			require.NoError(t, err)
			other.Free()
			return c
		},
		"Dup that nobody uses": func(c *Comm) *Comm {
			other, err := c.Dup()
			require.NoError(t, err)
			other.Free()
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			var most, early [ranks]int
			machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
			require.NoError(t, err)
			rep, err := machine.Run(context.Background(), Program(func(world *Comm) {
				me, c := world.Rank(), world
				for range times {
					following := next(c)
					if following != c && c != world {
						c.Free()
					}
					c = following
					_, err := c.Agree(1)
					require.NoError(t, err)
					most[me] = max(most[me], len(world.r.comms))
				}
				early[me] = len(world.r.seldom.early)
			}), emu.Options{Faults: faults.MustParse("none")})
			require.NoError(t, err)
			require.Empty(t, rep.Deadlocks)
			for rank := range ranks {
				require.LessOrEqual(t, most[rank], 3, fmt.Sprint("rank ", rank))
				require.Zero(t, early[rank])
			}
		})
	}
}

// What nobody has agreed on is forgotten at once, and so is all that belongs to it.
func TestAProgramThatNeverAgreesForgetsWhatItFrees(t *testing.T) {
	const ranks = 5
	var comms, ongoing, early [ranks]int
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), Program(func(world *Comm) {
		for range 20 {
			dup, err := world.Dup()
			require.NoError(t, err)
			sum := dup.Iallreduce([]int64{1}, Sum)
			small, err := dup.CreateGroup(dup.Group(), 0)
			require.NoError(t, err)
			require.NoError(t, small.Barrier())
			_, err = sum.Wait()
			require.NoError(t, err)
			small.Free()
			dup.Free()
		}
		require.NoError(t, world.Barrier())
		r := world.r
		comms[world.me], ongoing[world.me], early[world.me] = len(r.comms), len(r.seldom.ongoing), len(r.seldom.early)
	}), emu.Options{Faults: faults.MustParse("none")})
	require.NoError(t, err)
	require.Empty(t, rep.Deadlocks)
	for rank := range ranks {
		require.Equal(t, []int{1, 0, 0}, []int{comms[rank], ongoing[rank], early[rank]}, fmt.Sprint("rank ", rank))
	}
}

// Operations that have failed, or were given up with their communicator, leave nothing that a message could still match.
func TestOperationsThatAreOverExpectNothingMore(t *testing.T) {
	const ranks = 4
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
	require.NoError(t, err)
	_, err = machine.Run(context.Background(), Program(func(world *Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		if world.me == 0 { // nobody else enters it
			dup.Ibarrier()
			require.Len(t, world.r.seldom.ongoing, 1)
			dup.Free()
			world.GetFailed()
			require.Empty(t, world.r.seldom.ongoing)
		}
		if world.me == 3 {
			world.r.WaitUntil(60)
			world.Proc().Step("die")
		}
		world.r.WaitUntil(100)
		for _, call := range []func() error{
			func() error { _, err := world.Bcast("", 3); return err },
			func() error { _, err := world.Gather("", 0); return err },
			func() error { _, err := world.Alltoall(make([]string, ranks)); return err },
			func() error { _, err := world.Allreduce(nil, Sum); return err },
			func() error { return world.Ssend(3, 0, "") },
			func() error {
				request := world.Issend(3, 0, "")
				require.Empty(t, world.posted)
				_, err := request.Wait()
				return err
			},
		} {
			require.ErrorIs(t, call(), ErrProcFailed)
			require.Empty(t, world.posted)
		}
	}), emu.Options{Faults: faults.MustParse("crash:3@step:die")})
	require.NoError(t, err)
}
