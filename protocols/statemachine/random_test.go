package statemachine_test

import (
	"io"
	random "math/rand"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// Whatever a library draws from is the stream of the rank, PCG(seed of the run, rank).
func TestRandomNumbersAreThoseOfTheRank(t *testing.T) {
	runOn(t, 2, "none", func(p protocols.Proc) {
		want := rand.New(rand.NewPCG(7, uint64(p.Rank())))

		var bytes [20]byte
		_, err := io.ReadFull(statemachine.Reader(p), bytes[:])
		require.NoError(t, err)
		for i := 0; i < 20; i += 8 {
			word := want.Uint64()
			for j := i; j < min(i+8, 20); j++ {
				require.Equal(t, byte(word), bytes[j])
				word >>= 8
			}
		}

		source := statemachine.Source(p)
		source.Seed(99) // changes nothing
		require.Equal(t, want.Uint64(), source.Uint64())
		require.Equal(t, int64(want.Uint64()>>1), source.Int63())
		n := random.New(source).Intn(10)
		require.Equal(t, random.New(copied{want}).Intn(10), n)
	})
}

// copied is how math/rand draws from a generator of math/rand/v2.
type copied struct{ *rand.Rand }

func (c copied) Int63() int64 { return int64(c.Uint64() >> 1) }
func (copied) Seed(int64)     {}
