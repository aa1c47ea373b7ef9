package collective_test

import (
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

func TestNobodyLeavesABarrierBeforeTheLastHasCome(t *testing.T) {
	const ranks, late = 6, 300
	for _, strategy := range []collective.Strategy{collective.Tolerant, collective.Optimistic, collective.Plain} {
		for last := range ranks {
			left := make([]clock.Time, ranks)
			l := labOf(t, emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}, emutest.Instance{
				Program: ulfm.Program(func(world *ulfm.Comm) {
					team := collective.NewTeam(world, collective.Options{Strategy: strategy})
					if world.Rank() == last {
						team.Spend(late)
					}
					if err := collective.Barrier(team); err != nil {
						panic(err)
					}
					left[world.Rank()] = world.Proc().Now()
				}),
			})
			l.must(t, nil)
			require.GreaterOrEqual(t, slices.Min(left), clock.Time(late))
			if strategy == collective.Plain {
				continue
			}
			// Nor if another fails meanwhile.
			l.must(t, faults.Schedule{crash((last+1)%ranks, faults.OnTime(late/2))})
			left[(last+1)%ranks] = late
			require.GreaterOrEqual(t, slices.Min(left), clock.Time(late))
		}
	}
}
