package emutest_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// A token goes around a ring. Outside of a test, Check does what Run does in one.
func ExampleCheck() {
	ring := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.From(p.Rank() - 1))
		}
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
	}}
	result, err := emutest.Check(context.Background(), emutest.Test{
		Machine:    clock.LogP{Ranks: 6, Latency: 2, Overhead: 1},
		Program:    ring,
		Guarantees: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		Faults:     1,
		Random:     1000,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range result.Violations {
		fmt.Printf("faults=%v: %s: %s\n", v.Schedule, v.Broken[0].Name, v.Broken[0].Evidence)
	}
	// Output:
	// faults=crash:0@t0: no deadlock: ranks 1, 2, 3, 4 and 5 waiting for ever
}
