package ulfm_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

func TestGroupsAreOrderedSetsOfProcesses(t *testing.T) {
	play(t, machineOf(5), "", func(world *ulfm.Comm) {
		if world.Rank() != 3 {
			return
		}
		all := world.Group()
		require.Equal(t, 5, all.Size())
		require.Equal(t, 3, all.Rank())
		some := all.Incl(4, 3, 1)
		require.Equal(t, []int{4, 3, 1}, some.MachineRanks())
		require.Equal(t, 1, some.Rank())
		rest := all.Excl(4, 3, 1)
		require.Equal(t, []int{0, 2}, rest.MachineRanks())
		require.Equal(t, ulfm.Undefined, rest.Rank())
		require.Equal(t, []int{4, 3, 1, 0, 2}, some.Union(all).MachineRanks())
		require.Equal(t, []int{1, 3, 4}, all.Intersection(some).MachineRanks())
		require.Equal(t, []int{0, 2}, all.Difference(some).MachineRanks())
		require.Equal(t, []int{2, ulfm.Undefined, 0, ulfm.None}, all.TranslateRanks([]int{1, 2, 4, ulfm.None}, some))
		require.Equal(t, ulfm.Ident, some.Compare(all.Incl(4, 3, 1)))
		require.Equal(t, ulfm.Similar, some.Compare(all.Incl(1, 3, 4)))
		require.Equal(t, ulfm.Unequal, some.Compare(all.Incl(1, 3, 0)))
		require.Equal(t, ulfm.Unequal, some.Compare(all))
		require.Zero(t, all.Difference(all).Size())
		require.PanicsWithValue(t, "ulfm: Incl of rank 5 of a group, want 0 to 4", func() { all.Incl(5) })
		require.PanicsWithValue(t, "ulfm: Excl of ranks [1 1] of a group, want each once", func() { all.Excl(1, 1) })
	})
}

func TestCommunicatorsAreCompared(t *testing.T) {
	play(t, machineOf(4), "crash:3@step:die", func(world *ulfm.Comm) {
		require.Equal(t, ulfm.Ident, world.Compare(world))
		dup, err := world.Dup()
		require.NoError(t, err)
		require.Equal(t, ulfm.Congruent, world.Compare(dup))
		back, err := world.Split(0, -world.Rank())
		require.NoError(t, err)
		require.Equal(t, ulfm.Similar, world.Compare(back))
		if world.Rank() == 3 {
			world.Proc().Step("die")
		}
		require.Error(t, world.Barrier())
		small, err := world.Shrink()
		require.NoError(t, err)
		require.Equal(t, ulfm.Unequal, world.Compare(small))
		require.Equal(t, []int{3}, world.Group().Difference(small.Group()).MachineRanks())
		require.Equal(t, "unequal", ulfm.Unequal.String())
	})
}

// One that was started anew is another process than the one that has failed.
func TestAGroupTellsTheLivesOfARankApart(t *testing.T) {
	play(t, machineOf(3), "crash:2@t0,rejoin:2@t100", func(world *ulfm.Comm) {
		old := world.Group()
		whole, err := world.Replace()
		require.NoError(t, err)
		require.Equal(t, 3, whole.Size())
		if whole.Rank() < 2 {
			require.Equal(t, []int{0, 1, ulfm.Undefined}, old.TranslateRanks([]int{0, 1, 2}, whole.Group()))
		}
	})
}

func TestOnlyThoseInTheGroupCallCreateGroup(t *testing.T) {
	play(t, machineOf(6), "", func(world *ulfm.Comm) {
		me := world.Rank()
		mine := world.Group().Incl(5, 2, 0)
		if me == 1 {
			return // takes part in nothing
		}
		if me == 3 || me == 4 {
			mine = world.Group().Incl(3, 4)
		}
		c, err := world.CreateGroup(mine, 0)
		require.NoError(t, err)
		require.Equal(t, mine.MachineRanks(), c.Members())
		sum, err := c.Allreduce([]int64{int64(me)}, ulfm.Sum)
		require.NoError(t, err)
		require.Equal(t, []int64{7}, sum) // 5+2+0 and 3+4
		again, err := world.CreateGroup(mine, 0)
		require.NoError(t, err)
		require.Equal(t, ulfm.Congruent, c.Compare(again))
	})
}

// That others have failed does not matter: all who are left make a communicator of themselves.
func TestCreateGroupIsNotDisturbedByFailuresOfOthers(t *testing.T) {
	play(t, machineOf(5), "crash:3@t0", func(world *ulfm.Comm) {
		require.Error(t, world.Barrier())
		c, err := world.CreateGroup(world.Group().Excl(3), 4)
		require.NoError(t, err)
		require.Equal(t, []int{0, 1, 2, 4}, c.Members())
		require.NoError(t, c.Barrier())
	})
}

func TestCreateGroupFailsWithItsMembersAndOnRevokedCommunicators(t *testing.T) {
	play(t, machineOf(5), "crash:3@t0", func(world *ulfm.Comm) {
		if c, err := world.CreateGroup(world.Group().Excl(1), 0); world.Rank() == 1 {
			require.NoError(t, err) // it is not in the group, and has nothing to do with it
			require.Nil(t, c)
		} else {
			requireFailed(t, err, 3)
		}
		world.Revoke()
		_, err := world.CreateGroup(world.Group().Incl(world.Rank()), 0) // nobody would have to be asked
		require.ErrorIs(t, err, ulfm.ErrRevoked)
	})
}

// Who gives another tag means another communicator: they wait for each other, as in MPI.
func TestCreateGroupWithAnotherTagIsAnotherCall(t *testing.T) {
	rep, err := tryRun(t, machineOf(2), "", ulfm.Program(func(world *ulfm.Comm) {
		_, _ = world.CreateGroup(world.Group(), int64(world.Rank()))
	}))
	require.NoError(t, err)
	require.Len(t, rep.Deadlocks, 2)
}

func TestMistakesInCreateGroupAreNamed(t *testing.T) {
	for want, main := range map[string]func(*ulfm.Comm){
		"CreateGroup of a group with rank 2 of the machine, which is no member of communicator 0.1": func(w *ulfm.Comm) {
			if small, _ := w.Create([]int{0, 1}); small != nil {
				_, _ = small.CreateGroup(w.Group(), 0)
			}
		},
		"CreateGroup of tag -3, want 0 or more": func(w *ulfm.Comm) { _, _ = w.CreateGroup(w.Group(), -3) },
	} {
		_, err := tryRun(t, machineOf(3), "", ulfm.Program(main))
		require.ErrorContains(t, err, want)
	}
}

// The way of MPICH's tests to a communicator without some ranks: try again with those who are left until all have it. What is left of
// attempts that have failed does no harm.
func TestCreateGroupAgainAndAgainStandsEverySingleFailure(t *testing.T) {
	const ranks = 5
	for _, detector := range []emu.Detection{{Delay: 4}, {Delay: 4, Spread: 60}} {
		t.Run(fmt.Sprint(detector), func(t *testing.T) {
			emutest.Run(t, emutest.Test{
				Machine: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: detector, Faults: 1, Kinds: []faults.Kind{faults.Crash}, Exact: true,
				New: func() emutest.Instance {
					members := make([][]int, ranks)
					return emutest.Instance{
						Program: ulfm.Program(func(world *ulfm.Comm) { members[world.Rank()] = regroup(world) }),
						Prepare: func() { clear(members) },
						Check: func(rep *report.Report) error {
							all := live(rep)
							for _, rank := range all {
								if !slices.Equal(members[rank], members[all[0]]) {
									return fmt.Errorf("rank %d has %v, rank %d %v", rank, members[rank], all[0], members[all[0]])
								}
							}
							if len(rep.Deadlocks) > 0 {
								return errors.New("ranks wait for ever")
							}
							return nil
						},
					}
				},
			})
		})
	}
}

// regroup has all make a communicator of those who are left, by CreateGroup.
func regroup(world *ulfm.Comm) []int {
	for {
		c, err := world.CreateGroup(world.Group().Excl(world.GetAcked()...), 1)
		flags := int64(1)
		if err != nil {
			flags = 0
		}
		world.FailureAck()
		if flags, err = world.Agree(flags); flags == 1 && err == nil {
			return c.Members()
		}
		// After Agree all know the same failures that they had not acknowledged.
		world.FailureAck()
		if _, err := world.Agree(1); err != nil {
			world.FailureAck()
		}
	}
}
