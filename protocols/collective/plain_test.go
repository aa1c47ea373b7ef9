package collective_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// plain is a program that calls a plain operation, and revokes the communicator if that fails. Who
// is not concerned by a failure may succeed.
func (c call) plain(ranks int) (emutest.Instance, []entry) {
	seen := make([]entry, ranks)
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			team := collective.NewTeam(world, collective.Options{Strategy: collective.Plain, Backup: collective.AllBackups})
			got, err := c.run(team)
			if err != nil {
				world.Revoke()
			}
			seen[world.Rank()] = entry{got, team.Mine(), err, true}
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			for rank, e := range seen {
				if errors.Is(e.err, ulfm.ErrProcFailed) || errors.Is(e.err, ulfm.ErrRevoked) {
					if len(rep.Failed) == 0 {
						return fmt.Errorf("rank %d: %w, but nobody has failed", rank, e.err)
					}
					continue
				}
				if err := c.wrong(e); err != nil {
					return fmt.Errorf("rank %d: %w", rank, err)
				}
			}
			return nil
		},
	}, seen
}

func TestAPlainOperationSucceedsOrFailsButIsNeverWrong(t *testing.T) {
	for _, c := range calls(5, 3) {
		t.Run(c.name, func(t *testing.T) {
			emutest.Run(t, standing(5, 100, func() emutest.Instance {
				instance, _ := c.plain(5)
				return instance
			}))
		})
	}
}

func TestAFailureIsAnErrorOfAPlainOperation(t *testing.T) {
	for _, c := range calls(5, 3) {
		for rank := range 5 {
			instance, seen := c.plain(5)
			l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: 5, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}, instance)
			l.must(t, faults.Schedule{crash(rank, faults.OnStep("exchange", 1))})
			failed := 0
			for _, e := range seen {
				if e.err != nil {
					failed++
				}
			}
			if leaf := (c.name == "broadcast" || c.name == "scatter") && (rank == 0 || rank == 2 || rank == 4); !leaf {
				require.Positive(t, failed, "%s: rank %d fails", c.name, rank)
			}
		}
	}
}
