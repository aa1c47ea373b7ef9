package gossip_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/benchmark"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// BenchmarkGossip compares Corrected Gossip, tuned, with the corrected binomial tree, on one
// machine, by turns: x-tree/msg is how many times as long a message takes.
func BenchmarkGossip(b *testing.B) {
	for _, ranks := range benchmark.Sizes() {
		for _, v := range []tuning.Variant{tuning.Opportunistic, tuning.Checked} {
			b.Run(fmt.Sprintf("%v/P=%d", v, ranks), func(b *testing.B) {
				messageAgainstTree(b, ranks, v)
			})
		}
	}
}

func messageAgainstTree(b *testing.B, ranks int, v tuning.Variant) {
	before := benchmark.ResetPeak(b)
	machine := benchmark.NewMachine(b, ranks)
	gossip, binomial := tunedGossip(b, ranks, v), benchmark.CheckedBroadcast(b, ranks, tree.Binomial{Ranks: ranks})
	rep := benchmark.Run(b, machine, gossip)
	perRank := benchmark.PerRank(b, before, ranks)
	benchmark.Run(b, machine, binomial)
	perMessage := func(program protocols.Program) float64 {
		took := benchmark.Timed(b, machine, program, rep)
		return float64(took) / float64(rep.Messages)
	}
	var yardstick, taken float64
	for b.Loop() {
		yardstick += perMessage(binomial)
		taken += perMessage(gossip)
	}
	b.ReportMetric(taken/yardstick, "x-tree/msg")
	b.ReportMetric(taken/float64(b.N), "ns/msg")
	b.ReportMetric(perRank, "B/rank")
}

// tunedGossip is a gossip for as long as is best.
func tunedGossip(b *testing.B, ranks int, v tuning.Variant) protocols.Program {
	logp := benchmark.LogP(ranks)
	plan, err := tuning.Tune(logp, tuning.Goal{Variant: v, Delta: 1e-6})
	require.NoError(b, err)
	o := gossip.Options{Correction: correction.Checked{RightFirst: true}, Until: plan.GossipEnd}
	if v == tuning.Opportunistic {
		o.Correction = &correction.Opportunistic{Messages: plan.Corrections}
	}
	g, err := gossip.New(logp, o)
	require.NoError(b, err)
	return g.Program(mailbox.Message{})
}
