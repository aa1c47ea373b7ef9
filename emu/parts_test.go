package emu_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// runInParts runs a program on a machine of several parts, and returns what each of them does.
func runInParts(ctx context.Context, cfg emu.Config, count int, program protocols.Program, opts emu.Options) ([]*report.Report, []error) {
	reports := make([]*report.Report, count)
	errs := parts.Together(context.Background(), count, func(part parts.Mail) error {
		cfg := cfg
		cfg.Part = part
		m, err := emu.New(cfg)
		if err == nil {
			reports[part.Index()], err = m.Run(ctx, program, opts)
		}
		return err
	})
	return reports, errs
}

// A run is the same however many parts share its ranks.
func TestPartsDoTogetherWhatOneMachineDoes(t *testing.T) {
	for seed := range thorough.Times(uint64(600)) {
		random := rand.New(rand.NewPCG(seed, 23))
		cfg := someConfig(random)
		if random.IntN(5) == 0 {
			cfg.Network = someSwitch(random)
		}
		program := babble(20)
		if random.IntN(3) > 0 {
			cfg.Detection = someDetector(random, cfg)
			program = babbleOfFailures(15)
		}
		cfg.Workers = 1 + random.IntN(2)
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(8))}
		want := mustRun(t, cfg, program, opts)
		count := []int{2, 3, 7}[seed%3]
		about := fmt.Sprintf("seed %d, %d parts, %+v, %+v, network %v, faults %v", seed, count, cfg.LogP, cfg.Detection, cfg.Network, opts.Faults)
		reports, errs := runInParts(t.Context(), cfg, count, program, opts)
		for _, err := range errs {
			require.NoError(t, err, about)
		}
		got := reports[0]
		requireSameEvents(t, want.Events, got.Events, about)
		got.Wall, got.BytesPerRank = want.Wall, want.BytesPerRank
		require.Equal(t, want, got, about)
		requireSameApart(t, cfg, count, program, opts, want, about)
	}
}

// Mail that does not fit into one exchange goes in several, and is in order all the same.
func TestMuchMailGoesInSeveralExchanges(t *testing.T) {
	emu.ExchangeAtMost(t, 20)
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 24))
		cfg := someConfig(random)
		cfg.Workers = 1 + random.IntN(2)
		long := strings.Repeat("long", 1+random.IntN(3000))
		program := protocols.Program{Main: func(p protocols.Proc) {
			for i := range 40 {
				m := mailbox.Message{A: int64(i)}
				if i%5 == 0 {
					m.Payload = long[:p.Rank()+len(long)/2]
				}
				p.Send(p.Rand().IntN(p.Size()), m)
			}
			for range 5 {
				p.Poll(mailbox.Any)
			}
		}}
		opts := emu.Options{Seed: seed}
		want := mustRun(t, cfg, program, opts)
		requireSameApart(t, cfg, 2+random.IntN(3), program, opts, want, fmt.Sprintf("seed %d, %+v", seed, cfg.LogP))
	}
}

// requireSameApart runs parts that keep their results: together they have those of a machine that does all, and each has the rest of its report.
func requireSameApart(t *testing.T, cfg emu.Config, count int, program protocols.Program, opts emu.Options, all *report.Report, about string) {
	cfg.Trace, cfg.Apart = emu.TraceHash, true
	want := *all
	want.Events, want.Stopped = nil, nil
	reports, errs := runInParts(t.Context(), cfg, count, program, opts)
	require.Equal(t, make([]error, count), errs, about)
	var ranks []report.RankResult
	for i, rep := range reports {
		require.Equal(t, parts.BlockOf(i, count, cfg.Ranks), parts.Block{First: rep.Share.First, Len: len(rep.Ranks)}, about)
		require.Equal(t, cfg.Ranks, rep.Size(), about)
		require.NoError(t, rep.Share.Lost, about)
		ranks = append(ranks, rep.Ranks...)
		own := *rep
		own.Ranks, own.Share, own.Wall, own.BytesPerRank = want.Ranks, nil, want.Wall, want.BytesPerRank
		require.Equal(t, want, own, about)
	}
	require.Equal(t, want.Ranks, ranks, about)
}

// Why ranks wait for ever is known of all parts: a message that was lost explains only who wanted it.
func TestDeadlocksAreExplainedAcrossParts(t *testing.T) {
	cfg := smallMachine
	opts := emu.Options{Faults: faults.MustParse("lose:8@send1,lose:8@send2,lose:8@send3,crash:15@t9")}
	program := protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 8:
			p.Send(1, mailbox.Message{Kind: 2})
			p.Send(9, mailbox.Message{Kind: 1})
			p.Send(14, mailbox.Message{Kind: 2})
		case 1, 9, 14:
			p.Recv(mailbox.From(8).OfKind(2))
		case 3:
			p.Recv(mailbox.From(15))
		case 15:
			p.WaitUntil(20)
		}
	}}
	want := mustRun(t, cfg, program, opts)
	lost := make(map[int]bool)
	for _, d := range want.Deadlocks {
		lost[d.Rank] = strings.Contains(d.Cause, "lost")
	}
	require.Equal(t, map[int]bool{1: true, 3: false, 9: false, 14: true}, lost)
	for _, count := range []int{2, 3, 7} {
		reports, errs := runInParts(t.Context(), cfg, count, program, opts)
		require.Equal(t, make([]error, count), errs)
		require.Equal(t, want.Deadlocks, reports[0].Deadlocks)
		require.Equal(t, want.Hash, reports[0].Hash)
		requireSameApart(t, cfg, count, program, opts, want, fmt.Sprint(count))
	}
}

// smallMachine has a rank for each of seven parts, and some more.
var smallMachine = emu.Config{LogP: clock.LogP{Ranks: 16, Latency: 2, Overhead: 1}, Trace: emu.TraceHash}

// Whatever ends a run in one part ends it in all, with the error that one machine would have.
func TestErrorsEndTheRunInAllParts(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	everybody := func(do func(p protocols.Proc)) protocols.Program { return protocols.Program{Main: do} }
	for name, c := range map[string]struct {
		ctx     context.Context
		limit   clock.Time
		program protocols.Program
	}{
		"a panic": {t.Context(), 0, everybody(func(p protocols.Proc) {
			p.WaitUntil(clock.Time(p.Rank()))
			if p.Rank() >= 11 {
				panic(fmt.Errorf("rank %d has had enough", p.Rank()))
			}
			p.Recv(mailbox.Any)
		})},
		"a panic when all is over": {t.Context(), 0, everybody(func(p protocols.Proc) {
			if p.Rank() == 12 {
				defer panic("no time for this")
				p.Recv(mailbox.Any)
			}
		})},
		"a loop": {t.Context(), 0, everybody(func(p protocols.Proc) {
			for p.Rank() == 13 {
				p.Poll(mailbox.Any)
			}
		})},
		"the time limit": {t.Context(), 500, everybody(func(p protocols.Proc) {
			for p.Rank() == 15 {
				p.WaitUntil(p.Now() + 10)
			}
		})},
		"a panic when the run is over": {t.Context(), 0, everybody(func(p protocols.Proc) {
			if p.Rank() >= 11 {
				defer func() { panic("too late") }()
				p.WaitUntil(clock.Time(20 - p.Rank())) // the last of them is the first in time
				p.Recv(mailbox.Any)
			}
		})},
		"a cancellation": {cancelled, 0, babble(3)},
	} {
		cfg := smallMachine
		cfg.TimeLimit, cfg.StepLimit = c.limit, 1000
		m, err := emu.New(cfg)
		require.NoError(t, err)
		_, want := m.Run(c.ctx, c.program, emu.Options{})
		require.Error(t, want, name)
		for _, count := range []int{2, 3, 7} {
			reports, errs := runInParts(c.ctx, cfg, count, c.program, emu.Options{})
			for i, err := range errs {
				require.Nil(t, reports[i], name)
				require.Equal(t, firstLine(want), firstLine(err), name)
				require.IsType(t, want, err, name)
			}
		}
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(fmt.Sprint(err), "\n")
	return line
}

// One part that is told to stop stops all.
func TestOnePartStopsAll(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	program := protocols.Program{Main: func(p protocols.Proc) {
		for {
			p.WaitUntil(p.Now() + 10)
			if p.Rank() == 0 && p.Now() == 1000 {
				cancel(why)
			}
		}
	}}
	errs := make([]error, 3)
	parts.Together(t.Context(), 3, func(part parts.Mail) error {
		i, cfg, own := part.Index(), smallMachine, t.Context()
		if cfg.Part = part; i == 1 {
			own = ctx
		}
		m, err := emu.New(cfg)
		if err == nil {
			_, errs[i] = m.Run(own, program, emu.Options{})
		}
		return err // the others learn of the rest by themselves
	})
	require.ErrorIs(t, errs[1], why)
	for _, i := range []int{0, 2} {
		require.ErrorContains(t, errs[i], "run cancelled")
		require.ErrorContains(t, errs[i], "another part was told to stop")
	}
}

// fickle is a group that somebody leaves after some calls.
type fickle struct {
	parts.Group
	calls *int
}

var errGone = errors.New("part 1 is gone")

func (f fickle) Min(t clock.Time) (clock.Time, error) {
	if *f.calls--; *f.calls < 0 {
		return 0, errGone
	}
	return f.Group.Min(t)
}

func (f fickle) Exchange(out [][]byte) ([][]byte, error) {
	if *f.calls--; *f.calls < 0 {
		return nil, errGone
	}
	return f.Group.Exchange(out)
}

// Without one of the parts there is no report, whenever it goes, and nobody waits for ever.
func TestAPartThatIsGoneIsAnError(t *testing.T) {
	cfg := smallMachine
	cfg.Detection = emu.Detection{Delay: 9, Spread: 7}
	schedule := faults.MustParse("crash:3@t5,rejoin:3@t30,crash:9@t7")
	last := 0
	for calls := 0; ; calls++ {
		reports, left := make([]*report.Report, 3), calls
		errs := parts.Together(t.Context(), 3, func(part parts.Mail) error {
			i, cfg := part.Index(), cfg
			if cfg.Part = part; i == 1 {
				cfg.Part = fickle{part, &left}
			}
			m, err := emu.New(cfg)
			if err == nil {
				reports[i], err = m.Run(t.Context(), babbleOfFailures(4), emu.Options{Seed: 5, Faults: schedule})
			}
			return err
		})
		if errs[1] == nil {
			break
		}
		last = calls
		for i := range errs {
			require.ErrorIs(t, errs[i], errGone, "after %d calls", calls)
			require.Nil(t, reports[i])
		}
	}
	require.Greater(t, last, 20)
}

// Parts serve one run after the other, and may keep their goroutines between them.
func TestPartsAreKeptFromRunToRun(t *testing.T) {
	cfg := smallMachine
	cfg.Detection = emu.Detection{Delay: 9}
	want := make([]report.Hash, 20)
	options := func(seed int) emu.Options {
		return emu.Options{Seed: uint64(seed), Faults: someFaults(rand.New(rand.NewPCG(uint64(seed), 24)), cfg.Ranks, seed%6)}
	}
	for seed := range want {
		want[seed] = mustRun(t, cfg, babbleOfFailures(6), options(seed)).Hash
	}
	got := make([]report.Hash, len(want))
	errs := parts.Together(t.Context(), 3, func(part parts.Mail) error {
		cfg := cfg
		cfg.Part = part
		m, err := emu.New(cfg)
		if err != nil {
			return err
		}
		m.Keep()
		for seed := range want {
			rep, err := m.Run(t.Context(), babbleOfFailures(6), options(seed))
			if err != nil {
				return err
			}
			if part.Index() == 0 {
				got[seed] = rep.Hash
			}
		}
		return m.Close()
	})
	require.Equal(t, make([]error, 3), errs)
	require.Equal(t, want, got)
}

// Parts list together as many of the ranks that wait for ever as one machine does, the first ones, wherever the list ends, and say the same of them.
func TestPartsCutLongListsWhereOneMachineDoes(t *testing.T) {
	const ranks = 40
	cfg := emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Workers: 1}
	var all []int
	for rank := range ranks {
		all = append(all, rank)
	}
	program := protocols.Program{Initiators: all, Main: func(p protocols.Proc) {
		if p.Rank()%3 > 0 {
			p.Recv(mailbox.From((p.Rank() + 8) % ranks))
		}
	}}
	const waiting = 26
	for _, most := range []int{0, 1, 5, 6, 7, 12, 13, 14, 25, 26, 100} {
		emu.ListAtMost(t, most)
		alone := mustRun(t, cfg, program, emu.Options{})
		require.Len(t, alone.Deadlocks, min(most, waiting))
		require.Equal(t, max(0, waiting-most), alone.Unlisted.Deadlocks)
		require.Equal(t, waiting, alone.Waiting())
		for _, count := range []int{2, 3, 7} {
			reports, errs := runInParts(t.Context(), cfg, count, program, emu.Options{})
			require.Equal(t, make([]error, count), errs)
			require.Equal(t, alone.Deadlocks, reports[0].Deadlocks, "%d in %d parts", most, count)
			require.Equal(t, alone.Unlisted, reports[0].Unlisted)
		}
	}
}
