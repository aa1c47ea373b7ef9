package ulfm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// A program that uses a new communicator without having agreed that all have it. Every single crash is tried, and the smallest that leaves ranks
// waiting for ever is explained. In a test emutest.Run does the same, and fails it.
func Example_explore() {
	forgetful := func(world *ulfm.Comm) {
		dup, err := world.Dup()
		if err != nil {
			return // others may have it: an Agree is missing
		}
		left, right := (dup.Rank()+3)%4, (dup.Rank()+1)%4
		if _, err := dup.Sendrecv(right, 0, "token", left, 0); err != nil {
			dup.Revoke()
		}
	}
	result, err := emutest.Check(context.Background(), emutest.Test{
		Machine:   clock.LogP{Ranks: 4, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10, Spread: 50},
		Faults:    1,
		Kinds:     []faults.Kind{faults.Crash},
		Exact:     true,
		New: func() emutest.Instance {
			diary := ulfm.NewDiary(4)
			return emutest.Instance{
				Program: diary.Program(forgetful),
				Prepare: diary.Reset,
				Check: func(rep *report.Report) error {
					if why := diary.Explain(rep); why != nil {
						return errors.New(strings.Join(why, "\n"))
					}
					return nil
				},
			}
		},
	})
	if err != nil {
		panic(err)
	}
	for _, v := range result.Violations {
		fmt.Printf("faults=%v\n%s\n", v.Schedule, v.Broken[0].Evidence)
	}
	// Output:
	// faults=crash:0@after-send1
	// rank 2 waits in Sendrecv on communicator 0.1 for a message from rank 1, which lives and has returned from its program at t=66, and does not have that communicator: its Dup on world failed at t=65 with: ulfm: rank 0 has failed. A call that makes a communicator may fail on some members only, so a program has to Agree before it uses the new one
}

// One rank of five fails; those who are left go on with a sum over what is left.
func ExampleComm_Allreduce() {
	emulate("crash:3@t0", func(world *ulfm.Comm) {
		sum, err := world.Allreduce([]int64{1, int64(world.Rank())}, ulfm.Sum)
		if err != nil {
			world.Revoke()
			small, _ := world.Shrink()
			sum, _ = small.Allreduce([]int64{1, int64(world.Rank())}, ulfm.Sum)
		}
		if world.Rank() == 0 {
			fmt.Println(sum, err)
		}
	})
	// Output: [4 7] ulfm: rank 3 has failed
}

// The ranks that are left make a communicator of themselves. Nobody asks the one that has failed.
func ExampleComm_CreateGroup() {
	emulate("crash:3@t0", func(world *ulfm.Comm) {
		_ = world.Barrier() // by which all learn of the failure
		left := world.Group().Excl(world.GetFailed()...)
		c, err := world.CreateGroup(left, 0)
		if world.Rank() == 4 {
			fmt.Println(c.Rank(), "of", c.Size(), err)
			fmt.Println(world.Group().Difference(c.Group()).MachineRanks(), "has failed")
		}
	})
	// Output:
	// 3 of 4 <nil>
	// [3] has failed
}

// A synchronous send is over when the message was received, so its error says that it was not.
func ExampleComm_Ssend() {
	emulate("crash:1@t50", func(world *ulfm.Comm) {
		switch world.Rank() {
		case 0:
			fmt.Println("sent:", world.Send(1, 0, "hello"))
			fmt.Println("received:", world.Ssend(1, 0, "hello"))
		case 1:
			world.Spend(100)
		}
	})
	// Output:
	// sent: <nil>
	// received: ulfm: rank 1 has failed
}

// A collective operation that was begun goes on while the program does something else.
func ExampleComm_Ibcast() {
	emulate("none", func(world *ulfm.Comm) {
		request := world.Ibcast(fmt.Sprintf("from rank %d", world.Rank()), 2)
		left, right := (world.Rank()+4)%5, (world.Rank()+1)%5
		_, _ = world.Sendrecv(right, 0, "", left, 0)
		if _, err := request.Wait(); err == nil && world.Rank() == 4 {
			fmt.Println(request.Payload())
		}
	})
	// Output: from rank 2
}
