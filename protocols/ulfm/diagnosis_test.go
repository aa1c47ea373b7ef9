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
		{"Recv on communicator 0.1, with rank 3", func(c *ulfm.Comm) { _, _ = c.Recv(2, 0) }},
		{"Recv on communicator 0.1, from any source", func(c *ulfm.Comm) { _, _ = c.Recv(ulfm.AnySource, 0) }},
		{"RecvPart on communicator 0.1, with rank 1", func(c *ulfm.Comm) { _, _ = c.RecvPart(0, 0) }},
		{"Probe on communicator 0.1, with rank 2", func(c *ulfm.Comm) { _, _ = c.Probe(1, 0) }},
		{"Agree on communicator 0.1, waiting for the votes of ranks [2 3]", func(c *ulfm.Comm) { _, _ = c.Agree(1) }},
		{"Create on communicator 0.1, with rank 3", func(c *ulfm.Comm) { _, _ = c.Create(nil) }},
		{"Barrier on communicator 0.1, waiting for ranks [2 3]", func(c *ulfm.Comm) { _ = c.Barrier() }},
		{"Waitany on communicator 0.1", func(c *ulfm.Comm) { _, _, _ = ulfm.Waitany(nil, c.Irecv(1, 0)) }},
		{"Waitall on communicator 0.1, with rank 2", func(c *ulfm.Comm) { _, _ = ulfm.Waitall(c.Irecv(1, 0)) }},
		{"Iagree on communicator 0.1, waiting for the votes of ranks [2 3]", func(c *ulfm.Comm) { _, _ = c.Iagree(1).Wait() }},
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
	require.Empty(t, ulfm.KindName(99))
}
