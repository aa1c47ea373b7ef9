package ulfm_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// worker is what one rank has seen of the program that all detectors are tried on.
type worker struct {
	members []int      // that it ends with
	err     error      // that ends it
	lost    clock.Time // when an agreement told it of a failure
}

// work is a program of four steps with an agreement after each. When one fails the members that
// are left go on without the others.
func work(seen []worker) func(world *ulfm.Comm) {
	return func(world *ulfm.Comm) {
		c, me := world, &seen[world.Rank()]
		*me = worker{}
		for range 4 {
			c.Spend(20)
			_, err := c.Agree(1)
			if errors.Is(err, ulfm.ErrProcFailed) {
				me.lost = c.Proc().Now()
				c, err = c.Shrink()
			}
			if err != nil {
				me.err = err
				return
			}
		}
		me.members = members(c)
	}
}

func TestTheDetectorDecidesHowSoonThoseWhoAreLeftGoOn(t *testing.T) {
	const ranks = 6
	heartbeat := emu.Detection{Delay: 50, Period: 30, Hangs: true} // the last sign of life is at t=30
	tests := []struct {
		name     string
		detector emu.Detection
		faults   string
		left     []int
		known    clock.Time
	}{
		{"perfect, a crash", prompt, "crash:3@t45", []int{0, 1, 2, 4, 5}, 45 + hop},
		{"delayed, a crash", emu.Detection{Delay: 100}, "crash:3@t45", []int{0, 1, 2, 4, 5}, 145},
		{"heartbeat, a crash", heartbeat, "crash:3@t45", []int{0, 1, 2, 4, 5}, 80},
		{"heartbeat, a hang", heartbeat, "hang:3@t45", []int{0, 1, 2, 4, 5}, 80},
		{"heartbeat, the root hangs", heartbeat, "hang:0@t45", []int{1, 2, 3, 4, 5}, 80},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := machineOf(ranks)
			cfg.Detection = test.detector
			seen := make([]worker, ranks)
			rep := play(t, cfg, test.faults, work(seen))
			require.Equal(t, test.left, live(rep))
			for _, rank := range test.left {
				require.NoError(t, seen[rank].err)
				require.Equal(t, test.left, seen[rank].members)
				require.GreaterOrEqual(t, seen[rank].lost, test.known)
				require.Less(t, seen[rank].lost, test.known+7*hop)
			}
		})
	}
}

func TestAHangThatNobodyNoticesBlocksAgree(t *testing.T) {
	diary := ulfm.NewDiary(6)
	seen := make([]worker, 6)
	rep, err := tryRun(t, machineOf(6), "hang:3@t45", diary.Program(work(seen)))
	require.NoError(t, err)
	for i, d := range rep.Deadlocks {
		require.Equal(t, []int{0, 1, 2, 4, 5}[i], d.Rank)
		require.Equal(t, "no message is under way; rank 3 hung at t=45", d.Cause)
	}
	require.Equal(t, "Agree on world, waiting for the vote of rank 2", diary.Waiting(0))
	require.Equal(t, "Agree on world, waiting for the decision from rank 0", diary.Waiting(1))
	require.Equal(t, "Agree on world, waiting for the vote of rank 3", diary.Waiting(2))
	require.Equal(t, "Agree on world, waiting for the decision from rank 0", diary.Waiting(4))
	require.Equal(t, "Agree on world, waiting for the decision from rank 4", diary.Waiting(5))
}

func TestARankThatIsTakenForFailedIsExcludedAndTheOthersGoOn(t *testing.T) {
	const ranks = 6
	for slow := range ranks { // the root, inner ranks, leaves
		cfg := machineOf(ranks)
		cfg.Detection = emu.Detection{Delay: hop, Slow: true}
		seen := make([]worker, ranks)
		play(t, cfg, fmt.Sprintf("slow:%dx3@t45", slow), work(seen))
		require.ErrorIs(t, seen[slow].err, ulfm.ErrExcluded)
		for rank := range ranks {
			if rank != slow {
				require.NoError(t, seen[rank].err)
				require.Len(t, seen[rank].members, ranks-1)
				require.NotContains(t, seen[rank].members, slow)
			}
		}
	}
}

func TestCreateAndShrinkExcludeARankThatIsTakenForFailed(t *testing.T) {
	calls := map[string]func(c *ulfm.Comm) error{
		"Create": func(c *ulfm.Comm) error { _, err := c.Create([]int{0, 1}); return err },
		"Shrink": func(c *ulfm.Comm) error { _, err := c.Shrink(); return err },
	}
	for name, call := range calls {
		for slow := range 4 {
			cfg := machineOf(4)
			cfg.Detection = emu.Detection{Delay: hop, Slow: true}
			var errs [4]error
			play(t, cfg, fmt.Sprintf("slow:%dx3@t0", slow), func(world *ulfm.Comm) {
				world.Spend(hop)
				world.GetFailed()
				errs[world.Rank()] = call(world)
			})
			for rank, err := range errs {
				switch {
				case rank == slow:
					require.ErrorIs(t, err, ulfm.ErrExcluded, "%s, rank %d", name, rank)
				case name == "Create":
					requireFailed(t, err, slow)
				default:
					require.NoError(t, err)
				}
			}
		}
	}
}
