package emu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Machines of a process have one ballast, for the largest of them; very small and very large ones have nothing to do with it.
func TestMachinesShareABallast(t *testing.T) {
	kept := shared.ballast
	defer func() { shared.ballast = kept }()
	shared.ballast = nil
	for _, ranks := range []int{1, middleMachine - 1, largeMachine} {
		prepareProcess(ranks)
		require.Nil(t, shared.ballast, "after a machine of %d ranks", ranks)
	}
	prepareProcess(middleMachine)
	before := len(shared.ballast)
	require.Equal(t, middleMachine*sharedBallast, before)
	larger := before/sharedBallast + 1
	prepareProcess(larger)
	require.Len(t, shared.ballast, larger*sharedBallast)
	for _, ranks := range []int{1, middleMachine - 1, middleMachine, largeMachine} {
		prepareProcess(ranks)
		require.Len(t, shared.ballast, larger*sharedBallast, "after a machine of %d ranks", ranks)
	}
}
