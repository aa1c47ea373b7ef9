package gossip_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
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
				if got.Kind != gossip.Spread || got.Epoch != g.Epoch {
					panic("another kind or epoch than was sent")
				}
				delivered[p.Rank()] = append(delivered[p.Rank()], got.Payload)
			}
		},
	}, emu.Options{Seed: seed})
	require.NoError(t, err)
	require.Empty(t, report.Deadlocks)
}

// A late message of an earlier gossip, of its last round, does not end the rounds of this one.
func TestRoundsOfAnEarlierGossipDoNotCount(t *testing.T) {
	logp := clock.LogP{Ranks: 3, Latency: 1, Overhead: 1}
	g, err := gossip.New(logp, gossip.Options{Correction: correction.None{}, Rounds: 9, Epoch: 1})
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	report, err := machine.Run(context.Background(), protocols.Program{Initiators: []int{0, 1}, Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			g.Run(p, mailbox.Message{})
		case 1:
			p.Send(0, mailbox.Message{Kind: gossip.Spread, Epoch: 0, A: 9})
		}
	}}, emu.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 9+1, report.Messages)
}
