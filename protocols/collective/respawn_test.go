package collective_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Whatever rank fails at whatever point: when it is back the computation comes to its end on as many ranks as
// before, with the right result, unless it was over for the others.
func TestComputationsComeToTheirEndAtFullStrength(t *testing.T) {
	const ranks = 4
	want := []int64{ranks*(ranks-1)/2 + 7*ranks}
	sums, sizes := make([][]int64, ranks), make([]int, ranks)
	program := ulfm.Program(func(world *ulfm.Comm) {
		me := world.Proc().Rank()
		_, err := collective.Respawn(world, collective.Options{}, 10, func(team *collective.Team) (err error) {
			sums[me], err = sumOfBlocks(team)
			sizes[me] = team.Comm().Size()
			return err
		})
		require.NoError(t, err)
	})
	full := 0
	for rank := range ranks {
		for _, point := range []string{"before-send", "send", "after-send", "recv"} {
			for n := 1; n <= 12; n++ {
				clear(sums)
				schedule := faults.MustParse(fmt.Sprintf("crash:%d@%s%d,rejoin:%d@t2000", rank, point, n, rank))
				machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}, Workers: 1})
				require.NoError(t, err)
				rep, err := machine.Run(t.Context(), program, emu.Options{Faults: schedule})
				require.NoError(t, err)
				require.Empty(t, rep.Deadlocks, "%v", schedule)
				for other := range ranks {
					if other == rank && len(rep.Rejoined) > 0 && sums[other] == nil {
						continue // it was over for the others
					}
					require.Equal(t, want, sums[other], "rank %d, %v", other, schedule)
					require.Equal(t, ranks, sizes[other])
				}
				if len(rep.Rejoined) > 0 && slices.Equal(sums[rank], want) {
					full++
				}
			}
		}
	}
	require.Greater(t, full, 50, "it hardly ever came back")
}
