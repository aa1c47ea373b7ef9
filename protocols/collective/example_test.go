package collective_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// emulate runs a program on so many ranks, some of which fail.
func emulate(ranks int, schedule string, main func(world *ulfm.Comm)) {
	machine, err := emu.New(emu.Config{
		LogP:      clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10},
	})
	if err != nil {
		panic(err)
	}
	if _, err := machine.Run(context.Background(), ulfm.Program(main), emu.Options{Faults: faults.MustParse(schedule)}); err != nil {
		panic(err)
	}
}

func ExampleBroadcast() {
	heard := slices.Repeat([]string{"failed"}, 5)
	// Rank 2 fails in the broadcast. Rank 3 takes over its task.
	emulate(5, "crash:2@step:exchange", func(world *ulfm.Comm) {
		team := collective.NewTeam(world, collective.Options{})
		message, err := collective.Broadcast(team, 0, collective.Given(func(int) []byte { return []byte("hello") }))
		if err != nil {
			panic(err)
		}
		heard[world.Rank()] = fmt.Sprintf("%s, with tasks %d", message, team.Mine())
	})
	for rank, text := range heard {
		fmt.Printf("rank %d: %s\n", rank, text)
	}
	// Output:
	// rank 0: hello, with tasks [0]
	// rank 1: hello, with tasks [1]
	// rank 2: failed
	// rank 3: hello, with tasks [2 3]
	// rank 4: hello, with tasks [4]
}

// The root fails when it has combined half of the values. The result is the same as without a
// failure, on the rank that has taken over the root's task.
func ExampleReduce() {
	add := func(a, b int64) int64 { return a + b }
	square := func(task int) []int64 { return []int64{int64(task * task)} }
	results := make([]string, 8)
	emulate(8, "crash:0@step:iteration#3", func(world *ulfm.Comm) {
		team := collective.NewTeam(world, collective.Options{Backup: collective.AllBackups})
		sum, err := collective.Reduce(team, 0, collective.Given(square), collective.Elementwise(add))
		if err != nil {
			panic(err)
		}
		if team.Does(0) {
			results[world.Rank()] = fmt.Sprintf("rank %d has tasks %d and the sum %d", world.Rank(), team.Mine(), sum)
		}
	})
	fmt.Println(slices.DeleteFunc(results, func(text string) bool { return text == "" }))
	// Output:
	// [rank 1 has tasks [0 1] and the sum [140]]
}

// What a root has to broadcast may be the result of another operation. If the root fails, its heir
// has no such result: Lost makes all ranks gather again.
func ExampleInput() {
	const root = 1
	heard := slices.Repeat([]string{"failed"}, 4)
	emulate(4, "crash:1@step:exchange#2", func(world *ulfm.Comm) {
		team := collective.NewTeam(world, collective.Options{Strategy: collective.Optimistic})
		var names [][]byte
		gather := func() (err error) {
			names, err = collective.Gather(team, root, collective.Given(func(task int) []byte { return []byte{'a' + byte(task)} }))
			return err
		}
		regathered := ""
		err := gather()
		if err != nil {
			panic(err)
		}
		all, err := collective.Broadcast(team, root, collective.Input[[]byte]{
			Of: func(int) []byte { return slices.Concat(names...) },
			Lost: func(tasks []int) error {
				if !slices.Contains(tasks, root) {
					return nil
				}
				regathered = " (gathered again)"
				return gather()
			},
		})
		if err != nil {
			panic(err)
		}
		heard[world.Rank()] = string(all) + regathered
	})
	for rank, text := range heard {
		fmt.Printf("rank %d: %s\n", rank, text)
	}
	// Output:
	// rank 0: abcd (gathered again)
	// rank 1: failed
	// rank 2: abcd (gathered again)
	// rank 3: abcd (gathered again)
}

// Blocks are one list, as in MPI: each task brings a number for each.
func ExampleAllToAllBlocks() {
	var got []int32
	emulate(4, "crash:2@step:exchange", func(world *ulfm.Comm) {
		team := collective.NewTeam(world, collective.Options{})
		blocks, err := collective.AllToAllBlocks(team, collective.Given(func(task int) collective.Blocks[int32] {
			var all []int32
			for to := range team.Tasks() {
				all = append(all, int32(10*task+to))
			}
			return collective.EvenBlocks(team.Tasks(), all)
		}))
		if err != nil {
			panic(err)
		}
		if world.Rank() == 1 {
			got = blocks[1].All()
		}
	})
	fmt.Println(got)
	// Output: [1 11 21 31]
}
