package emu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// answering is a program in which rank 0 asks everybody, one after the other, and waits for
// the answers; the others compute until t=3 and then answer for as long as they are asked.
var answering = protocols.Program{Main: func(p protocols.Proc) {
	if p.Rank() != 0 {
		p.WaitUntil(3)
		for {
			from, m := p.Linger(mailbox.Any)
			p.Send(from, m)
		}
	}
	for to := 1; to < p.Size(); to++ {
		p.Send(to, mailbox.Message{Kind: ack})
		p.Recv(mailbox.From(to))
	}
}}

func TestWhoLingersAtTheEndHasFinished(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents}
	rep := mustRun(t, cfg, answering, emu.Options{})
	require.Empty(t, rep.Deadlocks)
	require.Equal(t, []report.RankResult{
		{Outcome: report.Finished, Coloured: 8, Exit: 24},
		{Outcome: report.Finished, Coloured: 4, Exit: 5}, // since then it has waited for the next question
		{Outcome: report.Finished, Coloured: 12, Exit: 13},
		{Outcome: report.Finished, Coloured: 20, Exit: 21},
	}, rep.Ranks)
	require.EqualValues(t, 24, rep.Exit)
	var exits []string
	for _, e := range rep.Events {
		if e.Kind == report.EventExit {
			exits = append(exits, e.String())
		}
	}
	require.Equal(t, []string{"t=5 rank 1 exit", "t=13 rank 2 exit", "t=21 rank 3 exit", "t=24 rank 0 exit"}, exits)
}

// Ranks that linger fail like others, also when nothing else is going on any more. Whoever
// waits for them in Recv is deadlocked.
func TestWhoLingersCanFail(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}}
	for _, c := range []struct {
		faults   string
		failed   string
		deadlock string
		exit     clock.Time
	}{
		{"crash:1@t100", "[rank 1 crashed at t=100]", "[]", 24},
		{"hang:1@t100", "[rank 1 hung at t=100]", "[]", 24},
		{"crash:1@t5", "[rank 1 crashed at t=5]", "[]", 24},
		{"crash:2@t12", "[rank 2 crashed at t=12]", "[rank 0 in Recv(any from 2) since t=9: rank 2 crashed at t=12]", 5},
		{"crash:2@recv1", "[rank 2 crashed at t=12]", "[rank 0 in Recv(any from 2) since t=9: rank 2 crashed at t=12]", 5},
		{"hang:2@send1", "[rank 2 hung at t=12]", "[rank 0 in Recv(any from 2) since t=9: rank 2 hung at t=12]", 5},
		{"slow:2x4@t4", "[]", "[]", 30},
		{"cut:2|*@t0", "[]", "[rank 0 in Recv(any from 2) since t=9: rank 2 finished at t=3]", 5},
	} {
		rep := mustRun(t, cfg, answering, emu.Options{Faults: faults.MustParse(c.faults)})
		require.Equal(t, c.failed, fmt.Sprint(rep.Failed), c.faults)
		require.Equal(t, c.deadlock, fmt.Sprint(rep.Deadlocks), c.faults)
		require.Equal(t, c.exit, rep.Exit, c.faults)
		require.Empty(t, rep.Unfired, c.faults)
	}
}

// What lies in the mailbox of a rank that lingers and is not wanted does not keep it.
func TestWhoLingersLeavesUnreadWhatItDoesNotWant(t *testing.T) {
	program := protocols.Program{Main: func(p protocols.Proc) {
		p.Send(1-p.Rank(), mailbox.Message{Kind: 1, Payload: "unwanted"})
		p.Send(1-p.Rank(), mailbox.Message{Kind: 2})
		for {
			p.Linger(mailbox.OfKind(2))
		}
	}}
	rep := mustRun(t, pair, program, emu.Options{})
	require.Empty(t, rep.Deadlocks)
	require.EqualValues(t, 9, rep.Exit, "when the second message was received")
}

// A rank may have nothing to do but to answer, so that nothing needs to start it.
func TestWhoIsNoInitiatorMayBeginWithLinger(t *testing.T) {
	program := answering
	program.Initiators = []int{0}
	program.Main = func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
			return
		}
		for {
			p.Linger(mailbox.Any)
		}
	}
	for _, eager := range []bool{false, true} {
		cfg := emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, Eager: eager}
		rep := mustRun(t, cfg, program, emu.Options{})
		require.Empty(t, rep.Deadlocks)
		require.Equal(t, []int{2}, rep.Unreached)
		require.EqualValues(t, 4, rep.Ranks[1].Exit)
		require.EqualValues(t, 0, rep.Ranks[2].Exit)
	}
}

// The rank finds out that the run is over in its deferred functions only, and then it is too
// late to do anything.
func TestDeferredFunctionsOfWhoLingersRun(t *testing.T) {
	var ran, went [2]bool
	program := protocols.Program{Main: func(p protocols.Proc) {
		defer func() {
			ran[p.Rank()] = true
			p.Send(1-p.Rank(), mailbox.Message{})
			went[p.Rank()] = true
		}()
		p.Linger(mailbox.Any)
	}}
	rep := mustRun(t, pair, program, emu.Options{})
	require.Empty(t, rep.Deadlocks)
	require.Zero(t, rep.Messages)
	require.Equal(t, [2]bool{true, true}, ran)
	require.Equal(t, [2]bool{false, false}, went)

	program.Main = func(p protocols.Proc) {
		defer explode()
		p.Linger(mailbox.Any)
	}
	m, err := emu.New(pair)
	require.NoError(t, err)
	_, err = m.Run(context.Background(), program, emu.Options{})
	require.ErrorIs(t, err, errOops)
}

func TestWhoLingersDoesNotKeepARunFromFailing(t *testing.T) {
	m, err := emu.New(pair)
	require.NoError(t, err)
	_, err = m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Linger(mailbox.Any)
		}
		p.WaitUntil(20)
		explode()
	}}, emu.Options{})
	require.ErrorIs(t, err, errOops)
}

// babbleAndLinger is babble after which most ranks linger and answer, and a few wait for what
// may never come. Answers get smaller, so that they end.
func babbleAndLinger(rounds int) protocols.Program {
	program := babble(rounds)
	main := program.Main
	program.Main = func(p protocols.Proc) {
		main(p)
		random := p.Rand()
		switch random.IntN(6) {
		case 0:
			return
		case 1:
			p.Recv(someWant(random, p.Size()))
		}
		for {
			from, m := p.Linger(someWant(random, p.Size()))
			if m.A > 0 {
				p.Send((from+random.IntN(2))%p.Size(), mailbox.Message{A: m.A / 2})
			}
		}
	}
	return program
}

func TestLingeringEqualsTheReferenceMachine(t *testing.T) {
	for seed := range thorough.Times(uint64(600)) {
		random := rand.New(rand.NewPCG(seed, 4))
		cfg := someConfig(random)
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(6))}
		program := babbleAndLinger(10)
		want := runReference(cfg, program, opts)
		for _, workers := range []int{1, 2, 7} {
			cfg.Workers = workers
			rep := mustRun(t, cfg, program, opts)
			about := fmt.Sprintf("seed %d, %+v, faults %v, %d workers", seed, cfg.LogP, opts.Faults, workers)
			requireSameEvents(t, want.events, rep.Events, about)
			require.Equal(t, want.quiescence, rep.Quiescence, about)
			require.EqualValues(t, want.sent, rep.Messages, about)
			require.Equal(t, want.deadlocked(), deadlocked(rep), about)
		}
	}
}

// deadlocked lists the ranks that a report calls so.
func deadlocked(rep *report.Report) (ranks []int) {
	for _, d := range rep.Deadlocks {
		ranks = append(ranks, d.Rank)
	}
	return ranks
}

// A kept machine, and one that is used again, do the same as a new one, whoever lingered on it.
func TestMachinesOnWhichRanksLingeredCanBeUsedAgain(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 90, Latency: 2, Overhead: 1}, Trace: emu.TraceHash, Workers: 2}
	kept, err := emu.New(cfg)
	require.NoError(t, err)
	kept.Keep()
	again, err := emu.New(cfg)
	require.NoError(t, err)
	for seed := range uint64(40) {
		program := babbleAndLinger(8)
		if seed%3 == 0 {
			program = babble(8)
		}
		opts := emu.Options{Seed: seed, Faults: someFaults(rand.New(rand.NewPCG(seed, 5)), 90, int(seed)%20)}
		want := mustRun(t, cfg, program, opts)
		for _, m := range []*emu.Machine{kept, again} {
			got, err := m.Run(context.Background(), program, opts)
			require.NoError(t, err)
			require.Equal(t, want.Hash, got.Hash)
			require.Equal(t, want.Ranks, got.Ranks)
			require.Equal(t, want.Deadlocks, got.Deadlocks)
		}
	}
	require.NoError(t, kept.Close())
}
