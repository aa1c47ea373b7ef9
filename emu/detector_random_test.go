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

// babbleOfFailures is babble between whose rounds ranks use their failure detector at random,
// and tell others what they know.
func babbleOfFailures(rounds int) protocols.Program {
	program := babble(1)
	main := program.Main
	program.Main = func(p protocols.Proc) {
		detector, err := protocols.DetectorOf(p)
		if err != nil {
			panic(err)
		}
		random := p.Rand()
		for range rounds {
			main(p)
			switch random.IntN(6) {
			case 0:
				detector.Watch(random.IntN(p.Size()))
			case 1:
				detector.WatchNext(random.IntN(4))
			case 2:
				p.Step(fmt.Sprintf("suspect: %v", detector.Suspects(random.IntN(p.Size()))))
			case 3:
				p.Step(fmt.Sprintf("known: %v", allKnown(detector)))
			case 4:
				p.Send(random.IntN(p.Size()), mailbox.Message{A: int64(len(allKnown(detector)))})
			}
		}
	}
	return program
}

// allKnown lists the failures that are known.
func allKnown(d protocols.Detector) (ranks []int) {
	for {
		rank, ok := d.Known(len(ranks))
		if !ok {
			return ranks
		}
		ranks = append(ranks, rank)
	}
}

// someDetector draws a detector, often one that is as fast as it can be.
func someDetector(random *rand.Rand, cfg emu.Config) emu.Detection {
	network := cfg.Network
	if network == nil {
		network = clock.Uniform(cfg.Latency)
	}
	d := emu.Detection{Hangs: random.IntN(2) == 0, Slow: random.IntN(2) == 0}
	if random.IntN(2) == 0 {
		d.Period = 1 + clock.Time(random.IntN(30))
	}
	d.Delay = d.Period + clock.Lookahead(cfg.LogP, network)
	if random.IntN(2) == 0 {
		d.Delay += clock.Time(random.IntN(25))
	}
	if random.IntN(2) == 0 {
		d.Spread = 1 + clock.Time(random.IntN(60))
	}
	return d
}

func TestDetectorEqualsTheReferenceMachine(t *testing.T) {
	notices := 0
	seeds := []uint64{56030} // a rank that comes back would overtake what it sent before it failed
	for seed := range thorough.Times(uint64(1500)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 6))
		cfg := someConfig(random)
		if random.IntN(5) == 0 {
			cfg.Network = someSwitch(random)
		}
		cfg.Detection = someDetector(random, cfg)
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(8))}
		program := babbleOfFailures(15)
		want := runReference(cfg, program, opts)
		for _, workers := range []int{1, 2, 7} {
			cfg.Workers = workers
			rep := mustRun(t, cfg, program, opts)
			about := fmt.Sprintf("seed %d, %+v, %+v, faults %v", seed, cfg.LogP, cfg.Detection, opts.Faults)
			requireSameEvents(t, want.events, rep.Events, about)
			require.Equal(t, want.quiescence, rep.Quiescence, about)
			require.EqualValues(t, want.sent, rep.Messages, about)
			for _, e := range rep.Events {
				if e.Kind == report.EventNotice {
					notices++
				}
			}
		}
	}
	require.NotZero(t, notices)
}

func TestDetectorForgetsTheLastRun(t *testing.T) {
	for _, spread := range []clock.Time{0, 50} {
		cfg := emu.Config{
			LogP:      clock.LogP{Ranks: 90, Latency: 2, Overhead: 1},
			Detection: emu.Detection{Delay: 40, Spread: spread, Period: 10, Hangs: true, Slow: true},
			Trace:     emu.TraceHash, Workers: 2,
		}
		kept, err := emu.New(cfg)
		require.NoError(t, err)
		kept.Keep()
		for seed := range uint64(30) {
			opts := emu.Options{Seed: seed, Faults: someFaults(rand.New(rand.NewPCG(seed, 7)), 90, int(seed)%20)}
			want := mustRun(t, cfg, babbleOfFailures(10), opts)
			got, err := kept.Run(t.Context(), babbleOfFailures(10), opts)
			require.NoError(t, err)
			require.Equal(t, want.Hash, got.Hash)
		}
		require.NoError(t, kept.Close())
	}
}
