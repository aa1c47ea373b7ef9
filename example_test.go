package mangrove

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// The program of the README: a token goes around a ring, rank 3 crashes in the middle of
// passing it on.
func Example() {
	ring := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.From(p.Rank() - 1))
		}
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
	}}
	machine, _ := emu.New(emu.Config{LogP: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}})
	report, _ := machine.Run(context.Background(), ring, emu.Options{Faults: faults.MustParse("crash:3@send1")})
	fmt.Println(report.Messages, "messages, quiet at", report.Quiescence)
	for _, d := range report.Deadlocks {
		fmt.Println(d)
	}
	// Output:
	// 3 messages, quiet at 12
	// rank 4 in Recv(any from 3) since t=0: rank 3 crashed at t=12
	// rank 5 in Recv(any from 4) since t=0: rank 3 crashed at t=12
}
