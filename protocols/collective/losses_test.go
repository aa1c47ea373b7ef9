package collective_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Teams of the same ranks that have lost the same ones in another order have another past, also in one process.
func TestTheOrderOfLossesIsPartOfAPast(t *testing.T) {
	for _, c := range []struct {
		schedule string
		gone     []int
	}{
		{"crash:2@step:one,crash:5@step:one,crash:3@step:three", []int{2, 5, 3}},
		{"crash:5@step:one,crash:2@step:two,crash:3@step:three", []int{5, 2, 3}},
		{"crash:2@step:one,crash:5@step:two,crash:3@step:three", []int{2, 5, 3}},
	} {
		var gone []int
		emulate(7, c.schedule, func(world *ulfm.Comm) {
			team := collective.NewTeam(world, collective.Options{})
			for _, step := range []string{"one", "two", "three"} {
				world.Proc().Step(step)
				if err := collective.Barrier(team); err != nil {
					panic(err)
				}
			}
			if world.Rank() == 0 {
				gone = team.Gone()
			}
		})
		require.Equal(t, c.gone, gone, c.schedule)
	}
}
