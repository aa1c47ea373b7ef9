package ulfm_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

var costMachines = []clock.LogP{
	{Latency: 2, Overhead: 1},
	{Latency: 1, Overhead: 3},
	{Latency: 5, Overhead: 2, Gap: 4},
}

func TestWithoutFailuresAgreeIsOnceUpAndDownTheTree(t *testing.T) {
	for _, logp := range costMachines {
		for ranks := 1; ranks <= 33; ranks++ {
			logp.Ranks = ranks
			cfg := emu.Config{LogP: logp, Detection: emu.Detection{Delay: logp.Delivery()}}
			rep := play(t, cfg, "none", func(world *ulfm.Comm) {
				_, err := world.Agree(1)
				require.NoError(t, err)
			})
			require.EqualValues(t, 2*(ranks-1), rep.Messages, "P=%d", ranks)
			shape, err := tree.NewBinomial(ranks, tree.InOrder)
			require.NoError(t, err)
			up, down := gathered(shape, 0, logp), tree.Latency(shape, logp)
			require.Equal(t, up+down, rep.Exit, "P=%d, L=%d, o=%d, g=%d", ranks, logp.Latency, logp.Overhead, logp.Gap)
		}
	}
}

// gathered is when a rank has the votes of all below it: each sends when it has its own, and
// votes that arrive at the same time wait for the receive port.
func gathered(shape tree.Tree, rank int, logp clock.LogP) clock.Time {
	var arrivals []clock.Time
	for i := 0; ; i++ {
		child, ok := shape.Child(rank, i)
		if !ok {
			break
		}
		arrivals = append(arrivals, gathered(shape, child, logp)+logp.Overhead+logp.Latency)
	}
	slices.Sort(arrivals)
	var free, last clock.Time
	for _, arrival := range arrivals {
		start := max(arrival, free)
		free, last = start+max(logp.Overhead, logp.Gap), start+logp.Overhead
	}
	return last
}

func TestShrinkAndCreateCostAsMuchAsAgree(t *testing.T) {
	calls := []func(c *ulfm.Comm) error{
		func(c *ulfm.Comm) error { _, err := c.Agree(1); return err },
		func(c *ulfm.Comm) error { _, err := c.Shrink(); return err },
		func(c *ulfm.Comm) error { _, err := c.Create([]int{0}); return err },
	}
	var exit []clock.Time
	for _, call := range calls {
		rep := play(t, machineOf(13), "none", func(world *ulfm.Comm) { require.NoError(t, call(world)) })
		require.EqualValues(t, 2*12, rep.Messages)
		exit = append(exit, rep.Exit)
	}
	require.Equal(t, []clock.Time{exit[0], exit[0], exit[0]}, exit)
}

func TestRevokeIsHandedOnOnceAlongABinomialGraph(t *testing.T) {
	for ranks := 1; ranks <= 33; ranks++ {
		rep := play(t, machineOf(ranks), "none", func(world *ulfm.Comm) {
			if world.Rank() == ranks/2 {
				world.Revoke()
				world.Revoke() // a second time costs nothing
			} else {
				_, err := world.Recv(ranks/2, 0)
				require.ErrorIs(t, err, ulfm.ErrRevoked)
			}
		})
		most := 2 * bits.Len(uint(ranks-1)) // twice the logarithm, rounded up
		for rank := range ranks {
			told := sends(rep, rank, "revoke")
			require.LessOrEqual(t, len(told), most)
			slices.Sort(told)
			require.Equal(t, slices.Compact(slices.Clone(told)), told, "nobody is told twice by the same rank")
		}
	}
}

func TestARunIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	for _, schedule := range []string{"none", "crash:0@after-send2,crash:3@t41,hang:5@t9", "crash:1@t4,crash:8@send2,crash:0@before-send4"} {
		var hashes []report.Hash
		for _, workers := range []int{1, 2, 7} {
			cfg := machineOf(200)
			cfg.Workers = workers
			cfg.Detection = emu.Detection{Delay: 11, Hangs: true}
			rep := play(t, cfg, schedule, func(world *ulfm.Comm) {
				_, _ = world.Agree(1)
				world.Revoke()
				c, err := world.Shrink()
				require.NoError(t, err)
				_, _ = c.Agree(1)
			})
			hashes = append(hashes, rep.Hash)
		}
		require.NotZero(t, hashes[0])
		require.Equal(t, []report.Hash{hashes[0], hashes[0], hashes[0]}, hashes, fmt.Sprintf("schedule %s", schedule))
	}
}

func TestAFailureConcernsCommunicatorsInTheSameOrderEachTime(t *testing.T) {
	var hashes []report.Hash
	for range 5 {
		rep := play(t, machineOf(4), "crash:2@t400", func(world *ulfm.Comm) {
			all := []*ulfm.Comm{world}
			for range 6 {
				c, err := world.Shrink()
				require.NoError(t, err)
				all = append(all, c)
			}
			for _, c := range all { // rank 1 is to tell rank 3 of each when rank 2 fails
				c.Revoke()
			}
		})
		hashes = append(hashes, rep.Hash)
	}
	require.Len(t, slices.Compact(hashes), 1)
}
