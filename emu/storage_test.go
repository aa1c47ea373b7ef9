package emu_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
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

// scribble is a program that uses storage at random and talks meanwhile. What it reads it sends, so that whoever reads something
// else is found out.
func scribble(rounds int) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		random, disk := p.Rand(), p.Storage()
		for range p.Life() { // another life does other things
			random.Uint64()
		}
		for range rounds {
			name := string(rune('a' + random.IntN(4)))
			switch random.IntN(9) {
			case 0, 1, 2:
				disk.Write(name, fmt.Sprint(p.Rank(), random.IntN(1000)))
			case 3:
				disk.Delete(name)
			case 4, 5:
				disk.Sync()
			case 6:
				value, ok := disk.Read(name)
				p.Send(random.IntN(p.Size()), mailbox.Message{A: int64(crc32.ChecksumIEEE([]byte(value))), Epoch: uint32(map[bool]int{true: 1}[ok])})
			case 7:
				p.Send(random.IntN(p.Size()), mailbox.Message{Kind: 1, Payload: strings.Join(disk.Names(), "")})
			case 8:
				p.RecvUntil(mailbox.Any, p.Now()+clock.Time(random.IntN(20)))
			}
		}
	}}
}

// someStorageFaults are about storage and what else there is, with ranks that come back.
func someStorageFaults(random *rand.Rand, ranks int) faults.Schedule {
	s := someFaults(random, ranks, random.IntN(3))
	for range 1 + random.IntN(4) {
		f := faults.Fault{Kind: faults.Kind(random.IntN(3)), Rank: random.IntN(ranks)}
		f.At = faults.Point{Anchor: faults.BeforeWrite + faults.Anchor(random.IntN(6)), N: 1 + random.IntN(8)}
		if random.IntN(4) == 0 {
			f.At = faults.OnTime(clock.Time(random.IntN(120)))
		}
		switch {
		case f.Kind == faults.Slow:
			f.Factor = 2 + random.IntN(4)
		case random.IntN(2) == 0:
			f.Kept = []faults.Group{faults.Others, "1", "2", "1+3"}[random.IntN(4)]
		}
		for _, f := range append(someComebacks(random, faults.Schedule{f}), f) {
			if !slices.Contains(s, f) {
				s = append(s, f)
			}
		}
	}
	return s
}

func someDisk(random *rand.Rand) clock.Disk {
	return clock.Disk{Write: clock.Time(random.IntN(5)), Sync: clock.Time(random.IntN(60)), Read: clock.Time(random.IntN(3))}
}

// Whatever fails in whatever a rank does with its storage, it finds there what it finds on the slow machine, and everything takes as long.
func TestStorageEqualsThatOfTheReferenceMachine(t *testing.T) {
	lost, found := 0, 0
	for seed := range thorough.Times(uint64(1500)) {
		random := rand.New(rand.NewPCG(seed, 5))
		cfg := someConfig(random)
		cfg.Disk = someDisk(random)
		opts := emu.Options{Seed: seed, Faults: someStorageFaults(random, cfg.Ranks)}
		program := scribble(30)
		want := runReference(cfg, program, opts)
		rep := mustRun(t, cfg, program, opts)
		about := fmt.Sprintf("seed %d, %+v, disk %+v, unordered %v, jitter %v, noise %v, network %v, faults %v", seed, cfg.LogP, cfg.Disk, cfg.Unordered, cfg.Jitter, cfg.Noise, cfg.Network, opts.Faults)
		requireSameEvents(t, want.events, rep.Events, about)
		for i := range rep.Events {
			switch rep.Events[i].Kind {
			case report.EventForget:
				lost++
			case report.EventRejoin:
				found++
			}
		}
	}
	require.Greater(t, lost, 10)
	require.Greater(t, found, 10)
}

func TestRunsWithStorageAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	hashes := make(map[report.Hash]bool)
	for _, workers := range []int{1, 2, 7} {
		cfg := emu.Config{LogP: clock.LogP{Ranks: 200, Latency: 3, Overhead: 2}, Disk: clock.Disk{Write: 1, Sync: 25, Read: 1}, Workers: workers, Trace: emu.TraceHash}
		m, err := emu.New(cfg)
		require.NoError(t, err)
		for range 2 {
			rep, err := m.Run(context.Background(), scribble(40), emu.Options{Faults: someStorageFaults(rand.New(rand.NewPCG(3, 3)), cfg.Ranks)})
			require.NoError(t, err)
			hashes[rep.Hash] = true
		}
	}
	require.Len(t, hashes, 1)
}

func TestTheHashDependsOnWhatIsWritten(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, Trace: emu.TraceHash}
	hashes := make(map[report.Hash]string)
	for name, do := range map[string]func(protocols.Storage){
		"nothing":       func(protocols.Storage) {},
		"a record":      func(s protocols.Storage) { s.Write("a", "1") },
		"another value": func(s protocols.Storage) { s.Write("a", "2") },
		"another name":  func(s protocols.Storage) { s.Write("b", "1") },
		"none":          func(s protocols.Storage) { s.Delete("a") },
		"safe":          func(s protocols.Storage) { s.Sync() },
		"read":          func(s protocols.Storage) { s.Read("a") },
	} {
		h := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) { do(p.Storage()) }}, emu.Options{}).Hash
		require.NotContains(t, hashes, h, name)
		hashes[h] = name
	}
}

// diskAt is what the one rank of a machine finds in its second life, which begins at 100, and when it had come how far in its first.
func diskAt(t *testing.T, text string) (found string, at []clock.Time) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, Disk: clock.Disk{Write: 4, Sync: 20, Read: 2}, Trace: emu.TraceEvents}
	mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		disk := p.Storage()
		if p.Life() > 0 {
			for _, name := range disk.Names() {
				value, _ := disk.Read(name)
				found += name + value
			}
			return
		}
		steps := []func(){
			func() { disk.Write("a", "1") },
			func() { disk.Write("b", "1") },
			disk.Sync,
			func() { disk.Write("a", "2") },
			func() { disk.Delete("b") },
			disk.Sync,
		}
		for _, step := range steps {
			step()
			at = append(at, p.Now())
		}
	}}, emu.Options{Faults: faults.MustParse(text + ",rejoin:0@t100")})
	return found, at
}

func TestWhatASyncHasMadeSafeIsThereInTheNextLife(t *testing.T) {
	for text, want := range map[string]string{
		"crash:0@before-write1":       "",
		"crash:0@write1":              "",
		"crash:0@write1:kept1":        "a1",
		"crash:0@after-write2:kept2":  "b1",
		"crash:0@after-write2:kept*":  "a1b1",
		"crash:0@sync1":               "",
		"crash:0@t27":                 "", // in the middle of the first sync
		"crash:0@t28":                 "a1b1",
		"hang:0@after-sync1":          "a1b1",
		"hang:0@before-sync2":         "a1b1",
		"hang:0@before-sync2:kept1":   "a2b1",
		"crash:0@sync2:kept2":         "a1",
		"crash:0@sync2:kept*":         "a2",
		"crash:0@sync2:kept7":         "a1b1",
		"crash:0@after-sync2":         "a2",
		"slow:0x2@sync1,crash:0@t47":  "",
		"slow:0x2@sync1,crash:0@t48":  "a1b1",
		"crash:0@t90":                 "a2", // its program has returned
		"slow:0x2@write1,hang:0@t8":   "",
		"crash:0@write3,hang:0@sync2": "a1b1",
	} {
		found, _ := diskAt(t, text)
		require.Equal(t, want, found, text)
	}
}

func TestOperationsOfStorageTakeTheirTime(t *testing.T) {
	for text, want := range map[string][]clock.Time{
		"crash:0@t90":                 {4, 8, 28, 32, 36, 56},
		"slow:0x3@write2,crash:0@t99": {4, 16, 76, 88},
		"slow:0x3@after-write2":       {4, 8, 68, 80, 92, 152},
		"slow:0x2@t5,crash:0@t90":     {4, 8, 48, 56, 64},
		"slow:0x2@t4,crash:0@t90":     {4, 12, 52, 60, 68},
		"crash:0@before-sync1":        {4, 8},
	} {
		_, at := diskAt(t, text)
		require.Equal(t, want, at, text)
	}
}

func TestEventsSayWhatStorageDoesAndWhatIsLost(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, Disk: clock.Disk{Write: 4, Sync: 20, Read: 2}, Trace: emu.TraceEvents}
	rep := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		disk := p.Storage()
		disk.Read("a")
		disk.Write("a", "1")
		disk.Delete("b")
		disk.Sync()
	}}, emu.Options{Faults: faults.MustParse("crash:0@sync1:kept1,rejoin:0@t50")})
	var told []string
	for _, e := range rep.Events {
		told = append(told, e.String())
	}
	require.Equal(t, []string{
		"t=0 rank 0 read a in 2 ticks", "t=2 rank 0 write a in 4 ticks", "t=6 rank 0 delete b in 4 ticks", "t=10 rank 0 sync-lost in 10 ticks",
		"t=20 rank 0 crash", "t=20 rank 0 forget 1 changes", "t=50 rank 0 rejoin",
		"t=50 rank 0 read a in 2 ticks", "t=52 rank 0 write a in 4 ticks", "t=56 rank 0 delete b in 4 ticks", "t=60 rank 0 sync in 20 ticks", "t=80 rank 0 exit",
	}, told)
}

// Messages come in while a rank waits for its storage, and what they bring is there afterwards.
func TestPortsGoOnWhileStorageIsBusy(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Disk: clock.Disk{Sync: 500}, Trace: emu.TraceEvents}
	var took clock.Time
	rep := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
			return
		}
		p.Storage().Sync()
		p.Recv(mailbox.Any)
		took = p.Now()
	}}, emu.Options{})
	require.EqualValues(t, 500, took)
	require.EqualValues(t, 4, rep.Quiescence)
}

// Storage of a rank that never ends its work costs calls without progress, as everything does that takes no time.
func TestAProgramThatOnlyWritesIsStopped(t *testing.T) {
	m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, StepLimit: 1000})
	require.NoError(t, err)
	for name, call := range map[string]func(protocols.Storage){
		"write": func(s protocols.Storage) { s.Write("a", "1") },
		"sync":  func(s protocols.Storage) { s.Sync() },
		"read":  func(s protocols.Storage) { s.Read("a") },
	} {
		_, err = m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
			for {
				call(p.Storage())
			}
		}}, emu.Options{})
		var limit *emu.StepLimitError
		require.ErrorAs(t, err, &limit, name)
	}
}

func TestTimesOfStorageOutOfRangeAreRefused(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, Disk: clock.Disk{Write: -1, Sync: 1<<40 + 1}}
	_, err := emu.New(cfg)
	require.EqualError(t, err, "clock: write = -1 ticks, want 0 to 1099511627776; sync = 1099511627777 ticks, want 0 to 1099511627776")
}

// Storage is a rank's own, and so is the part of the machine that has the rank: nothing depends on how many parts there are.
func TestStorageIsTheSameHoweverManyPartsShareTheRanks(t *testing.T) {
	forgotten := 0
	for seed := range thorough.Times(uint64(150)) {
		random := rand.New(rand.NewPCG(seed, 25))
		cfg := someConfig(random)
		cfg.Disk, cfg.Workers = someDisk(random), 1+random.IntN(2)
		program, opts := scribble(30), emu.Options{Seed: seed, Faults: someStorageFaults(random, cfg.Ranks)}
		want := mustRun(t, cfg, program, opts)
		count := []int{2, 3, 7}[seed%3]
		about := fmt.Sprintf("seed %d, %d parts, %+v, disk %+v, faults %v", seed, count, cfg.LogP, cfg.Disk, opts.Faults)
		reports, errs := runInParts(t.Context(), cfg, count, program, opts)
		require.Equal(t, make([]error, count), errs, about)
		got := reports[0]
		requireSameEvents(t, want.Events, got.Events, about)
		got.Wall, got.BytesPerRank = want.Wall, want.BytesPerRank
		require.Equal(t, want, got, about)
		requireSameApart(t, cfg, count, program, opts, want, about)
		for i := range want.Events {
			if want.Events[i].Kind == report.EventForget {
				forgotten++
			}
		}
	}
	require.Greater(t, forgotten, 10)
}
