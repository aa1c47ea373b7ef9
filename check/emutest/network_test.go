package emutest_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// A test runs on its network. On the mesh the second message of each rank is first where it
// goes, two hops away: it is there at 1+1+18+1 = 21, and the next one at 42.
func TestProtocolsAreTestedOnTheirNetwork(t *testing.T) {
	test := ringTest(2, 1)
	test.Program = protocols.Program{}
	test.New = func() emutest.Instance {
		return emutest.Instance{Program: ring(2), Check: func(rep *report.Report) error {
			if len(rep.Failed) == 0 && rep.Colouring != 42 {
				return errors.New("another network")
			}
			return nil
		}}
	}
	require.Contains(t, run(t, test).all(), "another network")
	test.Network = clock.Torus{X: 5, Y: 1, Z: 1, PerHop: 9, Mesh: true}
	f := run(t, test)
	require.False(t, f.failed(), f.all())
}

func TestNetworksThatDoNotFitAreRefused(t *testing.T) {
	test := ringTest(2, 1)
	test.Network = clock.Torus{X: 2, Y: 2, Z: 1, PerHop: 1}
	require.ErrorContains(t, test.Validate(), "Network: emu: ranks P = 5 ranks, want 1 to 4, the nodes of the network")
	test.Network = clock.Torus{X: 5, Y: 1, Z: 1, PerHop: 9}
	require.NoError(t, test.Validate())
	test.Detection = emu.Detection{Delay: 10}
	require.ErrorContains(t, test.Validate(), "Detection: emu: detector delay = 10 ticks, want 0 for none or 11 (2o+L) to")
}

// The time limit allows for the longest way.
func TestTheTimeLimitIsThatOfTheNetwork(t *testing.T) {
	for _, c := range []struct {
		network clock.Network
		limit   clock.Time
	}{
		{nil, 4},
		{clock.Torus{X: 2, Y: 1, Z: 3, PerHop: 5, Mesh: true}, 2 + 15},
		{clock.Switch{In: 3, Service: 2, Out: 1}, 2 + 6},
	} {
		test := ringTest(2, 0)
		test.Network = c.network
		test.Program = protocols.Program{Main: func(p protocols.Proc) { p.WaitUntil(10_000 * c.limit) }}
		test.Guarantees = []guarantee.Guarantee{guarantee.NoDeadlock{}}
		require.False(t, run(t, test).failed())
		test.Program = protocols.Program{Main: func(p protocols.Proc) { p.WaitUntil(10_000*c.limit + 1) }}
		require.True(t, run(t, test).failed())
	}
}
