package emu_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var eight = emu.Config{LogP: clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}}

// runError runs a program that must fail, and shows that the machine can be used again.
func runError(t *testing.T, cfg emu.Config, main func(p protocols.Proc)) error {
	t.Helper()
	m, err := emu.New(cfg)
	require.NoError(t, err)
	report, err := m.Run(context.Background(), protocols.Program{Main: main}, emu.Options{})
	require.Error(t, err)
	require.Nil(t, report)
	again, errAgain := m.Run(context.Background(), ringOnce, emu.Options{})
	require.NoError(t, errAgain)
	require.Empty(t, again.Deadlocks)
	require.EqualValues(t, cfg.Ranks, again.Messages)
	return err
}

// ringOnce passes a token once around the ring.
var ringOnce = protocols.Program{Main: func(p protocols.Proc) {
	next := (p.Rank() + 1) % p.Size()
	if p.Rank() == 0 {
		p.Send(next, mailbox.Message{})
		p.Recv(mailbox.Any)
		return
	}
	p.Recv(mailbox.Any)
	p.Send(next, mailbox.Message{})
}}

var errOops = errors.New("oops")

func explode() { panic(errOops) }

func TestPanicNamesRankTimeAndStack(t *testing.T) {
	err := runError(t, eight, func(p protocols.Proc) {
		p.WaitUntil(40)
		if p.Rank() == 5 || p.Rank() == 3 {
			explode()
		}
		p.Recv(mailbox.Any)
	})
	var failure *emu.PanicError
	require.ErrorAs(t, err, &failure)
	require.ErrorIs(t, err, errOops)
	require.Equal(t, 3, failure.Rank, "the lowest rank of those that panicked at the same time")
	require.EqualValues(t, 40, failure.Time)
	require.Contains(t, string(failure.Stack), "explode")
	require.True(t, strings.HasPrefix(err.Error(), "emu: rank 3 panicked at t=40: oops\n"), err.Error())
}

func TestGoexitInProgramIsAnError(t *testing.T) {
	err := runError(t, eight, func(p protocols.Proc) {
		if p.Rank() == 2 {
			runtime.Goexit()
		}
	})
	require.ErrorContains(t, err, "rank 2 panicked at t=0: the program ended its goroutine with runtime.Goexit")
}

func TestSendToUnknownRankIsAnError(t *testing.T) {
	for _, to := range []int{-1, 8} {
		err := runError(t, eight, func(p protocols.Proc) { p.Send(to, mailbox.Message{}) })
		require.ErrorContains(t, err, "want 0 to 7")
	}
}

func TestProgramThatNeverAdvancesItsClockIsStopped(t *testing.T) {
	spins := map[string]func(p protocols.Proc){
		"Poll":      func(p protocols.Proc) { p.Poll(mailbox.Any) },
		"WaitUntil": func(p protocols.Proc) { p.WaitUntil(p.Now() - 1) },
		"RecvUntil": func(p protocols.Proc) { p.RecvUntil(mailbox.Any, p.Now()) },
		"Step":      func(p protocols.Proc) { p.Step("again") },
		"Now":       func(p protocols.Proc) { p.Now() },
	}
	for name, spin := range spins {
		t.Run(name, func(t *testing.T) {
			cfg := eight
			cfg.StepLimit = 1000
			err := runError(t, cfg, func(p protocols.Proc) {
				p.WaitUntil(17)
				for p.Rank() == 4 {
					spin(p)
				}
			})
			var limit *emu.StepLimitError
			require.ErrorAs(t, err, &limit)
			require.Equal(t, emu.StepLimitError{Rank: 4, Time: 17, Limit: 1000}, *limit)
			require.ErrorContains(t, err, "rank 4 has made more than 1000 calls at t=17")
		})
	}
}

func TestCallsThatAdvanceTheClockDoNotCountTowardsTheLimit(t *testing.T) {
	cfg := eight
	cfg.StepLimit = 10
	report := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		for i := range 100 {
			p.Poll(mailbox.Any)
			if i%3 == 0 {
				p.WaitUntil(p.Now() + 1)
			}
		}
	}}, emu.Options{})
	require.EqualValues(t, 34, report.Exit)
}

func TestRunThatGoesOnForEverMeetsTheTimeLimit(t *testing.T) {
	cfg := eight
	cfg.TimeLimit = 1000
	err := runError(t, cfg, func(p protocols.Proc) {
		for {
			p.WaitUntil(p.Now() + 7)
		}
	})
	var limit *emu.TimeLimitError
	require.ErrorAs(t, err, &limit)
	require.EqualValues(t, 1000, limit.Limit)
}

func TestContextCancelsRun(t *testing.T) {
	m, err := emu.New(eight)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	_, err = m.Run(ctx, protocols.Program{Main: func(p protocols.Proc) {
		for {
			if p.WaitUntil(p.Now() + 1); p.Now() == 100 && p.Rank() == 0 {
				cancel()
			}
		}
	}}, emu.Options{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = m.Run(ctx, ringOnce, emu.Options{})
	require.ErrorIs(t, err, context.Canceled, "cancelled before it began")
}

func TestNonInitiatorMustBeginWithRecv(t *testing.T) {
	first := map[string]func(p protocols.Proc){
		"Send":      func(p protocols.Proc) { p.Send(0, mailbox.Message{}) },
		"Poll":      func(p protocols.Proc) { p.Poll(mailbox.Any) },
		"RecvUntil": func(p protocols.Proc) { p.RecvUntil(mailbox.Any, 3) },
		"WaitUntil": func(p protocols.Proc) { p.WaitUntil(3) },
		"Step":      func(p protocols.Proc) { p.Step("begin") },
	}
	for name, call := range first {
		m, err := emu.New(eight)
		require.NoError(t, err)
		_, err = m.Run(context.Background(), protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(6, mailbox.Message{})
				return
			}
			call(p)
		}}, emu.Options{})
		require.ErrorContains(t, err, "rank 6 is not among the program's initiators, so it must begin with Recv, not "+name)
	}
}

func TestRunRefusesBadArguments(t *testing.T) {
	m, err := emu.New(eight)
	require.NoError(t, err)
	run := func(program protocols.Program, schedule string) error {
		_, err := m.Run(context.Background(), program, emu.Options{Faults: faults.MustParse(schedule)})
		return err
	}
	require.EqualError(t, run(protocols.Program{}, "none"), "emu: the program has no Main")
	outside := ringOnce
	outside.Initiators = []int{8}
	require.EqualError(t, run(outside, "none"), "emu: initiator 8, want 0 to 7")
	require.ErrorContains(t, run(ringOnce, "crash:99@t3"), "rank 99, want 0 to 7")
	require.ErrorContains(t, run(ringOnce, "crash:~2@t3"), "use Schedule.Expand first")
}

func TestMachineRefusesTwoRunsAtOnce(t *testing.T) {
	m, err := emu.New(eight)
	require.NoError(t, err)
	var inner error
	_, err = m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			_, inner = m.Run(context.Background(), ringOnce, emu.Options{})
		}
	}}, emu.Options{})
	require.NoError(t, err)
	require.EqualError(t, inner, "emu: the machine is in use by another run")
}

// badNetwork is one that does not keep to its own lower bound.
type badNetwork struct{ latency clock.Time }

func (n badNetwork) Latency(from, to int) clock.Time { return n.latency }
func (n badNetwork) MinLatency() clock.Time          { return 5 }

func TestNetworkThatBreaksItsPromiseIsAnError(t *testing.T) {
	for _, latency := range []clock.Time{-4, 4, clock.Never} {
		m, err := emu.New(emu.Config{LogP: eight.LogP, Network: badNetwork{latency}})
		require.NoError(t, err)
		_, err = m.Run(context.Background(), ringOnce, emu.Options{})
		require.ErrorContains(t, err, "network latency from 0 to 1 =")
	}
}

// However long a message takes, time does not wrap around.
func TestTimeDoesNotOverflow(t *testing.T) {
	cfg := eight
	cfg.PerByte, cfg.Latency, cfg.Overhead, cfg.Gap = clock.MaxCost, clock.MaxCost, clock.MaxCost, clock.MaxCost
	m, err := emu.New(cfg)
	require.NoError(t, err)
	_, err = m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Payload: string(make([]byte, 10<<20))})
			p.Send(1, mailbox.Message{})
		}
		if p.Rank() == 1 {
			p.Recv(mailbox.Any)
			p.Recv(mailbox.Any)
		}
	}}, emu.Options{Faults: faults.MustParse("slow:0x1000000@t0,slow:1x1000000@t0")})
	var limit *emu.TimeLimitError
	require.ErrorAs(t, err, &limit)
}

func TestNewListsEverythingWrongWithTheConfiguration(t *testing.T) {
	_, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 0, Latency: -3}, Network: clock.Uniform(0), Workers: -1, StepLimit: -2, TimeLimit: -5})
	for _, part := range []string{"ranks P = 0", "latency L = -3 ticks", "overhead o = 0 ticks, want 1 to", "network latency = 0", "workers = -1", "step limit = -2", "time limit = -5"} {
		require.ErrorContains(t, err, part)
	}
}

// A cancellation that comes after a run has ended must not hit the next one.
func TestLateCancelDoesNotHitTheNextRun(t *testing.T) {
	m, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}})
	require.NoError(t, err)
	for range 3000 {
		ctx, cancel := context.WithCancel(context.Background())
		_, _ = m.Run(ctx, protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				cancel()
			}
		}}, emu.Options{})
		_, err := m.Run(context.Background(), ringOnce, emu.Options{})
		require.NoError(t, err)
	}
}

// A long message of a rank that is a million times slower may be under way for longer than any run. It does not
// arrive in the past.
func TestLongMessageOfASlowRankArrivesLateOrNever(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 3, Overhead: 2, PerByte: clock.MaxCost}}
	for _, bytes := range []int{2, 9, 10, 100, 1 << 20} {
		machine, err := emu.New(cfg)
		require.NoError(t, err)
		rep, err := machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{Payload: strings.Repeat("x", bytes)})
				return
			}
			p.Recv(mailbox.Any)
		}}, emu.Options{Faults: faults.MustParse("slow:0x1000000")})
		if bytes == 2 {
			require.NoError(t, err)
			require.Equal(t, 1_000_000*(cfg.Overhead+cfg.PerByte)+cfg.Latency+cfg.Overhead, rep.Quiescence)
			continue
		}
		var late *emu.TimeLimitError
		require.ErrorAs(t, err, &late, "%d bytes", bytes)
	}
}
