package emu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Machines of a process have one ballast, for the largest of them; very small and very large ones have nothing to do with it.
func TestMachinesShareABallast(t *testing.T) {
	prepareProcess(middleMachine)
	before := len(shared.ballast)
	require.GreaterOrEqual(t, before, middleMachine*sharedBallast)
	larger := before/sharedBallast + 1
	prepareProcess(larger)
	require.Len(t, shared.ballast, larger*sharedBallast)
	for _, ranks := range []int{1, middleMachine - 1, middleMachine, largeMachine} {
		prepareProcess(ranks)
		require.Len(t, shared.ballast, larger*sharedBallast, "after a machine of %d ranks", ranks)
	}
}
