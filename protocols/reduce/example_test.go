package reduce_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// Ten ranks add up their squares. Rank 3 is down, and rank 6 hangs after its first message,
// which was its value for one of the three subtrees.
func Example() {
	machine := clock.LogP{Ranks: 10, Latency: 2, Overhead: 1}
	squares, err := reduce.New(machine, reduce.Options{Root: 0, Redundancy: 2, Operation: reduce.Sum})
	if err != nil {
		panic(err)
	}
	program := squares.Program(
		func(rank int) reduce.Value { return reduce.Value{A: int64(rank * rank)} },
		func(result reduce.Value, complete bool) { fmt.Println(result.A, complete) },
	)
	m, err := emu.New(emu.Config{LogP: machine})
	if err != nil {
		panic(err)
	}
	for _, schedule := range []string{"none", "crash:3,hang:6@after-send1"} {
		report, err := m.Run(context.Background(), program, emu.Options{Faults: faults.MustParse(schedule)})
		if err != nil {
			panic(err)
		}
		fmt.Println(report.Ranks[0].Exit, "of", squares.Deadline(), "ticks,", report.Messages, "messages")
	}
	// Output:
	// 285 true
	// 14 of 21 ticks, 30 messages
	// 276 true
	// 14 of 21 ticks, 25 messages
}
