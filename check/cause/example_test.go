package cause_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// A token goes around a ring, and rank 3 crashes in the middle of passing it on. Package emutest and the command line do this by themselves.
func Example() {
	ring := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.From(p.Rank() - 1))
		}
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
	}}
	play := func(ctx context.Context, s faults.Schedule, _ bool) (cause.Played, error) {
		machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}, Trace: emu.TraceDecisions})
		if err != nil {
			return cause.Played{}, err
		}
		rep, err := machine.Run(ctx, ring, emu.Options{Faults: s})
		if err != nil {
			return cause.Played{}, err
		}
		return cause.Played{Report: rep, Verdicts: guarantee.Check(guarantee.Run{Report: rep}, guarantee.NoDeadlock{})}, nil
	}
	why, err := cause.Explain(context.Background(), cause.Case{Schedule: faults.MustParse("slow:1x2@t0,crash:3@send1"), Play: play})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range why.Lines() {
		fmt.Println(line)
	}
	// Output:
	// because, compared with the run without crash:3@send1:
	//     rank 4 waits for ever in Recv(any from 3) since t=0; so does 1 more
	//     it did not get the message from rank 3, which would have come at t=18
	//     rank 3 did not send it: it crashed at t=14 in its send 1, of the message to rank 4 (crash:3@send1)
	// without slow:1x2@t0: still broken, in the same way
	// without crash:3@send1: holds
}
