package tuning_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// A million broadcasts on 4,096 ranks, three of which are down. All of them shall reach
// everybody with a chance of one half.
func Example() {
	machine := clock.LogP{Ranks: 4096, Latency: 2, Overhead: 1}
	delta, err := tuning.PerRun(0.5, 1e6)
	if err != nil {
		panic(err)
	}
	for _, variant := range tuning.Variants() {
		goal := tuning.Goal{Variant: variant, Failures: 3, Delta: delta}
		if variant == tuning.FailureProof {
			goal.OnlineFailures = 1
		}
		plan, err := tuning.Tune(machine, goal)
		if err != nil {
			panic(err)
		}
		messages, known := plan.Messages()
		fmt.Printf("%v: T=%d, correction %d ticks, latency %d", variant, plan.GossipEnd, plan.CorrectionTime, plan.Latency)
		if known {
			fmt.Printf(", %.0f messages", messages)
		}
		fmt.Println()
	}
	// Output:
	// gos: T=50, correction 0 ticks, latency 53, 95303 messages
	// ocg: T=31, correction 8 ticks, latency 42, 38590 messages
	// ccg: T=33, correction 9 ticks, latency 45, 46364 messages
	// fcg: T=34, correction 21 ticks, latency 58
}
