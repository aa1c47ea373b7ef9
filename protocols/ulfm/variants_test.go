package ulfm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Three agreements in a row, with names of those who failed; scenarios/catalog explores single calls of all algorithms.
func TestEarlyReturningAgreementsInARow(t *testing.T) {
	program := agreeingBy(ulfm.Options{Agreement: ulfm.EarlyReturning})
	t.Run("every pair of crashes", func(t *testing.T) {
		emutest.Run(t, exploration(4, 2, prompt, program, faults.Crash))
	})
	t.Run("observers that know at different times", func(t *testing.T) {
		test := exploration(7, 1, emu.Detection{Delay: hop, Spread: 20, Hangs: true}, program)
		test.Random = 500
		emutest.Run(t, test)
	})
	t.Run("failures that overtake messages", func(t *testing.T) {
		test := exploration(9, 1, prompt, program, faults.Crash)
		test.Network, test.Random = uneven{2, 40, 3}, 500
		emutest.Run(t, test)
	})
}

func TestAlgorithmsHaveNames(t *testing.T) {
	require.Equal(t, "rounds era openmpi mpich", fmt.Sprint(ulfm.Rounds, ulfm.EarlyReturning, ulfm.OpenMPI, ulfm.Gathering))
	require.Equal(t, "binomial flooding", fmt.Sprint(ulfm.BinomialGraph, ulfm.Flooding))
}

// Without failures an agreement takes a vote and a decision of everybody but the root; what MPICH has takes more,
// and so does Open MPI's Shrink, which is four agreements.
func TestWhatAlgorithmsCostWithoutFailures(t *testing.T) {
	const ranks, doublings = 16, 4
	star := 2 * (ranks - 1)
	for agreement, want := range map[ulfm.Agreement]struct{ agree, shrink int }{
		ulfm.Rounds:         {2 * (ranks - 1), 2 * (ranks - 1)},
		ulfm.EarlyReturning: {2 * (ranks - 1), 2 * (ranks - 1)},
		ulfm.OpenMPI:        {2 * (ranks - 1), 4 * 2 * (ranks - 1)},
		ulfm.Gathering:      {star + 2*ranks*doublings, star + 2*ranks*doublings},
	} {
		options := ulfm.Options{Agreement: agreement}
		rep, err := tryRun(t, machineOf(ranks), "none", options.Program(func(world *ulfm.Comm) {
			flags, err := world.Agree(^(1 << world.Rank()))
			require.NoError(t, err)
			require.EqualValues(t, ^(1<<ranks - 1), flags, "%v", agreement)
		}))
		require.NoError(t, err)
		require.EqualValues(t, want.agree, rep.Messages, "Agree by %v", agreement)
		rep, err = tryRun(t, machineOf(ranks), "none", options.Program(func(world *ulfm.Comm) {
			smaller, err := world.Shrink()
			require.NoError(t, err)
			require.Equal(t, ranks, smaller.Size())
		}))
		require.NoError(t, err)
		require.EqualValues(t, want.shrink, rep.Messages, "Shrink by %v", agreement)
	}
}

// A program that calls different things is told so, by whatever algorithm.
func TestWhoCallsSomethingElseIsNamed(t *testing.T) {
	diary := ulfm.NewDiary(3)
	rep, err := tryRun(t, machineOf(3), "none", ulfm.Options{Agreement: ulfm.EarlyReturning, Diary: diary}.Program(func(world *ulfm.Comm) {
		if world.Rank() == 2 {
			_, _ = world.Shrink()
			return
		}
		_, _ = world.Agree(1)
	}))
	require.NoError(t, err)
	require.Len(t, rep.Deadlocks, 3)
	require.Equal(t, "Agree on world, waiting for the vote of rank 2, which has called Shrink", diary.Waiting(0))
}

// Open MPI's Shrink begins again when a failure became known on the way, and in the end leaves it out everywhere.
func TestOpenMPIShrinksInSeveralAgreements(t *testing.T) {
	left := make([][]int, 8)
	messages := func(schedule string) int64 {
		rep, err := tryRun(t, machineOf(8), schedule, ulfm.Options{Agreement: ulfm.OpenMPI}.Program(func(world *ulfm.Comm) {
			smaller, err := world.Shrink()
			require.NoError(t, err)
			left[world.Rank()] = smaller.Left()
		}))
		require.NoError(t, err)
		require.Empty(t, rep.Deadlocks)
		return rep.Messages
	}
	require.EqualValues(t, 4*14, messages("none"))
	require.Greater(t, messages("crash:5@before-send1"), int64(5*12), "an agreement that reports it, one that names it, one that confirms that, and three more")
	for _, rank := range []int{0, 1, 2, 3, 4, 6, 7} {
		require.Equal(t, []int{5}, left[rank])
	}
}

// MPICH's Shrink gives up in the end, where others go on.
func TestMPICHGivesUp(t *testing.T) {
	var got error
	_, err := tryRun(t, machineOf(2), "crash:0@t0", ulfm.Options{Agreement: ulfm.Gathering}.Program(func(world *ulfm.Comm) {
		_, got = world.Shrink()
	}))
	require.NoError(t, err)
	require.ErrorIs(t, got, ulfm.ErrProcFailed)
	request, err := tryRun(t, machineOf(2), "crash:0@t0", ulfm.Options{Agreement: ulfm.Gathering}.Program(func(world *ulfm.Comm) {
		_, got = world.Ishrink().Wait()
	}))
	require.NoError(t, err)
	require.Empty(t, request.Deadlocks)
	require.ErrorIs(t, got, ulfm.ErrProcFailed)
}
