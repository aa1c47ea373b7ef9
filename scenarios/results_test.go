package scenarios_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
)

func TestResultsAreThoseOfTheLastRun(t *testing.T) {
	r := scenarios.NewResults[string](3)
	_, ok := r.Of(0)
	require.False(t, ok)
	r.Set(2, "yes")
	r.Set(0, "")
	value, ok := r.Of(2)
	require.True(t, ok)
	require.Equal(t, "yes", value)
	require.Equal(t, map[int]string{0: "", 2: "yes"}, maps.Collect(r.All()))
	for rank := range r.All() {
		require.Zero(t, rank)
		break
	}
	r.Reset()
	require.Empty(t, maps.Collect(r.All()))
}

func TestResultsGoFromOneProcessToAnother(t *testing.T) {
	there, here := scenarios.NewResults[string](3), scenarios.NewResults[string](3)
	there.Set(1, "no")
	there.Set(2, "")
	for rank := range 3 {
		left, err := there.Save(rank)
		require.NoError(t, err)
		require.NoError(t, here.Load(rank, left))
	}
	require.Equal(t, map[int]string{1: "no", 2: ""}, maps.Collect(here.All()))
	_, err := there.Save(3)
	require.ErrorContains(t, err, "rank 3, want 0 to 2")
	require.ErrorContains(t, here.Load(0, []byte("x")), "cannot load what rank 0 has left")
}
