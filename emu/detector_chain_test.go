package emu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Rank 1 fails, and nothing is left to happen but that rank 3 is told of the first failure. It
// then sends to rank 0, which fails of that, and becomes known at the same instant as rank 1.
func TestAFailureThatFollowsFromANoticeComesFirstOnTheList(t *testing.T) {
	machine, err := emu.New(emu.Config{
		LogP:      clock.LogP{Ranks: 5, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 40, Period: 16},
	})
	require.NoError(t, err)
	var order []int
	_, err = machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
		detector, err := protocols.DetectorOf(p)
		if err != nil {
			panic(err)
		}
		switch p.Rank() {
		case 2:
			for n := range 3 {
				detector.WatchNext(n)
			}
			for range 3 {
				p.Recv(mailbox.Any)
			}
			for n := range 3 {
				rank, _ := detector.Known(n)
				order = append(order, rank)
			}
		case 3:
			detector.WatchNext(0)
			p.Recv(mailbox.Any)
			p.Send(0, mailbox.Message{})
		default:
			p.Recv(mailbox.Any)
		}
	}}, emu.Options{Faults: faults.MustParse("crash:4@t120,crash:1@t146,crash:0@recv1")})
	require.NoError(t, err)
	require.Equal(t, []int{4, 0, 1}, order)
}

// Rank 1 fails, and rank 3 is told long before rank 2. It then sends to rank 0, which fails of that, and becomes known to rank 2 first.
func TestAFailureThatFollowsFromANoticeOfAnotherComesFirst(t *testing.T) {
	d := emu.Detection{Delay: 4, Spread: 100}
	seed := uint64(0)
	for d.Lag(seed, 2, 1, 0) < 10+d.Lag(seed, 3, 1, 0)+d.Lag(seed, 2, 0, 0) {
		seed++
	}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, Detection: d})
	require.NoError(t, err)
	var told []int
	_, err = machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 2:
			for n := range 2 {
				p.Detector().WatchNext(n)
			}
			for range 2 {
				from, _ := p.Recv(mailbox.Any)
				told = append(told, from)
			}
		case 3:
			p.Detector().WatchNext(0)
			p.Recv(mailbox.Any)
			p.Send(0, mailbox.Message{})
		default:
			p.Recv(mailbox.Any)
		}
	}}, emu.Options{Seed: seed, Faults: faults.MustParse("crash:1@t10,crash:0@recv1")})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, told)
}
