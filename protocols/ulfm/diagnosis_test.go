package ulfm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestTheDiarySaysForWhatEachRankWaits(t *testing.T) {
	// Ranks of the machine: the communicator is made of ranks 1, 2 and 3.
	tests := []struct {
		want string
		do   func(c *ulfm.Comm)
	}{
		{"Recv with rank 3 on communicator 1", func(c *ulfm.Comm) { _, _ = c.Recv(2, 0) }},
		{"Recv from any source on communicator 1", func(c *ulfm.Comm) { _, _ = c.Recv(ulfm.AnySource, 0) }},
		{"Recv with rank 1 on communicator 1", func(c *ulfm.Comm) { _, _ = c.RecvPart(0, 0) }},
		{"Probe with rank 2 on communicator 1", func(c *ulfm.Comm) { _, _ = c.Probe(1, 0) }},
		{"Agree of communicator 1, waiting for the votes of ranks [2 3]", func(c *ulfm.Comm) { _, _ = c.Agree(1) }},
		{"Create of communicator 1, waiting for the votes of ranks [2 3]", func(c *ulfm.Comm) { _, _ = c.Create(nil) }},
		{"", func(c *ulfm.Comm) {}},
	}
	machine, err := emu.New(machineOf(4))
	require.NoError(t, err)
	diary := ulfm.NewDiary(4)
	require.Empty(t, diary.Waiting(1), "nothing has run")
	for _, test := range tests {
		rep, err := machine.Run(context.Background(), diary.Program(func(world *ulfm.Comm) {
			c, err := world.Create([]int{1, 2, 3})
			require.NoError(t, err)
			if world.Rank() == 1 {
				test.do(c)
			}
		}), emu.Options{})
		require.NoError(t, err)
		require.Equal(t, test.want != "", len(rep.Deadlocks) == 1)
		require.Equal(t, test.want, diary.Waiting(1))
		require.Empty(t, diary.Waiting(0))
	}
	diary.Reset()
	require.Empty(t, diary.Waiting(1))
}

func TestErrorsNameTheRanks(t *testing.T) {
	require.EqualError(t, &ulfm.FailedError{Ranks: []int{3}}, "ulfm: rank 3 has failed")
	require.EqualError(t, &ulfm.FailedError{Ranks: []int{3, 5}}, "ulfm: ranks [3 5] have failed")
	require.ErrorIs(t, &ulfm.FailedError{}, ulfm.ErrProcFailed)
}

func TestKindsHaveNames(t *testing.T) {
	require.Equal(t, "decision", ulfm.KindName(5))
	require.Empty(t, ulfm.KindName(6))
}
