package model_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
)

// BlueGene/L in ticks of 100 ns: a latency of 4.6 us, 2 us to recalculate a view, two children.
func ExampleBase() {
	tree := membership.Radix{Bits: 1}
	for _, nodes := range []int{15, 16, 1024} {
		fmt.Println(nodes, "nodes:", model.Base(46, 20, tree.Height(nodes)))
	}
	// Output:
	// 15 nodes: 356
	// 16 nodes: 468
	// 1024 nodes: 1140
}

// One of 63 ranks of a midplane has failed. The models predict what latency and computation take;
// the distance model takes the longest way of each level, which are not all on one path.
func ExampleItemise() {
	torus := clock.Midplane(46)
	machine := clock.LogP{Ranks: 63, Latency: 46, Overhead: 5}
	service, err := membership.New(machine.Ranks, membership.Options{
		Children: 2, Delivery: 10 + torus.MaxLatency(), Spacing: 5, Compute: 20, Until: 100_000,
		Questions: []membership.Question{{At: 0, From: 40, To: 50}},
	})
	if err != nil {
		panic(err)
	}
	emulator, err := emu.New(emu.Config{LogP: machine, Network: torus})
	if err != nil {
		panic(err)
	}
	if _, err := emulator.Run(context.Background(), service.Program(), emu.Options{Faults: faults.MustParse("crash:50")}); err != nil {
		panic(err)
	}
	view := membership.View{Group: service.Group(), Changes: service.Records()[0].View}
	items, err := model.Itemise(service.Records(), 0, machine, torus)
	if err != nil {
		panic(err)
	}
	fmt.Println("base model:    ", model.Base(46, 20, view.Height()))
	fmt.Println("distance model:", model.Distance(view, torus.Hops, 46, 20))
	fmt.Println("measured:      ", items.Total())
	fmt.Printf("%+v\n", items)
	// Output:
	// base model:     580
	// distance model: 2144
	// measured:       1983
	// {Levels:5 Latency:1748 Compute:120 Overheads:100 Sends:15 Bytes:0 Waits:0}
}
