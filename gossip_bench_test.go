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
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// BenchmarkGossip compares Corrected Gossip with the corrected binomial tree, on one machine, by
// turns: x-tree/msg is how many times as long a message takes.
func BenchmarkGossip(b *testing.B) {
	for _, ranks := range sizes() {
		logp := machineOf(ranks)
		for _, variant := range []struct {
			name       string
			correction correction.Correction
		}{
			{"ocg", &correction.Opportunistic{Messages: 6}},
			{"ccg", correction.Checked{RightFirst: true}},
		} {
			b.Run(fmt.Sprintf("%s/P=%d", variant.name, ranks), func(b *testing.B) {
				perMessage(b, logp, variant.correction)
			})
		}
	}
}

func perMessage(b *testing.B, logp clock.LogP, c correction.Correction) {
	g, err := gossip.New(logp, gossip.Options{Correction: c, Until: enoughGossip(logp.Ranks)})
	require.NoError(b, err)
	before := resetPeak(b)
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(b, err)
	program, binomial := g.Program(mailbox.Message{}), checkedOn(b, logp, tree.Binomial{Ranks: logp.Ranks})
	report := runOnce(b, machine, program)
	perRank := float64(peakMemory(b)-before) / float64(logp.Ranks)
	runOnce(b, machine, binomial)
	timed := func(program protocols.Program) (perMessage float64) {
		began := time.Now()
		require.NoError(b, machine.RunInto(context.Background(), program, emu.Options{}, report))
		return float64(time.Since(began)) / float64(report.Messages)
	}
	var tree, taken float64
	for b.Loop() {
		tree += timed(binomial)
		taken += timed(program)
	}
	b.ReportMetric(taken/tree, "x-tree/msg")
	b.ReportMetric(taken/float64(b.N), "ns/msg")
	b.ReportMetric(perRank, "B/rank")
}

// enoughGossip is a time after which few ranks are left.
func enoughGossip(ranks int) clock.Time {
	return map[int]clock.Time{1 << 10: 28, 1 << 16: 40, 1 << 20: 48}[ranks]
}
