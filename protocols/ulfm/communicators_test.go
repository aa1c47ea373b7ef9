package ulfm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Creating a communicator fails on some members or on all; if it is to be uniform, on all or none.
func TestCreateFailsOnSomeOrAll(t *testing.T) {
	require.NotZero(t, createdByRanksThatDie(t, ulfm.UniformLocal), "it never failed on some only")
	require.Zero(t, createdByRanksThatDie(t, ulfm.UniformConstruct))
}

// createdByRanksThatDie lets each rank fail at several points of making a communicator, and counts
// how often some of the others have it and some have an error.
func createdByRanksThatDie(t *testing.T, uniform ulfm.Uniform) (differed int) {
	const ranks = 6
	var reached [2]int
	for rank := range ranks {
		for _, point := range []string{"t0", "t4", "before-send1", "after-send1", "recv1", "t60"} {
			var errs [ranks]error
			var size [ranks]int
			rep := play(t, machineOf(ranks), fmt.Sprintf("crash:%d@%s", rank, point), func(world *ulfm.Comm) {
				me := world.Rank()
				world.SetErrorUniform(uniform)
				c, err := world.Create([]int{0, 1, 2, 3, 4, 5})
				errs[me] = err
				if c != nil {
					size[me] = c.Size()
				}
			})
			survivors := live(rep)
			var have, lack int
			for _, other := range survivors {
				if err := errs[other]; err != nil {
					requireFailed(t, err, rank)
					lack++
				} else {
					require.Equal(t, ranks, size[other])
					have++
				}
			}
			switch {
			case lack == 0:
				reached[0]++
			case have == 0:
				reached[1]++
			default:
				differed++
			}
		}
	}
	require.NotZero(t, reached[0], "it never succeeded")
	require.NotZero(t, reached[1], "it never failed on all")
	return differed
}

func TestGroupsWithoutACommonMemberAreCreatedAtOnce(t *testing.T) {
	groups := [][]int{{0, 3, 6}, {1, 4}, {2, 5}}
	play(t, machineOf(8), "none", func(world *ulfm.Comm) {
		me := world.Rank()
		group := groups[me%3]
		if me == 7 {
			group = nil
		}
		c, err := world.Create(group)
		require.NoError(t, err)
		if me == 7 {
			require.Nil(t, c)
		} else {
			require.Equal(t, group, members(c))
			require.Equal(t, me/3, c.Rank())
			flags, err := c.Agree(allBut(me))
			require.NoError(t, err)
			require.Equal(t, allBut(group...), flags)
			require.NoError(t, broadcastParts(c, 0))
			next, err := c.Create([]int{0, 1}) // the numbers of these communicators may be the same
			require.NoError(t, err)
			if next != nil {
				_, err = next.Agree(1)
				require.NoError(t, err)
			}
		}
		all, err := world.Create([]int{0, 1, 2, 3, 4, 5, 6, 7})
		require.NoError(t, err)
		require.NoError(t, broadcastParts(all, 0))
	})
}

func TestMessagesWaitUntilTheirReceiverHasTheCommunicator(t *testing.T) {
	// Rank 0 has the decision first and uses it at once; to rank 1 it takes longer. The tree of 8
	// ranks: rank 0 tells 4, 2, 1.
	rep := play(t, machineOf(8), "none", func(world *ulfm.Comm) {
		c, err := world.Create([]int{0, 1, 7})
		require.NoError(t, err)
		if c == nil {
			return
		}
		switch c.Rank() {
		case 0:
			require.NoError(t, c.Send(2, 0, "early"))
			require.NoError(t, c.Send(1, 0, "not so early"))
			c.Revoke()
		case 2: // rank 7 of the machine is three messages away from the root
			world.Proc().Step("open")
			_, err := c.Recv(0, 0)
			require.ErrorIs(t, err, ulfm.ErrRevoked, "the revocation was early, too")
		}
	})
	var early int
	opened := false
	for _, e := range rep.Events {
		if e.Rank == 7 {
			opened = opened || e.Step == "open"
			if kind := ulfm.KindName(e.Msg); !opened && e.Epoch != 0 && (kind == "data" || kind == "revoke") {
				early++
			}
		}
	}
	require.NotZero(t, early, "nothing came early")
}

func TestEarlyMessagesAreReceived(t *testing.T) {
	play(t, machineOf(8), "none", func(world *ulfm.Comm) {
		c, err := world.Shrink()
		require.NoError(t, err)
		switch c.Rank() {
		case 0:
			require.NoError(t, c.Send(7, 0, "a"))
			require.NoError(t, c.Send(7, 0, "b"))
		case 7:
			for _, payload := range []string{"a", "b"} {
				got, err := c.Recv(0, 0)
				require.NoError(t, err)
				require.Equal(t, payload, got.Payload)
			}
		}
		_, err = c.Agree(1) // rank 0 enters it before rank 7 has c
		require.NoError(t, err)
	})
}

func TestMessagesStayInTheirCommunicator(t *testing.T) {
	play(t, machineOf(2), "none", func(world *ulfm.Comm) {
		c, err := world.Create([]int{0, 1})
		require.NoError(t, err)
		if world.Rank() == 0 {
			require.NoError(t, world.Send(1, 0, "world"))
			require.NoError(t, c.Send(1, 0, "c"))
			return
		}
		got, err := c.Recv(ulfm.AnySource, ulfm.AnyTag)
		require.NoError(t, err)
		require.Equal(t, "c", got.Payload)
		got, err = world.Recv(ulfm.AnySource, ulfm.AnyTag)
		require.NoError(t, err)
		require.Equal(t, "world", got.Payload)
	})
}

func TestRevokeConcernsOneCommunicator(t *testing.T) {
	play(t, machineOf(3), "none", func(world *ulfm.Comm) {
		c, err := world.Shrink()
		require.NoError(t, err)
		if c.Rank() == 2 {
			c.Revoke()
		}
		_, err = c.Recv(0, 0)
		require.ErrorIs(t, err, ulfm.ErrRevoked)
		require.False(t, world.Revoked())
		require.NoError(t, broadcastParts(world, 0))
	})
}

func TestShrinkLoopsUntilOneIsLeft(t *testing.T) {
	const ranks = 7
	schedule := ""
	for rank := range ranks - 1 {
		schedule += fmt.Sprintf("crash:%d@step:round#%d,", rank, rank+1)
	}
	sizes := make([][]int, ranks)
	play(t, machineOf(ranks), schedule[:len(schedule)-1], func(world *ulfm.Comm) {
		me, c := world.Rank(), world
		for c.Size() > 1 {
			c.Proc().Step("round")
			c.Spend(2 * hop)
			c.GetFailed()
			var err error
			c, err = c.Shrink()
			require.NoError(t, err)
			require.Equal(t, me, c.MachineRank(c.Rank()))
			member, ok := c.Member(me)
			require.True(t, ok)
			require.Equal(t, c.Rank(), member)
			sizes[me] = append(sizes[me], c.Size())
		}
		flags, err := c.Agree(5)
		require.NoError(t, err)
		require.EqualValues(t, 5, flags)
	})
	require.Equal(t, []int{6, 5, 4, 3, 2, 1}, sizes[ranks-1])
}

// Communicators that have a member in common are never the same, whoever makes them.
func TestCommunicatorsAreToldApart(t *testing.T) {
	play(t, machineOf(4), "none", func(world *ulfm.Comm) {
		me := world.Rank()
		low, err := world.Split(me/2, 0)
		require.NoError(t, err)
		inner, err := world.Create([]int{1, 2})
		require.NoError(t, err)
		both := []*ulfm.Comm{low}
		if inner != nil {
			both = append(both, inner)
		}
		shrinking := make([]*ulfm.Request, len(both)) // at the same time
		for i, c := range both {
			shrinking[i] = c.Ishrink()
		}
		_, err = ulfm.Waitall(shrinking...)
		require.NoError(t, err)
		names := map[string]bool{world.String(): true}
		for i, c := range both {
			names[c.String()], names[shrinking[i].Comm().String()] = true, true
			flags, err := shrinking[i].Comm().Agree(allBut(me))
			require.NoError(t, err)
			require.Equal(t, allBut(members(c)...), flags)
		}
		require.Len(t, names, 1+2*len(both))
	})
}
