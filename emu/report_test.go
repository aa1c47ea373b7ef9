package emu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// started is babble for ranks that wait to be told of it, all but rank 0, and tell the next one.
func started(rounds int) protocols.Program {
	program := babble(rounds)
	talk := program.Main
	program.Initiators = []int{0}
	program.Main = func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.Recv(mailbox.Any)
		}
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
		talk(p)
	}
	return program
}

// resultsOf are the results of ranks by what the events show; whoever is in none of them is deadlocked, and never coloured.
func resultsOf(ranks int, events []report.Event) []report.RankResult {
	results := make([]report.RankResult, ranks)
	for i := range results {
		results[i] = report.RankResult{Outcome: report.Deadlocked, Coloured: clock.Never, Exit: clock.Never}
	}
	results[0].Coloured = 0
	for _, e := range events {
		r := &results[e.Rank]
		switch e.Kind {
		case report.EventReceive:
			r.Coloured = min(r.Coloured, e.Time)
		case report.EventExit:
			r.Outcome, r.Exit = report.Finished, e.Time
		case report.EventCrash:
			r.Outcome, r.Exit = report.Crashed, e.Time
		case report.EventHang:
			r.Outcome, r.Exit = report.Hung, e.Time
		case report.EventRejoin:
			r.Outcome, r.Exit = report.Deadlocked, clock.Never
		}
	}
	return results
}

func TestReportSaysWhatTheEventsShow(t *testing.T) {
	for seed := range thorough.Times(uint64(500)) {
		random := rand.New(rand.NewPCG(seed, 2))
		cfg := someConfig(random)
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(6))}
		rep := mustRun(t, cfg, started(10), opts)
		about := fmt.Sprintf("seed %d, %+v, faults %v", seed, cfg.LogP, opts.Faults)
		require.Equal(t, resultsOf(cfg.Ranks, rep.Events), rep.Ranks, about)

		var tally report.Tally
		for rank := range rep.Ranks {
			tally.Add(rank, &rep.Ranks[rank])
		}
		sum := report.Report{Failed: []report.Failure{}, Unreached: []int{}}
		sum.Include(&tally)
		require.Equal(t, sum.Failed, rep.Failed, about)
		require.Equal(t, sum.Unreached, rep.Unreached, about)
		require.Equal(t, [2]clock.Time{sum.Colouring, sum.Exit}, [2]clock.Time{rep.Colouring, rep.Exit}, about)
		require.Equal(t, opts.Faults, rep.Faults, about)
		require.Equal(t, seed, rep.Seed, about)
		require.Equal(t, cfg.LogP, rep.LogP, about)
	}
}

// Two ranks, one message of 2o+L = 4 ticks: rank 0 is started in the first window, rank 1 in that of the message.
func TestWindowsAndWakesAreCounted(t *testing.T) {
	rep := mustRun(t, emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}}, protocols.Program{
		Initiators: []int{0},
		Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{})
				return
			}
			p.Recv(mailbox.Any)
		},
	}, emu.Options{})
	require.EqualValues(t, 2, rep.Windows)
	require.EqualValues(t, 2, rep.Wakes)
}
