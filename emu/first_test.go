package emu_test

import (
	"context"
	"fmt"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"testing"
)

func TestFirst(t *testing.T) {
	for _, p := range []int{1, 2, 64, 1024, 65536, 1 << 20} {
		lp := clock.LogP{Ranks: p, Latency: 2, Overhead: 1}
		m, err := emu.New(emu.Config{LogP: lp})
		if err != nil {
			t.Fatal(err)
		}
		b, err := broadcast.New(lp, tree.Binomial{Ranks: p}, &correction.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 3; i++ {
			rep, err := m.Run(context.Background(), b.Program(mailbox.Message{A: 5}), emu.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(p, rep.Messages, rep.Coloring, rep.Quiescence, rep.Exit, len(rep.Unreached), len(rep.Deadlocks), rep.Windows, rep.Wakes, rep.Wall, rep.BytesPerRank)
		}
	}
}
