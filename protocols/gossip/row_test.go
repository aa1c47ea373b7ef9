package gossip_test

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
)

// runRow lets every rank take part in one gossip after the other, and notes what it gets. The
// root begins the next as soon as it has done with the last.
func runRow(t require.TestingT, logp clock.LogP, row []*gossip.Gossip, delivered [][]string, seed uint64) {
	machine, err := emu.New(emu.Config{LogP: logp, Workers: 1})
	require.NoError(t, err)
	payloads := []string{"first", "second"}
	report, err := machine.Run(context.Background(), protocols.Program{
		Initiators: []int{row[0].Root},
		Main: func(p protocols.Proc) {
			for i, g := range row {
				msg := mailbox.Message{}
				if p.Rank() == g.Root {
					msg.Payload = payloads[i]
				}
				got, _ := g.Run(p, msg)
				delivered[p.Rank()] = append(delivered[p.Rank()], got.Payload)
			}
		},
	}, emu.Options{Seed: seed})
	require.NoError(t, err)
	require.Empty(t, report.Deadlocks)
}
