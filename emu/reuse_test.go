package emu_test

import (
	"context"
	"runtime"
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

// heapInUse is what is left on the heap and in stacks after garbage collection.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc + stats.StackInuse
}

// One machine serves 10,000 runs, some with failures and payloads, in the same memory.
func TestManyRunsDoNotGrowMemory(t *testing.T) {
	m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}})
	require.NoError(t, err)
	schedules := []faults.Schedule{nil, faults.MustParse("crash:3@send2,hang:9@t12,slow:5x4@t10")}
	rep := new(report.Report)
	runs := func(n int) {
		for i := range n {
			opts := emu.Options{Seed: uint64(i % 7), Faults: schedules[i%2]}
			require.NoError(t, m.RunInto(context.Background(), babble(5), opts, rep))
		}
	}
	runs(500)
	before := heapInUse()
	many := int(thorough.Times(uint64(10_000)))
	runs(many)
	after := heapInUse()
	require.Less(t, after, before+1<<20, "bytes in use before and after %d runs: 105 a run in 10,000 would be a leak", many)
}

// pingPong has pairs of ranks exchange messages.
func pingPong(rounds int) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		peer := p.Rank() ^ 1
		for range rounds {
			if p.Rank() < peer {
				p.Send(peer, mailbox.Message{})
				p.Recv(mailbox.Any)
			} else {
				p.Recv(mailbox.Any)
				p.Send(peer, mailbox.Message{})
			}
		}
	}}
}

func TestMessagesCostNoAllocation(t *testing.T) {
	m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}, Workers: 1})
	require.NoError(t, err)
	rep := new(report.Report)
	allocations := func(rounds int) float64 {
		program := pingPong(rounds)
		return testing.AllocsPerRun(5, func() {
			require.NoError(t, m.RunInto(context.Background(), program, emu.Options{}, rep))
			require.EqualValues(t, 64*rounds, rep.Messages)
		})
	}
	few, many := allocations(10), allocations(1000)
	require.InDelta(t, few, many, 64, "allocations of a run with 640 and with 64,000 messages")
}

func TestRunIntoForgetsTheReportBefore(t *testing.T) {
	m, err := emu.New(eight)
	require.NoError(t, err)
	rep := new(report.Report)
	opts := emu.Options{Faults: faults.MustParse("crash:3@t0,crash:1@t900")}
	require.NoError(t, m.RunInto(context.Background(), ringOnce, opts, rep))
	require.NotEmpty(t, rep.Failed)
	require.NotEmpty(t, rep.Deadlocks)
	require.NoError(t, m.RunInto(context.Background(), ringOnce, emu.Options{}, rep))
	require.Empty(t, rep.Failed)
	require.Empty(t, rep.Deadlocks)
	require.Empty(t, rep.Unreached)
	require.Empty(t, rep.Unfired)
	require.EqualValues(t, 8, rep.Messages)
	require.EqualValues(t, 8*4, rep.Exit)
}

// Messages left unread by a rank that has finished give their memory back.
func TestManyToOneThatNobodyReads(t *testing.T) {
	program := protocols.Program{Main: func(p protocols.Proc) {
		for range 50 {
			if p.Rank() != 0 {
				p.Send(0, mailbox.Message{Payload: "unread"})
			}
		}
	}}
	rep := mustRun(t, emu.Config{LogP: clock.LogP{Ranks: 100, Latency: 2, Overhead: 1}}, program, emu.Options{})
	require.EqualValues(t, 99*50, rep.Messages)
	require.EqualValues(t, 3+99*50, rep.Quiescence, "rank 0's port receives one message after the other")
}

// What an earlier run left unread must not come back: ranks that are down from the start
// never open their mailbox.
func TestReusedMachineDoesTheSameAsANewOne(t *testing.T) {
	for ranks := 4; ranks <= 30; ranks += 3 {
		cfg := emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Trace: emu.TraceHash, TimeLimit: 10_000}
		reused, err := emu.New(cfg)
		require.NoError(t, err)
		for seed := range uint64(12) {
			for _, text := range []string{"none", "crash:~2", "crash:~3,hang:~1@t9"} {
				schedule, err := faults.MustParse(text).Expand(ranks, seed)
				require.NoError(t, err)
				opts := emu.Options{Seed: seed, Faults: schedule}
				want := mustRun(t, cfg, babble(12), opts)
				got, err := reused.Run(context.Background(), babble(12), opts)
				require.NoError(t, err)
				require.Equal(t, want.Hash, got.Hash, "P=%d, seed %d, faults %v", ranks, seed, schedule)
			}
		}
	}
}

// A stream of messages that nobody reads, or that go one way only, runs in the same memory
// however long it is.
func TestOneWayStreamsReuseTheirCells(t *testing.T) {
	stream := func(read bool, rounds int) protocols.Program {
		return protocols.Program{Main: func(p protocols.Proc) {
			half := p.Size() / 2
			for range rounds {
				if p.Rank() < half {
					p.Send(p.Rank()+half, mailbox.Message{})
				} else if read {
					p.Recv(mailbox.Any)
				}
			}
		}}
	}
	for _, read := range []bool{false, true} {
		m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 256, Latency: 2, Overhead: 1}, Workers: 2})
		require.NoError(t, err)
		run := func(rounds int) uint64 {
			_, err := m.Run(context.Background(), stream(read, rounds), emu.Options{})
			require.NoError(t, err)
			return heapInUse()
		}
		short := run(100)
		long := run(4000) // half a million messages, 16 MiB if their cells were not reused
		require.Less(t, long, short+2<<20, "read: %v", read)
	}
}
