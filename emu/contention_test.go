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
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// someSwitch draws a switch that is busy most of the time, or seldom.
func someSwitch(random *rand.Rand) clock.Switch {
	return clock.Switch{
		In:      clock.Time(random.IntN(5)),
		Service: 1 + clock.Time(random.IntN(4)),
		Out:     clock.Time(random.IntN(5)),
	}
}

// The order in which messages pass the switch is decided at barriers, but it is that of a
// machine that goes from instant to instant, whatever fails and however long messages are.
func TestSwitchEqualsTheReferenceMachine(t *testing.T) {
	for seed := range thorough.Times(uint64(1000)) {
		random := rand.New(rand.NewPCG(seed, 3))
		cfg := someConfig(random)
		cfg.Network = someSwitch(random)
		if random.IntN(2) == 0 {
			cfg.PerByte = clock.Time(random.IntN(9)) // long messages are overtaken by later ones
		}
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(6))}
		program := babble(20)
		want := runReference(cfg, program, opts)
		rep := mustRun(t, cfg, program, opts)
		about := fmt.Sprintf("seed %d, %+v, %v, faults %v", seed, cfg.LogP, cfg.Network, opts.Faults)
		requireSameEvents(t, want.events, rep.Events, about)
		require.Equal(t, want.quiescence, rep.Quiescence, about)
		require.EqualValues(t, want.sent, rep.Messages, about)
	}
}

// All ranks send to the next one at the same time; the switch takes them by rank.
func TestSwitchServesOneMessageAtATimeTheLowerRankFirst(t *testing.T) {
	const ranks = 10
	cfg := emu.Config{
		LogP:    clock.LogP{Ranks: ranks, Latency: 1, Overhead: 2},
		Network: clock.Switch{In: 4, Service: 3, Out: 5},
		Trace:   emu.TraceEvents,
	}
	rep := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		p.Send((p.Rank()+1)%ranks, mailbox.Message{})
		p.Recv(mailbox.Any)
	}}, emu.Options{})
	for rank := range ranks {
		got := rep.Ranks[(rank+1)%ranks].Coloured
		require.EqualValues(t, 2+4+3*(rank+1)+5+2, got, "message of rank %d", rank)
	}
	require.Equal(t, 4+cfg.Network.(clock.Switch).Burst(ranks), rep.Quiescence)
}

// A long message is on its way to the switch for a hundred ticks. Short ones that are sent
// much later, one upon the other, overtake it.
func TestShortMessagesOvertakeALongOneOnTheWayToTheSwitch(t *testing.T) {
	cfg := emu.Config{
		LogP:    clock.LogP{Ranks: 3, Latency: 1, Overhead: 1, PerByte: 1},
		Network: clock.Switch{In: 2, Service: 10, Out: 2},
	}
	var order []int
	var last clock.Time
	rep := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			p.Send(2, mailbox.Message{Payload: strings.Repeat("x", 101)})
		case 1:
			for range 3 {
				p.Send(2, mailbox.Message{})
				p.Recv(mailbox.Any)
			}
			p.WaitUntil(100) // its message reaches the switch at the same tick as the long one
			p.Send(2, mailbox.Message{})
		case 2:
			for range 5 {
				from, _ := p.Recv(mailbox.Any)
				order, last = append(order, from), p.Now()
				if from == 1 && len(order) <= 3 {
					p.Send(1, mailbox.Message{})
				}
			}
		}
	}}, emu.Options{})
	require.Equal(t, []int{1, 1, 1, 0, 1}, order)
	require.EqualValues(t, 100+1+2+2*10+2+1, last)
	require.Empty(t, rep.Deadlocks)
}

func TestSwitchGivesTheSameHashForAnyNumberOfWorkers(t *testing.T) {
	logp := clock.LogP{Ranks: 300, Latency: 1, Overhead: 2, PerByte: 3}
	for seed := range uint64(3) {
		opts := emu.Options{Seed: seed, Faults: someFaults(rand.New(rand.NewPCG(seed, 4)), logp.Ranks, 60)}
		hashes := make(map[report.Hash]bool)
		for _, workers := range []int{1, 2, 7} {
			m, err := emu.New(emu.Config{LogP: logp, Network: clock.Switch{In: 3, Service: 1, Out: 1}, Workers: workers, Trace: emu.TraceHash})
			require.NoError(t, err)
			for range 2 {
				rep, err := m.Run(context.Background(), babble(20), opts)
				require.NoError(t, err)
				hashes[rep.Hash] = true
			}
		}
		require.Len(t, hashes, 1, "seed %d", seed)
	}
}

// Messages that a run leaves in the switch, because it was cancelled or failed, are gone.
func TestSwitchForgetsARunThatWasCutShort(t *testing.T) {
	cfg := emu.Config{
		LogP:    clock.LogP{Ranks: 20, Latency: 1, Overhead: 1, PerByte: 5},
		Network: clock.Switch{In: 1, Service: 9, Out: 1},
		Trace:   emu.TraceHash, TimeLimit: 10_000,
	}
	want := mustRun(t, cfg, babble(12), emu.Options{Seed: 5})
	m, err := emu.New(cfg)
	require.NoError(t, err)
	for _, cut := range []string{"cancelled", "panic", "time limit"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		_, err = m.Run(ctx, protocols.Program{Main: func(p protocols.Proc) {
			for p.Send(0, mailbox.Message{Payload: "0123456789"}); ; p.Send(p.Rank()/2, mailbox.Message{}) {
				switch {
				case p.Rank() != 7 || p.Now() < 50:
				case cut == "cancelled":
					cancel(errors.New("enough"))
				case cut == "panic":
					panic("enough")
				}
			}
		}}, emu.Options{})
		cancel(nil)
		require.Error(t, err, cut)
		got, err := m.Run(context.Background(), babble(12), emu.Options{Seed: 5})
		require.NoError(t, err)
		require.Equal(t, want.Hash, got.Hash, cut)
	}
}

// lopsided is a network whose bottleneck does not fit its latency.
type lopsided struct {
	clock.Switch
	before clock.Time
}

func (l lopsided) Bottleneck() (before, service, after clock.Time) { return l.before, 2, 2 }

func TestConfigRefusesNetworksThatDoNotFit(t *testing.T) {
	logp := clock.LogP{Ranks: 9, Latency: 1, Overhead: 1}
	for _, tt := range []struct {
		network clock.Network
		want    string
	}{
		{clock.Torus{X: 2, Y: 2, Z: 2, PerHop: 1}, "emu: ranks P = 9 ranks, want 1 to 8, the nodes of the network"},
		{clock.FatTree{Arity: 2, Levels: 3, PerHop: 1}, "emu: ranks P = 9 ranks, want 1 to 8, the nodes of the network"},
		{clock.Torus{X: 2, Y: 2, Z: 2}, "clock: latency per hop = 0 ticks, want 1 to 1099511627776"},
		{clock.Switch{}, "clock: service time = 0 ticks, want 1 to 1099511627776"},
		{lopsided{clock.Switch{In: 1, Service: 1, Out: 1}, 1},
			"emu: 1, 2 and 2 ticks to, in and from the bottleneck, want 0 or more and the smallest latency of 3 together"},
		{lopsided{clock.Switch{In: 1, Service: 1, Out: 1}, -1},
			"emu: -1, 2 and 2 ticks to, in and from the bottleneck, want 0 or more and the smallest latency of 3 together"},
	} {
		require.EqualError(t, emu.Config{LogP: logp, Network: tt.network}.Validate(), tt.want)
	}
	require.NoError(t, emu.Config{LogP: logp, Network: clock.Torus{X: 3, Y: 3, Z: 3, PerHop: 1}}.Validate(), "a partition")
}

// Latencies depend on the distance; the machine goes on in windows of the shortest.
func TestTorusAndFatTreeEqualTheReferenceMachine(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 5))
		cfg := someConfig(random)
		cfg.Network = clock.FatTree{Arity: 3, Levels: 3, PerHop: 2}
		if random.IntN(2) == 0 {
			cfg.Network = clock.Torus{X: 3, Y: 2, Z: 4, PerHop: 3, Mesh: random.IntN(2) == 0, Order: clock.Order(random.IntN(6))}
		}
		opts := emu.Options{Seed: seed, Faults: someFaults(random, cfg.Ranks, random.IntN(4))}
		want := runReference(cfg, babble(20), opts)
		rep := mustRun(t, cfg, babble(20), opts)
		requireSameEvents(t, want.events, rep.Events, fmt.Sprintf("seed %d, %+v, %v", seed, cfg.LogP, cfg.Network))
	}
}
