package search

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// A seed that makes another subject makes another trial, too, and one that makes none is an error.
func TestAnotherSeedIsAnotherTrial(t *testing.T) {
	s := spread(t, 4, tree.Interleaved, correction.Checked{})
	refused := errors.New("no such seed")
	var asked []uint64
	s.WithSeed = func(seed uint64) (*Subject, error) {
		if seed == 9 {
			return nil, refused
		}
		other := *s
		other.Seed = seed
		other.NewTrial = func() (Trial, error) {
			asked = append(asked, seed)
			return s.NewTrial()
		}
		return &other, nil
	}
	r, err := newRunner(s)
	require.NoError(t, err)
	require.NoError(t, r.reseed(s.Seed))
	require.Empty(t, asked, "it has that seed")
	require.NoError(t, r.reseed(5))
	require.Equal(t, []uint64{5}, asked)
	require.ErrorIs(t, r.reseed(9), refused)
}

// What others send to a rank that is away is kept only if there are others.
func TestNothingIsKeptForARankThatIsAlone(t *testing.T) {
	for _, ranks := range []int{1, 2} {
		s := restlessSubject(ranks, 1)
		r, err := newRunner(s)
		require.NoError(t, err)
		_, _, err = r.judge(t.Context(), r.tracing, nil)
		require.NoError(t, err)
		d := newDrawer(&r.report, s, FuzzOptions{Faults: 3, Kinds: []faults.Kind{faults.Crash, faults.Rejoin, faults.Late}})
		kept := 0
		for seed := range uint64(20) {
			if d.absence(rand.New(rand.NewPCG(seed, 0)), &r.report).Has(faults.Late) {
				kept++
			}
		}
		require.Equal(t, ranks > 1, kept > 0, "%d ranks", ranks)
	}
}
