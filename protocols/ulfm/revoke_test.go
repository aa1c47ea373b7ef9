package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

func TestRevokeReachesThoseWhoseNeighboursInTheGraphAllFail(t *testing.T) {
	// Rank 3 tells 4, 2, 5, 1 and 7, and none of them lives to hand it on.
	heard, rep := revokedAt(t, "crash:4@before-send1,crash:2@before-send1,crash:5@before-send1,crash:1@before-send1,crash:7@before-send1")
	require.Equal(t, []int{0, 3, 6}, live(rep))
	require.Equal(t, []int{0, 3, 6}, heard)
	told := sends(rep, 3, "revoke")
	require.Equal(t, []int{4, 2, 5, 1, 7}, told[:5])
	require.Contains(t, told[5:], 6, "the next alive, no neighbour in the graph")
}

func TestRevokeReachesAllAlongTheRing(t *testing.T) {
	// The same, and whoever is next on the ring fails, too.
	heard, rep := revokedAt(t, "crash:4@before-send1,crash:2@before-send1,crash:5@before-send1,crash:1@before-send1,crash:7@before-send1,crash:6@before-send1")
	require.Equal(t, []int{0, 3}, live(rep))
	require.Equal(t, []int{0, 3}, heard)
}

func TestRevokeIsNotSentToThoseKnownToHaveFailed(t *testing.T) {
	heard, rep := revokedAt(t, "crash:4@t0,crash:1@t0")
	require.Equal(t, live(rep), heard)
	for _, rank := range heard {
		require.NotContains(t, sends(rep, rank, "revoke"), 4)
		require.NotContains(t, sends(rep, rank, "revoke"), 1)
	}
}

// All whom the revoker has told fail before they have heard of it, and the one that is left is no neighbour of its in the graph: it is told
// since everyone watches the next member alive, also when its program has ended.
func TestARevocationReachesWhoIsLeftWhenAllWhoWereToldAreGone(t *testing.T) {
	const schedule = "crash:1@t22,crash:2@t22,crash:4@t22,crash:5@t22,crash:6@t22,crash:7@t22"
	play(t, machineOf(8), schedule, func(world *ulfm.Comm) {
		switch world.Rank() {
		case 0:
			until(world, 20)
			world.Revoke()
		case 3:
			_, err := world.Recv(0, 0)
			require.ErrorIs(t, err, ulfm.ErrRevoked)
		default:
			until(world, 100)
		}
	})
}
