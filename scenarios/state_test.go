package scenarios_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// kept is what ranks of a made-up protocol leave: a number each, or nothing.
type kept []*int

func (k kept) state() scenarios.PerRank[int] {
	return scenarios.PerRank[int]{
		Ranks:  len(k),
		Forget: func() { clear(k) },
		Left:   func(rank int) *int { return k[rank] },
		Take: func(rank int, left *int) error {
			if *left < 0 {
				return errors.New("no rank leaves that")
			}
			k[rank] = left
			return nil
		},
	}
}

func TestWhatRanksLeaveIsSavedAndLoaded(t *testing.T) {
	left, minus := 42, -1
	here, there := kept{nil, &left, &minus}, make(kept, 3)
	for rank := range here[:2] {
		data, err := here.state().Save(rank)
		require.NoError(t, err)
		require.Equal(t, rank == 0, len(data) == 0, "nothing is left as nothing")
		require.NoError(t, there.state().Load(rank, data))
	}
	require.Equal(t, here[:2], there[:2])

	data, err := here.state().Save(2)
	require.NoError(t, err)
	require.EqualError(t, there.state().Load(2, data), "scenarios: cannot load what rank 2 has left: no rank leaves that")
	require.Nil(t, there[2])
	there.state().Reset()
	require.Equal(t, make(kept, 3), there)
}

func TestWhatNoRankHasLeftIsNotLoaded(t *testing.T) {
	left := 42
	here := kept{&left}
	data, err := here.state().Save(0)
	require.NoError(t, err)
	require.ErrorContains(t, here.state().Load(0, append(data, 7)), "of which the last 1 belong to nothing")
	require.ErrorContains(t, here.state().Load(0, data[:len(data)-1]), "cannot load what rank 0 has left")
	for _, rank := range []int{-1, 1} {
		require.ErrorContains(t, here.state().Load(rank, data), "want 0 to 0")
		_, err := here.state().Save(rank)
		require.ErrorContains(t, err, "want 0 to 0")
	}
}

func TestOnlyTheRootLeavesItsValue(t *testing.T) {
	const ranks, root = 3, 1
	make := func(value *int) scenarios.State {
		return scenarios.OfRoot(ranks, root, value, func(v *int) error {
			if *v > 100 {
				return errors.New("too much")
			}
			return nil
		})
	}
	here, there := 5, 6
	from, to := make(&here), make(&there)
	here = 50
	data, err := from.Save(root)
	require.NoError(t, err)
	require.NoError(t, to.Load(root, data))
	require.Equal(t, 50, there)
	require.ErrorContains(t, to.Load(2, data), "only root 1 leaves something")
	none, err := from.Save(0)
	require.NoError(t, err)
	require.Empty(t, none)

	here = 101
	data, err = from.Save(root)
	require.NoError(t, err)
	require.ErrorContains(t, to.Load(root, data), "too much")
	require.Equal(t, 50, there, "what is refused changes nothing")
	to.Reset()
	require.Equal(t, 6, there, "what it was at first")
}

func TestAProtocolThatKeepsNothingLoadsNothing(t *testing.T) {
	run, err := testRegistry(nothing).ParseLine("test P=2")
	require.NoError(t, err)
	require.NoError(t, run.Load(1, nil))
	require.EqualError(t, run.Load(1, []byte{7}), "scenarios: 1 bytes of rank 1, want none: test keeps nothing")
	left, err := run.Save(1)
	require.NoError(t, err)
	require.Empty(t, left)
}
