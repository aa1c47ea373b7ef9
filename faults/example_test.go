package faults_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/faults"
)

func ExampleParse() {
	schedule, err := faults.Parse("crash:3@send2, slow:5x4@t10, hang:9")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range schedule {
		fmt.Println(f.Kind, "rank", f.Rank, "at", f.At)
	}
	fmt.Println(schedule)
	// Output:
	// crash rank 3 at send2
	// slow rank 5 at t10
	// hang rank 9 at t0
	// crash:3@send2,slow:5x4@t10,hang:9@t0
}

func ExampleParse_comingBack() {
	// Rank 4 is down from tick 10 to tick 90. Then the links between the two halves are cut.
	schedule := faults.MustParse("crash:4@t10, rejoin:4@t90, cut:4+5-7|0+1+2+3@t200")
	fmt.Println(schedule)
	fmt.Println(schedule[2].Sides(8))
	// Output:
	// crash:4@t10,rejoin:4@t90,cut:0-3|4-7@t200
	// [1 1 1 1 2 2 2 2]
}

func ExampleParse_mistakes() {
	_, err := faults.Parse("crash:3@t5,crsh:4@t5,hang:2@recv0")
	fmt.Println(err)
	// Output:
	// faults: item 2 "crsh:4@t5": unknown kind "crsh", want crash, hang, slow, rejoin, cut, mend, late, lose or twice; item 3 "hang:2@recv0": receive number "0", want 1 to 2147483647
}

func ExampleSchedule_Validate() {
	err := faults.MustParse("crash:99@t3,hang:1@t5,hang:1@t5").Validate(64)
	fmt.Println(err)
	// Output:
	// faults: crash:99@t3: rank 99, want 0 to 63; hang:1@t5: listed twice
}

func ExampleSchedule_Expand() {
	// Rank 0, the root, is spared by the draws.
	schedule := faults.MustParse("crash:~3@t0,slow:5%x4@t10")
	explicit, err := schedule.Expand(64, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(explicit)
	// Output:
	// crash:3@t0,crash:11@t0,crash:63@t0,slow:12x4@t10,slow:42x4@t10
}

func ExampleSchedule_Expand_comingBack() {
	// Of those that crash, half come back, on average.
	explicit, err := faults.MustParse("crash:~4@t5,rejoin:50%@t90,cut:~3|*@t100").Expand(64, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(explicit)
	// Output:
	// crash:17@t5,crash:19@t5,crash:21@t5,crash:25@t5,rejoin:19@t90,rejoin:21@t90,rejoin:25@t90,cut:16+20+32|*@t100
}

func ExampleSchedule_Expand_rate() {
	schedule, err := faults.MustParse("crash:0.01%").Expand(1<<16, 42, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schedule)
	// Output:
	// crash:20999@t0,crash:34028@t0,crash:47605@t0,crash:57901@t0
}
