package tuning_test

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// BenchmarkTune finds the best plan on large machines.
func BenchmarkTune(b *testing.B) {
	for _, ranks := range []int{1 << 10, 1 << 20, 1 << 24} {
		for _, variant := range tuning.Variants() {
			b.Run(fmt.Sprintf("%v/N=%d", variant, ranks), func(b *testing.B) {
				machine := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
				goal := tuning.Goal{Variant: variant, Failures: ranks / 1000, Delta: 1e-9}
				if variant == tuning.FailureProof {
					goal.OnlineFailures = 1
				}
				var plan tuning.Plan
				for b.Loop() {
					var err error
					if plan, err = tuning.Tune(machine, goal); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(plan.GossipEnd), "T-ticks")
			})
		}
	}
}
