package cryptorand_test

import (
	"crypto/rand"
	"io"
	"math/big"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
	"github.com/mangrove-emu/mangrove/protocols/statemachine/cryptorand"
)

// draw is how a library draws that knows nothing of us.
func draw() int64 {
	n, _ := rand.Int(rand.Reader, big.NewInt(1<<40))
	return n.Int64()
}

// bytes returns so many of them from whatever crypto/rand.Reader is.
func bytes(t *testing.T, n int) []byte {
	b := make([]byte, n)
	_, err := io.ReadFull(rand.Reader, b)
	require.NoError(t, err)
	return b
}

// Many runs go on at once, and in each of them every rank draws from its own stream, interrupted by what others do.
func TestRanksDrawFromTheirOwnStreams(t *testing.T) {
	want := make([][]byte, 3)
	run := func(f func(p protocols.Proc)) {
		machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}})
		require.NoError(t, err)
		_, err = machine.Run(t.Context(), protocols.Program{Main: f}, emu.Options{Seed: 7})
		require.NoError(t, err)
	}
	run(func(p protocols.Proc) {
		want[p.Rank()] = make([]byte, 64)
		_, err := io.ReadFull(statemachine.Reader(p), want[p.Rank()])
		require.NoError(t, err)
	})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			run(func(p protocols.Proc) {
				defer cryptorand.Use(p)()
				var got []byte
				for range 8 {
					got = append(got, bytes(t, 8)...)
					p.Send((p.Rank()+1)%3, mailbox.Message{})
					p.Recv(mailbox.Any)
				}
				require.Equal(t, want[p.Rank()], got)
			})
		})
	}
	wait.Wait()
}

// Who is no rank, or one no longer, draws as ever.
func TestOthersDrawAsEver(t *testing.T) {
	require.NotEqual(t, bytes(t, 16), bytes(t, 16))
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}})
	require.NoError(t, err)
	var before, after [][]byte
	for range 2 {
		_, err = machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
			end := cryptorand.Use(p)
			before = append(before, bytes(t, 16))
			end()
			after = append(after, bytes(t, 16))
		}}, emu.Options{})
		require.NoError(t, err)
	}
	require.Equal(t, before[0], before[1])
	require.NotEqual(t, after[0], after[1])
}

// waiting has each rank wait for as long as it draws.
func waiting(prepare func(p protocols.Proc) (end func())) emutest.Test {
	return emutest.Test{
		Machine: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		Program: protocols.Program{Main: func(p protocols.Proc) {
			defer prepare(p)()
			p.WaitUntil(clock.Time(1 + draw()%1000))
			p.Send((p.Rank()+1)%3, mailbox.Message{})
		}},
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Faults:     2,
		Random:     100,
		Rejoins:    []clock.Time{5},
	}
}

// A library whose random numbers are not the run's is noticed, and cryptorand is what helps.
func TestRunsCanBeRepeated(t *testing.T) {
	_, err := emutest.Check(t.Context(), waiting(func(protocols.Proc) func() { return func() {} }))
	require.ErrorIs(t, err, emutest.ErrNotRepeatable)
	emutest.Run(t, waiting(cryptorand.Use))
}
