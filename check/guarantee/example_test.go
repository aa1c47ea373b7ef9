package guarantee_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// A plain tree of eight ranks, of which rank 1 crashes before it has passed the message on.
func Example() {
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	plain, err := broadcast.New(logp, broadcast.Options{Tree: tree.Binomial{Ranks: 8}, Correction: correction.None{}})
	if err != nil {
		panic(err)
	}
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	if err != nil {
		panic(err)
	}
	schedule := faults.MustParse("crash:1@before-send1")
	rep, err := machine.Run(context.Background(), plain.Program(mailbox.Message{}), emu.Options{Faults: schedule})
	if err != nil {
		panic(err)
	}

	verdicts := guarantee.Check(guarantee.Run{Report: rep, Roots: []int{0}},
		guarantee.Integrity{},
		guarantee.NoDuplicates{},
		guarantee.ReachesEveryLiveRank{},
		guarantee.When(guarantee.NoFailureMeanwhile, guarantee.Termination{By: 30}),
	)
	for _, v := range verdicts {
		fmt.Printf("%s: %t, %s\n", v.Name, v.Held, v.Evidence)
	}
	// Output:
	// integrity: true, all 4 messages that arrived were sent before
	// no duplicates: true, step coloured 5 times, on no rank more than once
	// reaches every live rank: false, ranks 3, 5 and 7 never reached
	// termination by t=30: true, failures during the run (rank 1 crashed at t=4): nothing promised
}

// A guarantee of one's own.
func ExampleFunc() {
	cheap := guarantee.Func("costs at most 5 messages a rank", false,
		func(run guarantee.Run) (held bool, evidence string) {
			sent, ranks := run.Report.Messages, len(run.Report.Ranks)
			return sent <= int64(5*ranks), fmt.Sprintf("%d messages on %d ranks", sent, ranks)
		})
	rep := &report.Report{Messages: 47, Ranks: make([]report.RankResult, 8)}
	v := cheap.Check(guarantee.Run{Report: rep})
	fmt.Printf("%s: %t, %s\n", v.Name, v.Held, v.Evidence)
	// Output: costs at most 5 messages a rank: false, 47 messages on 8 ranks
}
