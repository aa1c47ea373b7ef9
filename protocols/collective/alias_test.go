package collective_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// What operations return is the caller's, to sort or to change.
func TestResultsAreTheCallersOwn(t *testing.T) {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}})
	require.NoError(t, err)
	input := []int64{3, 1, 2}
	var tasks []int
	_, err = machine.Run(t.Context(), ulfm.Program(func(world *ulfm.Comm) {
		team := collective.NewTeam(world, collective.Options{})
		sum, err := collective.Reduce(team, 0, collective.Given(func(int) []int64 { return input }),
			collective.Elementwise(func(a, b int64) int64 { return a + b }))
		must(err)
		sum[0] = 99
		team.Mine()[0] = 99
		tasks = team.Mine()
	}), emu.Options{})
	require.NoError(t, err)
	require.Equal(t, []int64{3, 1, 2}, input)
	require.Equal(t, []int{0}, tasks)
}
