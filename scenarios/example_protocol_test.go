package scenarios_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Whoever has a protocol says by which name and keys lines ask for it, and what it promises. Package command makes a command line of it.
func ExampleProtocol() {
	token := scenarios.Protocol{
		Name:    "token",
		Summary: "a token goes round the ring",
		Keys:    line.Keys{line.NumberKey("rounds", 1, 1, 100, "how often")},
		Build: func(s line.Settings) (scenarios.Experiment, error) {
			seen := scenarios.NewResults[int](s.Int("P")) // how often by each rank
			return scenarios.Experiment{
				Program: protocols.Program{Main: func(p protocols.Proc) {
					for round := range s.Int("rounds") {
						if p.Rank() > 0 || round > 0 {
							p.Recv(mailbox.Any)
						}
						seen.Set(p.Rank(), round+1)
						p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
					}
				}},
				State: seen,
				Promises: []guarantee.Guarantee{
					guarantee.When(guarantee.NobodyFails, guarantee.NoDeadlock{}),
					guarantee.When(guarantee.NobodyFails, guarantee.Func("every rank sees it each round", false, func(guarantee.Run) (bool, string) {
						for rank, times := range seen.All() {
							if times < s.Int("rounds") {
								return false, fmt.Sprintf("rank %d sees it %d times", rank, times)
							}
						}
						return true, "all do"
					})),
				},
			}, nil
		},
	}
	registry := scenarios.Registry{token}
	if err := registry.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"token P=4 rounds=3", "token P=4 faults=crash:2@recv1"} {
		run, err := registry.ParseLine(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		outcome, err := run.Execute(context.Background(), scenarios.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %v\n", outcome.Line, outcome.Verdict())
		for _, g := range outcome.Guarantees {
			fmt.Println(" ", g)
		}
	}
	// Output:
	// token P=4 rounds=3: held
	//   held: no deadlock: no rank waits for ever
	//   held: every rank sees it each round: all do
	// token P=4 faults=crash:2@recv1: not claimed
	//   not claimed: no deadlock: nobody fails (rank 2 crashed at t=8)
	//   not claimed: every rank sees it each round: nobody fails (rank 2 crashed at t=8)
}
