package mangrove

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
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
	for _, ranks := range sizes() {
		for _, v := range []tuning.Variant{tuning.Opportunistic, tuning.Checked} {
			b.Run(fmt.Sprintf("%v/P=%d", v, ranks), func(b *testing.B) {
				messageAgainstTree(b, machineOf(ranks), v)
			})
		}
	}
}

func messageAgainstTree(b *testing.B, logp clock.LogP, v tuning.Variant) {
	before := resetPeak(b)
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(b, err)
	gossip, binomial := tunedGossip(b, logp, v), checkedOn(b, logp, tree.Binomial{Ranks: logp.Ranks})
	report := runOnce(b, machine, gossip)
	perRank := float64(peakMemory(b)-before) / float64(logp.Ranks)
	runOnce(b, machine, binomial)
	timed := func(program protocols.Program) (perMessage float64) {
		began := time.Now()
		require.NoError(b, machine.RunInto(context.Background(), program, emu.Options{}, report))
		return float64(time.Since(began)) / float64(report.Messages)
	}
	var yardstick, taken float64
	for b.Loop() {
		yardstick += timed(binomial)
		taken += timed(gossip)
	}
	b.ReportMetric(taken/yardstick, "x-tree/msg")
	b.ReportMetric(taken/float64(b.N), "ns/msg")
	b.ReportMetric(perRank, "B/rank")
}

// tunedGossip is a gossip for as long as is best.
func tunedGossip(b *testing.B, logp clock.LogP, v tuning.Variant) protocols.Program {
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
