package collective_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// told is what a rank has heard of lost tasks in an operation.
type told struct {
	lost  []int
	gone  []int
	taken map[int]int
	past  collective.Past
	err   error
}

// hear has a rank of five crash at an instant of an AllReduce, and returns what the others have heard. Lost answers
// with an error if there is one.
func hear(t *testing.T, victim int, at clock.Time, wrong error) []told {
	t.Helper()
	const ranks = 5
	all := make([]told, ranks)
	labOf(t, emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 5}}, emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			team, mine := collective.NewTeam(world, collective.Options{}), &all[world.Rank()]
			_, mine.err = collective.AllReduce(team, collective.Input[[]int64]{
				Of:   func(task int) []int64 { return []int64{int64(task)} },
				Lost: func(tasks []int) error { mine.lost = append(mine.lost, tasks...); return wrong },
			}, collective.Elementwise(func(a, b int64) int64 { return a + b }))
			mine.gone, mine.taken, mine.past = team.Gone(), team.TakenOver(), team.Past()
		}),
	}).must(t, faults.Schedule{crash(victim, faults.OnTime(at))})
	return slices.Delete(all, victim, victim+1)
}

// An operation that is made of two tells of a lost task once, whichever of the two it was lost in, and on all ranks.
func TestALostTaskIsToldOnceInEveryPartOfAnOperation(t *testing.T) {
	whole := 0
	for at := clock.Time(0); whole < 5; at++ {
		all := hear(t, 2, at, nil)
		for _, one := range all {
			require.Equal(t, all[0], one, "t=%d", at)
			require.True(t, all[0].past == one.past, "t=%d", at)
			require.NoError(t, one.err)
			require.Equal(t, one.gone, one.lost, "t=%d", at)
			require.Len(t, one.taken, len(one.gone))
		}
		if len(all[0].gone) == 0 {
			whole++
		} else {
			require.Equal(t, []int{2}, all[0].gone)
			require.NotContains(t, []int{2}, all[0].taken[2])
		}
		require.Less(t, at, clock.Time(1000), "it does not end")
	}
}

// Who cannot restore what was lost says so, and the operation is over, whichever part of it that was.
func TestTasksThatCannotBeRestoredEndAnOperation(t *testing.T) {
	wrong := errors.New("the disk is lost, too")
	for _, victim := range []int{0, 2} { // what task 0 has is lost with it, and nobody computes it again
		ended := 0
		for at := clock.Time(0); ; at += 3 {
			all := hear(t, victim, at, wrong)
			if len(all[0].lost) == 0 {
				break
			}
			ended++
			for _, one := range all {
				require.ErrorIs(t, one.err, wrong, "rank %d at t=%d", victim, at)
			}
			require.Less(t, at, clock.Time(1000), "it does not end")
		}
		require.Greater(t, ended, 10)
	}
}
