package ulfm_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// emulate runs a program on five ranks.
func emulate(schedule string, main func(world *ulfm.Comm)) {
	machine, err := emu.New(emu.Config{
		LogP:      clock.LogP{Ranks: 5, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10},
	})
	if err != nil {
		panic(err)
	}
	_, err = machine.Run(context.Background(), ulfm.Program(main), emu.Options{Faults: faults.MustParse(schedule)})
	if err != nil {
		panic(err)
	}
}

// The ranks agree after each step. Rank 3 fails in the second one; the others find that out
// together, leave it behind and go on.
func Example() {
	emulate("crash:3@step:work#2", func(world *ulfm.Comm) {
		c := world
		for step := 1; step <= 3; step++ {
			c.Proc().Step("work")
			_, err := c.Agree(1)
			if errors.Is(err, ulfm.ErrProcFailed) {
				if c.Rank() == 0 {
					fmt.Printf("step %d: %v\n", step, err)
				}
				if c, err = c.Shrink(); err != nil {
					panic(err)
				}
			}
			if c.Rank() == 0 {
				fmt.Printf("step %d: %d ranks, without %v\n", step, c.Size(), c.Left())
			}
		}
	})
	// Output:
	// step 1: 5 ranks, without []
	// step 2: ulfm: rank 3 has failed
	// step 2: 4 ranks, without [3]
	// step 3: 4 ranks, without [3]
}

// A token goes around a ring. Only the rank behind the one that fails learns of it; by Revoke it
// frees those that wait for others.
func ExampleComm_Revoke() {
	outcomes := make([]error, 5)
	emulate("crash:2@t20", func(world *ulfm.Comm) {
		me := world.Rank()
		left, right := (me+4)%5, (me+1)%5
		var err error
		for turn := 0; err == nil; turn++ {
			if me != 0 || turn > 0 {
				_, err = world.Recv(left, 0)
			}
			if err == nil {
				err = world.Send(right, 0, "token")
			}
		}
		if errors.Is(err, ulfm.ErrProcFailed) {
			world.Revoke()
		}
		outcomes[me] = err
	})
	for rank, err := range outcomes {
		fmt.Println(rank, err)
	}
	// Output:
	// 0 ulfm: the communicator is revoked
	// 1 ulfm: the communicator is revoked
	// 2 <nil>
	// 3 ulfm: rank 2 has failed
	// 4 ulfm: the communicator is revoked
}

// A receive from any source cannot know whether the rank it waits for has failed. Once the
// failures are acknowledged it waits for the others.
func ExampleComm_FailureAck() {
	emulate("crash:2@t0", func(world *ulfm.Comm) {
		if world.Rank() != 0 {
			world.Spend(100 * clock.Time(world.Rank()))
			_ = world.Send(0, 0, fmt.Sprintf("hello from rank %d", world.Rank()))
			return
		}
		for request := world.Post(ulfm.AnySource, 0); ; {
			got, err := request.Wait()
			if err == nil {
				fmt.Println(got.Payload)
				return
			}
			fmt.Println(err)
			world.FailureAck()
			fmt.Println("acknowledged:", world.GetAcked())
		}
	})
	// Output:
	// ulfm: a member has failed, and the receive is still pending
	// acknowledged: [2]
	// hello from rank 1
}
