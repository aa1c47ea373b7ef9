package emu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
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

// babble is a program that uses every call at random, so that ranks get into all kinds of
// situations. What it does depends on its random stream and on what it receives.
func babble(rounds int) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		random := p.Rand()
		for range rounds {
			p.Step("round")
			msg := mailbox.Message{Kind: mailbox.Kind(random.IntN(3)), Epoch: uint32(random.IntN(9)), A: int64(p.Now())}
			if random.IntN(4) == 0 {
				msg.Payload = fmt.Sprint(make([]int, random.IntN(6)))
			}
			switch random.IntN(6) {
			case 0, 1, 2:
				p.Send(random.IntN(p.Size()), msg)
			case 3:
				p.Poll(someWant(random, p.Size()))
			case 4:
				from, m, ok := p.RecvUntil(someWant(random, p.Size()), p.Now()+clock.Time(random.IntN(30)))
				if ok && m.A%3 == 0 {
					p.Send(from, mailbox.Message{Kind: 2, A: m.A + 1})
				}
			case 5:
				p.WaitUntil(p.Now() + clock.Time(random.IntN(12)))
			}
		}
	}}
}

func someWant(random *rand.Rand, ranks int) mailbox.Want {
	switch random.IntN(6) {
	case 0:
		return mailbox.From(random.IntN(ranks))
	case 1:
		return mailbox.OfKind(mailbox.Kind(random.IntN(3)))
	case 2:
		return mailbox.Any.UpTo(uint32(random.IntN(9)))
	case 3:
		return mailbox.Any.OfEpoch(uint32(random.IntN(9)))
	}
	return mailbox.Any
}

// someFaults draws a schedule of faults of all kinds at all kinds of points.
func someFaults(random *rand.Rand, ranks, n int) faults.Schedule {
	var s faults.Schedule
	seen := make(map[string]bool)
	for range n {
		f := faults.Fault{Kind: faults.Kind(random.IntN(3)), Rank: random.IntN(ranks)}
		if f.Kind == faults.Slow {
			f.Factor = 2 + random.IntN(4)
		}
		k := 1 + random.IntN(8)
		f.At = []faults.Point{
			faults.OnTime(clock.Time(random.IntN(80))),
			faults.BeforeNthSend(k), faults.DuringNthSend(k), faults.AfterNthSend(k),
			faults.OnNthRecv(k), faults.OnStep("round", k),
		}[random.IntN(6)]
		if !seen[f.String()] {
			seen[f.String()] = true
			s = append(s, f)
		}
	}
	s = slices.Concat(s, someComebacks(random, s), someCut(random, ranks))
	for _, f := range someMessages(random, ranks) {
		if !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	return s
}

// someMessages lets messages be late, lost or arrive twice now and then, alone or all those of a link in some time, and links
// be cut and mended.
func someMessages(random *rand.Rand, ranks int) (s faults.Schedule) {
	if random.IntN(3) > 0 {
		return nil
	}
	kinds := []faults.Kind{faults.Late, faults.Late, faults.Lose, faults.Twice, faults.Cut, faults.Mend}
	for range 1 + random.IntN(5) {
		f := faults.Fault{Kind: kinds[random.IntN(len(kinds))]}
		if f.Kind == faults.Late || f.Kind == faults.Twice {
			f.Delay = 1 + clock.Time(random.IntN(40))
		}
		f.At = faults.OnTime(1 + clock.Time(random.IntN(80)))
		switch one := random.IntN(ranks); {
		case f.Kind.OfMessages() && random.IntN(2) == 0:
			f.Rank, f.At = one, faults.DuringNthSend(1+random.IntN(8))
		case ranks < 2:
			continue
		default:
			f.Left, f.Right, f.OneWay = faults.GroupOf(one), faults.Others, random.IntN(2) == 0
			if f.OneWay && random.IntN(2) == 0 {
				f.Left, f.Right = f.Right, f.Left
			}
			if f.Kind.OfMessages() && random.IntN(2) == 0 {
				f.Until = f.At.Time + 1 + clock.Time(random.IntN(40))
			}
		}
		if !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	return s
}

// someComebacks lets some of the ranks rejoin that a schedule names.
func someComebacks(random *rand.Rand, s faults.Schedule) (more faults.Schedule) {
	for _, f := range s {
		back := faults.Fault{Kind: faults.Rejoin, Rank: f.Rank, At: faults.OnTime(1 + clock.Time(random.IntN(120)))}
		if random.IntN(3) == 0 && !slices.Contains(more, back) {
			more = append(more, back)
		}
	}
	return more
}

// someCut cuts some links now and then.
func someCut(random *rand.Rand, ranks int) faults.Schedule {
	if ranks < 2 || random.IntN(4) > 0 {
		return nil
	}
	first := random.IntN(ranks)
	f := faults.Fault{Kind: faults.Cut, Left: faults.GroupOf(first), Right: faults.Others, At: faults.OnTime(clock.Time(random.IntN(80)))}
	if other := random.IntN(ranks); other != first && random.IntN(2) == 0 {
		f.Left, f.Right = faults.GroupOf(min(first, other)), faults.GroupOf(max(first, other))
	}
	return faults.Schedule{f}
}

// distant is a network in which latency depends on the pair.
type distant struct{ ranks int }

func (d distant) Latency(from, to int) clock.Time {
	return 2 + clock.Time((from*7+to*3)%d.ranks)
}
func (d distant) MinLatency() clock.Time { return 2 }

// someJitter is often none.
var someJitter = []clock.Jitter{
	nil, nil, nil, clock.UniformJitter{Most: 5}, clock.UniformJitter{Least: 3, Most: 40}, clock.ExponentialJitter{Mean: 4},
	clock.LognormalJitter{Median: 3, Sigma: 1}, clock.TableJitter{{Delay: 0, Weight: 9}, {Delay: 50, Weight: 1}},
}

func someConfig(random *rand.Rand) emu.Config {
	cfg := emu.Config{Trace: emu.TraceEvents, LogP: clock.LogP{
		Ranks:    1 + random.IntN(24),
		Latency:  1 + clock.Time(random.IntN(6)),
		Overhead: 1 + clock.Time(random.IntN(4)),
	}}
	if random.IntN(2) == 0 {
		cfg.Gap, cfg.PerByte = clock.Time(random.IntN(8)), clock.Time(random.IntN(3))
	}
	if random.IntN(3) == 0 {
		cfg.Network = distant{cfg.Ranks}
	}
	cfg.ManyReceives = random.IntN(4) == 0
	cfg.Unordered = random.IntN(2) == 0
	cfg.Jitter = someJitter[random.IntN(len(someJitter))]
	if random.IntN(4) == 0 {
		cfg.Noise = &clock.Noise{Period: 2 + clock.Time(random.IntN(30)), Length: 1, Random: random.IntN(2) == 0}
		cfg.Noise.Length += clock.Time(random.IntN(int(cfg.Noise.Period) - 1))
	}
	if !cfg.ManyReceives && random.IntN(3) == 0 {
		cfg.Network = someNodes(random, cfg.Ranks)
	}
	return cfg
}

// someNodes has some ranks share nodes, inside of which messages may be cheap or dear.
func someNodes(random *rand.Rand, ranks int) clock.Network {
	n := clock.Nodes{Ranks: ranks, Nodes: 1 + random.IntN(ranks), Between: clock.Uniform(1 + random.IntN(6))}
	if random.IntN(3) == 0 {
		n.Between = clock.FatTree{Arity: 3, Levels: 3, PerHop: 1 + clock.Time(random.IntN(3))}
	}
	n.Inside = clock.Local{Latency: 1 + clock.Time(random.IntN(9)), Overhead: 1 + clock.Time(random.IntN(5))}
	return n
}

// The emulator does exactly what a machine does that goes from instant to instant, event
// by event, whatever fails.
func TestEmulatorEqualsTheReferenceMachine(t *testing.T) {
	for seed := range thorough.Times(uint64(1500)) {
		random := rand.New(rand.NewPCG(seed, 1))
		cfg := someConfig(random)
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(6))}
		program := babble(20)
		want := runReference(cfg, program, opts)
		rep := mustRun(t, cfg, program, opts)
		about := fmt.Sprintf("seed %d, %+v, unordered %v, jitter %v, noise %v, network %v, faults %v", seed, cfg.LogP, cfg.Unordered, cfg.Jitter, cfg.Noise, cfg.Network, opts.Faults)
		requireSameEvents(t, want.events, rep.Events, about)
		require.Equal(t, want.quiescence, rep.Quiescence, about)
		require.EqualValues(t, want.sent, rep.Messages, about)
	}
}

// The hash of a run is the same for any number of workers and processors, for eager and
// lazy start, and for a machine that has run other things before.
func TestHashDoesNotDependOnHowTheRunIsExecuted(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	logp := clock.LogP{Ranks: 700, Latency: 3, Overhead: 2}
	for seed := range thorough.Times(uint64(5)) {
		faulty := someFaults(rand.New(rand.NewPCG(seed, 2)), logp.Ranks, 200)
		opts := emu.Options{Seed: seed, Faults: faulty}
		hashes := make(map[report.Hash]bool)
		for _, procs := range []int{1, 2, 4} {
			runtime.GOMAXPROCS(procs)
			for _, workers := range []int{1, 2, 7} {
				var network clock.Network
				if seed%2 == 1 {
					network = clock.Nodes{Ranks: logp.Ranks, Nodes: 9, Between: clock.Uniform(3), Inside: clock.Local{Latency: 1, Overhead: 1}}
				}
				m, err := emu.New(emu.Config{LogP: logp, Network: network, Jitter: someJitter[(seed+3)%uint64(len(someJitter))], Noise: &clock.Noise{Period: 20, Length: 1 + clock.Time(seed)}, Workers: workers, Trace: emu.TraceHash})
				require.NoError(t, err)
				for range 2 {
					rep, err := m.Run(context.Background(), babble(30), opts)
					require.NoError(t, err)
					require.NotZero(t, rep.Hash)
					hashes[rep.Hash] = true
					_, err = m.Run(context.Background(), babble(3), emu.Options{Seed: 99})
					require.NoError(t, err)
				}
			}
		}
		require.Len(t, hashes, 1, "seed %d", seed)
	}
}

func TestHashTellsRunsApart(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 9, Latency: 2, Overhead: 1}, Trace: emu.TraceHash}
	hashes := make(map[report.Hash]string)
	note := func(name string, cfg emu.Config, opts emu.Options) {
		h := mustRun(t, cfg, babble(10), opts).Hash
		require.NotContains(t, hashes, h, name)
		hashes[h] = name
	}
	note("plain", cfg, emu.Options{})
	note("other seed", cfg, emu.Options{Seed: 1})
	note("crash", cfg, emu.Options{Faults: faults.MustParse("crash:3@send1")})
	note("later crash", cfg, emu.Options{Faults: faults.MustParse("crash:3@send2")})
	cfg.Latency++
	note("other latency", cfg, emu.Options{})
	payload := func(text string) report.Hash {
		return mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
			p.Send(0, mailbox.Message{Payload: text})
		}}, emu.Options{}).Hash
	}
	require.NotEqual(t, payload("abc"), payload("abd"))
	idle := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) { p.Recv(mailbox.Any) }}, emu.Options{})
	require.NotZero(t, idle.Hash, "also of a run without events")
}

// Hashes are compared with those of earlier versions, so the same run has the same one for ever.
func TestHashesStayAsTheyAre(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, Trace: emu.TraceHash}
	idle := mustRun(t, cfg, protocols.Program{Main: func(protocols.Proc) {}}, emu.Options{})
	require.Equal(t, "3e3ee667bf8c57b5", idle.Hash.String())
	talk := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		p.Step("begin")
		p.Send((p.Rank()+1)%3, mailbox.Message{Kind: 3, Epoch: 5, A: 7})
		p.RecvUntil(mailbox.Any, 20)
	}}, emu.Options{Faults: faults.MustParse("crash:1@send1,hang:2@recv1")})
	require.Equal(t, "6d39ff11096cfcec", talk.Hash.String())
}

// Runs of one message that differ in one of its fields only have different hashes.
func TestHashDependsOnAllOfAMessage(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Trace: emu.TraceHash}
	hashes := make(map[report.Hash]mailbox.Message)
	for _, msg := range []mailbox.Message{
		{}, {Kind: 1}, {Epoch: 1}, {Epoch: 1 << 31}, {A: 1}, {A: -1}, {Payload: "ab"}, {Payload: "ba"}, {Payload: "ab\x00"},
	} {
		h := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, msg)
			} else {
				p.Recv(mailbox.Any)
			}
		}}, emu.Options{}).Hash
		require.NotContains(t, hashes, h, "%+v", msg)
		hashes[h] = msg
	}
}

// mustRun makes a machine, runs the program once and wants no error.
func mustRun(t testing.TB, cfg emu.Config, program protocols.Program, opts emu.Options) *report.Report {
	t.Helper()
	m, err := emu.New(cfg)
	require.NoError(t, err)
	rep, err := m.Run(context.Background(), program, opts)
	require.NoError(t, err)
	return rep
}

// requireSameEvents shows the first event that differs and those just before it.
func requireSameEvents(t testing.TB, want, got []report.Event, about string) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i < len(want) && i < len(got) && want[i] == got[i] {
			continue
		}
		from := max(0, i-3)
		t.Fatalf("%s\nwant %v\ngot  %v", about, want[from:min(i+3, len(want))], got[from:min(i+3, len(got))])
	}
}
