package collective_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// A communicator may be revoked although nobody has failed. The operation goes on with the next one.
func TestARevokedCommunicatorIsReplaced(t *testing.T) {
	const ranks = 5
	each(t, ranks, func(t *testing.T, c call, options collective.Options) {
		for revoker := range ranks {
			l := newLab(t, ranks, c, options, 1)
			l.instance = emutest.Instance{Program: ulfm.Program(func(world *ulfm.Comm) {
				team := collective.NewTeam(world, options)
				if world.Rank() == revoker {
					world.Revoke()
				}
				got, err := c.run(team)
				if err := c.wrong(entry{got, team.Mine(), err, true}); err != nil {
					panic(fmt.Sprintf("rank %d: %v", world.Rank(), err))
				}
				if !team.Whole() || team.Comm().Size() != ranks {
					panic("a task was taken over, but nobody has failed")
				}
			})}
			l.must(t, nil)
			require.Equal(t, report.Finished, l.report.Ranks[revoker].Outcome)
		}
	})
}
