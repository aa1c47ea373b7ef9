package emu_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols"
)

// A machine that is kept does the same as a new one, whatever it ran before: runs with
// failures, deadlocks, panics.
func TestKeptMachineDoesTheSameAsANewOne(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 90, Latency: 2, Overhead: 1}, Trace: emu.TraceHash, Workers: 2}
	kept, err := emu.New(cfg)
	require.NoError(t, err)
	kept.Keep()
	for seed := range uint64(60) {
		opts := emu.Options{Seed: seed, Faults: someFaults(rand.New(rand.NewPCG(seed, 3)), 90, int(seed)%20)}
		want := mustRun(t, cfg, babble(15), opts)
		got, err := kept.Run(context.Background(), babble(15), opts)
		require.NoError(t, err)
		require.Equal(t, want.Hash, got.Hash)
		require.Equal(t, want.Failed, got.Failed)
		if seed%7 == 0 {
			_, err := kept.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() == int(seed) {
					explode()
				}
			}}, opts)
			require.ErrorIs(t, err, errOops)
		}
	}
	require.NoError(t, kept.Close())
	again, err := kept.Run(context.Background(), ringOnce, emu.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 90, again.Messages)
}

func TestCloseEndsWhatKeepLeftBehind(t *testing.T) {
	others := goleak.IgnoreCurrent()
	m, err := emu.New(eight)
	require.NoError(t, err)
	m.Keep()
	_, err = m.Run(context.Background(), ringOnce, emu.Options{})
	require.NoError(t, err)
	left := goleak.Find(others)
	require.Error(t, left)
	require.GreaterOrEqual(t, strings.Count(left.Error(), "created by"), 8, left.Error())
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "twice does no harm")
	require.NoError(t, goleak.Find(others))
}

func TestCloseDuringARunIsRefused(t *testing.T) {
	m, err := emu.New(eight)
	require.NoError(t, err)
	var inner error
	_, err = m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			inner = m.Close()
		}
	}}, emu.Options{})
	require.NoError(t, err)
	require.EqualError(t, inner, "emu: the machine is in use by a run")
}
