package scenarios_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// One line of text is a run, and running it again gives the same.
func Example() {
	run, err := catalog.ParseLine("broadcast P=1024 seed=7 faults=crash:~10,crash:3@send2")
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := run.Execute(context.Background(), scenarios.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Line)
	for _, g := range outcome.Guarantees {
		fmt.Println(g)
	}
	// Output:
	// broadcast P=1024 seed=7 faults=crash:~10,crash:3@send2
	// held: reaches every live rank: all 1013 live ranks reached
	// held: no deadlock: no rank waits for ever
	// held: whoever is reached returns: none of 1013 waits for ever
}

// The error of a bad line lists everything that is wrong with it.
func ExampleRegistry_ParseLine() {
	_, err := catalog.ParseLine("broadcast P=64 o=0 tre=binomial faults=crash:99")
	for _, problem := range err.(*line.InputError).Problems {
		fmt.Println(problem)
	}
	// Output:
	// "o=0": want a number from 1 to 1099511627776
	// unknown key "tre", broadcast has tree, k, numbering, root, correction, d, direction, f, delay, start, early, ring, repeat, period, bytes, P, L, o, g, G, network, nodes, Lin, oin, jitter, noise, links, tick, machine, receive, seed, faults; did you mean tree?
	// "faults=crash:99": crash:99@t0: rank 99, want 0 to 63
}

// An Executor keeps its machine from one run to the next.
func ExampleExecutor() {
	executor := scenarios.NewExecutor(scenarios.Options{})
	for _, faults := range []string{"none", "crash:1", "crash:1 correction=none"} {
		run, err := catalog.ParseLine("broadcast P=4 faults=" + faults)
		if err != nil {
			fmt.Println(err)
			return
		}
		outcome, err := executor.Run(context.Background(), run)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %v\n", outcome.Line, outcome.Verdict())
	}
	// Output:
	// broadcast P=4 faults=none: held
	// broadcast P=4 faults=crash:1: held
	// broadcast P=4 faults=crash:1 correction=none: broken
}

// A line that says what a tick stands for may give times, and its results can be shown as such.
func Example_times() {
	run, err := catalog.ParseLine("broadcast P=512 network=torus:8x8x8 latency=100ns overhead=1.2us tick=100ns")
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := run.Execute(context.Background(), scenarios.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Unit.Show(outcome.Report.Colouring))
	fmt.Println(run.Settings().Unit().Span(run.Settings().LogP().Overhead))
	// Output:
	// t=237 (23.7 us)
	// 12 ticks (1.2 us)
}
