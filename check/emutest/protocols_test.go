package emutest_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func machine(ranks int) clock.LogP { return clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1} }

// ring passes a token on from rank 0, to so many next ranks each. With k of them it survives
// k-1 failures of others.
func ring(reach int) protocols.Program {
	return protocols.Program{
		Initiators: []int{0},
		Main: func(p protocols.Proc) {
			if p.Rank() > 0 {
				p.Recv(mailbox.Any)
			}
			for next := p.Rank() + 1; next <= p.Rank()+reach && next < p.Size(); next++ {
				p.Send(next, mailbox.Message{})
			}
		},
	}
}

// ringTest is a test of a ring of five ranks.
func ringTest(reach, upTo int) emutest.Test {
	return emutest.Test{
		Machine:    machine(5),
		Program:    ring(reach),
		Guarantees: []guarantee.Guarantee{guarantee.ReachesEveryLiveRank{}, guarantee.NoDeadlock{}},
		Roots:      []int{0},
		Spare:      []int{0},
		Faults:     upTo,
		Exact:      true, // what is counted here are failures
	}
}

// election has every rank tell all others the lowest rank it knows of, in so many rounds. With
// k rounds all live ranks elect the same one unless k ranks fail.
func election(rounds int, leaders []int) protocols.Program {
	const length = clock.Time(30) // of a round
	return protocols.Program{Main: func(p protocols.Proc) {
		lowest := p.Rank()
		for round := range rounds {
			for rank := range p.Size() {
				if rank != p.Rank() {
					p.Send(rank, mailbox.Message{A: int64(lowest)})
				}
			}
			end := length.Times(round + 1)
			for {
				_, m, ok := p.RecvUntil(mailbox.Any, end)
				if !ok {
					break
				}
				lowest = min(lowest, int(m.A))
			}
		}
		leaders[p.Rank()] = lowest
	}}
}

// electionTest is a test of an election among four ranks.
func electionTest(rounds, upTo int) emutest.Test {
	return emutest.Test{
		Exact:   true, // rounds have a length
		Machine: machine(4),
		New: func() emutest.Instance {
			leaders := make([]int, 4)
			return emutest.Instance{
				Program: election(rounds, leaders),
				Prepare: func() { clear(leaders) },
				Check:   func(rep *report.Report) error { return sameLeader(rep, leaders) },
			}
		},
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Faults:     upTo,
		Random:     300,
		// The check asks only those that live: where exactly others failed does not matter.
		OnePerClass: true,
	}
}

// sameLeader checks that ranks that live agree.
func sameLeader(rep *report.Report, leaders []int) error {
	first := -1
	for rank, leader := range leaders {
		switch {
		case rep.Ranks[rank].Outcome != report.Finished:
		case first < 0:
			first = rank
		case leader != leaders[first]:
			return fmt.Errorf("rank %d elects %d, rank %d elects %d", first, leaders[first], rank, leader)
		}
	}
	return nil
}

// naiveCommit has rank 0 wait for the votes of all, then tell them. Anybody who fails leaves
// others waiting.
func naiveCommit(p protocols.Proc) {
	if p.Rank() > 0 {
		p.Send(0, mailbox.Message{Kind: 1})
		p.Recv(mailbox.From(0))
		return
	}
	for rank := 1; rank < p.Size(); rank++ {
		p.Recv(mailbox.From(rank))
	}
	for rank := 1; rank < p.Size(); rank++ {
		p.Send(rank, mailbox.Message{Kind: 2})
	}
}

// stubborn ranks repeat their message until rank 0 answers.
func stubborn(p protocols.Proc) {
	if p.Rank() == 0 {
		for range p.Size() - 1 {
			from, _ := p.Recv(mailbox.Any)
			p.Send(from, mailbox.Message{})
		}
		return
	}
	for answered := false; !answered; {
		p.Send(0, mailbox.Message{})
		_, _, answered = p.RecvUntil(mailbox.From(0), p.Now()+20)
	}
}
