package collective_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// What the root has gathered is lost in a barrier, before the broadcast of it begins.
func TestLossesInAnOperationBetweenCountSinceAMark(t *testing.T) {
	for _, strategy := range []collective.Strategy{collective.Tolerant, collective.Optimistic} {
		machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 5, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
		require.NoError(t, err)
		got, gathers := make([][]int64, 5), make([]int, 5)
		_, err = machine.Run(t.Context(), ulfm.Program(func(world *ulfm.Comm) {
			team := collective.NewTeam(world, collective.Options{Strategy: strategy})
			var all []int64
			gather := func() error {
				gathers[world.Rank()]++
				blocks, err := collective.Gather(team, 0, collective.Given(func(task int) []int64 { return []int64{int64(task)} }))
				all = nil
				for _, block := range blocks {
					all = append(all, block...)
				}
				return err
			}
			mark := team.Mark()
			must(gather())
			must(collective.Barrier(team))
			result, err := collective.Broadcast(team, 0, collective.Input[[]int64]{
				Of: func(int) []int64 { return all },
				Lost: func(tasks []int) error {
					if tasks[0] != 0 {
						return nil
					}
					return gather()
				},
				Since: mark,
			})
			must(err)
			got[world.Rank()] = result
		}), emu.Options{Faults: faults.MustParse("crash:0@step:exchange#2")})
		require.NoError(t, err)
		for rank := 1; rank < 5; rank++ {
			require.Equal(t, []int64{0, 1, 2, 3, 4}, got[rank])
			require.Equal(t, 2, gathers[rank])
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
