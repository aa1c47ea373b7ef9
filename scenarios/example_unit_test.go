package scenarios_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// A line that says what a tick stands for may give times, and its results can be shown as such.
func ExampleUnit() {
	run, err := scenarios.ParseLine("broadcast P=512 network=torus:8x8x8 latency=100ns overhead=1.2us tick=100ns")
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := run.Execute(context.Background(), scenarios.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Unit.Show(outcome.Report.Coloring))
	fmt.Println(run.Settings().Unit().Span(run.Settings().LogP().Overhead))
	// Output:
	// t=237 (23.7 us)
	// 12 ticks (1.2 us)
}
