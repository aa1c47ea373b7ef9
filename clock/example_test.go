package clock_test

import (
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

func ExampleLogP_Validate() {
	err := clock.LogP{Ranks: 8, Latency: -3}.Validate()
	fmt.Println(err)
	var listed interface{ Unwrap() []error }
	if errors.As(err, &listed) {
		for _, problem := range listed.Unwrap() {
			fmt.Println("-", problem)
		}
	}
	// Output:
	// clock: latency L = -3 ticks, want 1 to 1099511627776; overhead o = 0 ticks, want 1 to 1099511627776
	// - latency L = -3 ticks, want 1 to 1099511627776
	// - overhead o = 0 ticks, want 1 to 1099511627776
}

// The last node of a row is a neighbour of the first one, unless the torus is a mesh.
func ExampleTorus() {
	torus := clock.Midplane(5) // BlueGene/L, 5 ticks per hop
	mesh := torus
	mesh.Mesh = true
	fmt.Println(torus)
	fmt.Println(torus.Coordinates(7 + 8*1 + 64*3))
	fmt.Println(torus.Hops(0, 7), torus.Latency(0, 7))
	fmt.Println(mesh.Hops(0, 7), mesh.Latency(0, 7))
	// Output:
	// 8x8x8 torus, order xyz, latency 5 per hop
	// 7 1 3
	// 1 5
	// 7 35
}

// 64 ranks below 16 switches, which are below 4, which are below one.
func ExampleFatTree() {
	tree := clock.FatTree{Arity: 4, Levels: 3, PerHop: 5}
	fmt.Println(tree.Nodes(), "ranks")
	fmt.Println(tree.Latency(0, 3), tree.Latency(0, 4), tree.Latency(0, 63))
	// Output:
	// 64 ranks
	// 10 20 30
}

// A message that need not wait takes 9 ticks. Of ten that are sent at once the last takes 36.
func ExampleSwitch() {
	s := clock.Switch{In: 2, Service: 3, Out: 4}
	fmt.Println(s.Latency(0, 1), s.Burst(10))
	// Output: 9 36
}

// From measurements to a switch, and what that makes of the measurements.
func ExampleCalibrate() {
	measured := []clock.Point{{Nodes: 2, Latency: 51}, {Nodes: 8, Latency: 68}, {Nodes: 16, Latency: 94}}
	s, err := clock.Calibrate(measured)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s)
	for _, p := range measured {
		fmt.Println(p.Nodes, "nodes:", p.Latency, "measured,", s.Burst(p.Nodes), "by the switch")
	}
	// Output:
	// one switch, 22 to it, 3 in it, 23 from it
	// 2 nodes: 51 measured, 51 by the switch
	// 8 nodes: 68 measured, 69 by the switch
	// 16 nodes: 94 measured, 93 by the switch
}

// A curve of measurements answers for all numbers of nodes.
func ExampleCurve() {
	curve, err := clock.NewCurve([]clock.Point{{Nodes: 2, Latency: 51}, {Nodes: 8, Latency: 69}, {Nodes: 16, Latency: 93}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(curve.At(1), curve.At(5), curve.At(16), curve.At(32))
	// Output: 51 60 93 141
}
