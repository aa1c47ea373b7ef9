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
		fmt.Println(v)
	}
	fmt.Println("overall:", guarantee.Overall(verdicts))
	// Output:
	// held: integrity: all 4 messages that arrived were sent before
	// held: no duplicates: step coloured 5 times, on no rank more than once
	// broken: reaches every live rank: ranks 3, 5 and 7 never reached
	// not claimed: termination by t=30: nobody fails after t=0 (rank 1 crashed at t=4)
	// overall: broken
}

// A guarantee of one's own.
func ExampleFunc() {
	cheap := guarantee.Func("costs at most 5 messages a rank", false,
		func(run guarantee.Run) (held bool, evidence string) {
			sent, ranks := run.Report.Messages, len(run.Report.Ranks)
			return sent <= int64(5*ranks), fmt.Sprintf("%d messages on %d ranks", sent, ranks)
		})
	rep := &report.Report{Messages: 47, Ranks: make([]report.RankResult, 8)}
	fmt.Println(cheap.Check(guarantee.Run{Report: rep}))
	// Output: broken: costs at most 5 messages a rank: 47 messages on 8 ranks
}

// A broadcast is to reach everybody if the root lives. This one was made to stand one failure, and two have happened: it is
// judged all the same, and the verdict says so.
func ExamplePromise() {
	promise := guarantee.Promise{
		Guarantee: guarantee.ReachesEveryLiveRank{},
		Premises:  []guarantee.Premise{guarantee.RootsLive},
		Stands:    []guarantee.Premise{guarantee.AtMostFailures(1)},
	}
	others := []report.Failure{{Rank: 3, Outcome: report.Crashed}, {Rank: 5, Outcome: report.Crashed, Time: 9}}
	root := []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 2}}
	for _, failed := range [][]report.Failure{others, root} {
		rep := &report.Report{Ranks: make([]report.RankResult, 8), Failed: failed, Unreached: []int{6}}
		fmt.Println(promise.Check(guarantee.Run{Report: rep, Roots: []int{0}}))
	}
	// Output:
	// broken: reaches every live rank: rank 6 never reached; beyond what is claimed: at most 1 failure (2 ranks failed)
	// not claimed: reaches every live rank: the root lives (rank 0 crashed at t=2)
}

// Three runs, in one of which the root lives.
func ExampleTally() {
	promise := guarantee.When(guarantee.RootsLive, guarantee.ReachesEveryLiveRank{})
	var tally guarantee.Tally
	for _, failed := range []int{5, 0, 0} {
		rep := &report.Report{Ranks: make([]report.RankResult, 8), Failed: []report.Failure{{Rank: failed, Outcome: report.Crashed}}}
		tally.Add(guarantee.Check(guarantee.Run{Report: rep, Roots: []int{0}}, promise))
	}
	fmt.Println(tally.Overall())
	fmt.Println(tally.Warning())
	// Output:
	// held
	// judged in less than half of the runs: "reaches every live rank" in 1 of 3
}
