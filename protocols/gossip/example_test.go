package gossip_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

// Checked Corrected Gossip on 4,096 ranks, three of which are down, for as long as is best.
func Example() {
	machine := clock.LogP{Ranks: 4096, Latency: 2, Overhead: 1}
	plan, err := tuning.Tune(machine, tuning.Goal{Variant: tuning.Checked, Failures: 3, Delta: 1e-6})
	if err != nil {
		panic(err)
	}
	g, err := gossip.New(machine, gossip.Options{Until: plan.GossipEnd, Correction: correction.Checked{RightFirst: true}})
	if err != nil {
		panic(err)
	}
	emulator, err := emu.New(emu.Config{LogP: machine})
	if err != nil {
		panic(err)
	}
	report, err := emulator.Run(context.Background(), g.Program(mailbox.Message{Payload: "news"}),
		emu.Options{Seed: 7, Faults: faults.MustParse("crash:17,crash:512,crash:4000")})
	if err != nil {
		panic(err)
	}
	fmt.Printf("gossip until T=%d, %d of %d live ranks reached\n",
		plan.GossipEnd, 4096-len(report.Failed)-len(report.Unreached), 4096-len(report.Failed))
	// Output: gossip until T=33, 4093 of 4093 live ranks reached
}
