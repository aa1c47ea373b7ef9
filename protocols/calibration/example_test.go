package calibration_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
)

// On the emulator the parameters are known, and found again.
func Example() {
	c, err := calibration.New(calibration.Usual())
	if err != nil {
		panic(err)
	}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 12_000, Overhead: 2_300, Gap: 2_500, PerByte: 3}})
	if err != nil {
		panic(err)
	}
	var samples calibration.Samples
	if _, err := machine.Run(context.Background(), c.Program(&samples), emu.Options{}); err != nil {
		panic(err)
	}
	estimate, ok := samples.Estimate()
	fmt.Println(ok, "L", estimate.Latency.Value, "o", estimate.Overhead.Value, "g", estimate.Gap.Value, "G", estimate.PerByte.Value)
	fmt.Println("L from", estimate.Latency.Low, "to", estimate.Latency.High)
	fmt.Println("round trip", estimate.RoundTrip.Median)
	// Output:
	// true L 12000 o 2300 g 2500 G 3
	// L from 12000 to 12000
	// round trip 33200
}
