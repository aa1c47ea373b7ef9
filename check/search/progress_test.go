package search

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

func TestProgressTellsWhatIsLeft(t *testing.T) {
	require.Zero(t, Progress{}.Left())
	require.Equal(t, 100*365*24*time.Hour, Progress{Done: 1e-18, Elapsed: time.Hour}.Left(), "no more than a hundred years")
	require.EqualValues(t, 300, Progress{Done: 0.25, Elapsed: 100}.Left())
	require.EqualValues(t, 200, Progress{Done: 0.5, EarlierDone: 0.25, Elapsed: 100}.Left(), "what was done before took no time now")
	require.InDelta(t, 5, Progress{Runs: 30, EarlierRuns: 20, Elapsed: 2 * time.Second}.Rate(), 1e-9)
}

// Parts differ in size by far, and still the share that is done grows with the runs.
func TestProgressGrowsEvenly(t *testing.T) {
	for name, c := range map[string]correction.Correction{"checked": correction.Checked{}, "optimized": &correction.Opportunistic{Messages: 3, Optimized: true}} {
		t.Run(name, func(t *testing.T) {
			var seen []Progress
			found := explore(t, spread(t, 8, tree.Interleaved, c), ExploreOptions{
				Faults: 3, Workers: 1, Progress: func(p Progress) { seen = append(seen, p) },
			})
			last := 0.0
			for _, p := range seen {
				require.GreaterOrEqual(t, p.Done, last)
				last = p.Done
				require.InDelta(t, float64(p.Runs)/float64(found.Runs), p.Done, 0.15, "after %d of %d runs", p.Runs, found.Runs)
			}
			require.Greater(t, len(seen), 10)
			require.InDelta(t, 1, last, 1e-6)
			require.Equal(t, found.Runs, seen[len(seen)-1].Runs)
			require.Equal(t, found.Covered, seen[len(seen)-1].Covered)
		})
	}
}

// Explorations of single faults know how many runs they make, one of which is that without faults, from the beginning.
func TestTheRunWithoutFaultsIsAShareOfTheWhole(t *testing.T) {
	var last Progress
	found := explore(t, spread(t, 6, tree.Interleaved, correction.Checked{}), ExploreOptions{
		Faults: 1, Workers: 1, Progress: func(p Progress) { last = p },
	})
	require.InDelta(t, 1/float64(found.Runs), last.EarlierDone, 1e-9)
}

func TestSubsets(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want float64
	}{{0, 3, 1}, {5, 0, 1}, {5, 1, 6}, {5, 2, 16}, {5, 5, 32}, {5, 9, 32}} {
		require.InDelta(t, c.want, subsets(c.n, c.k), 1e-9)
	}
	require.Equal(t, 1e200, subsets(10_000, 999))
}

// A fuzzing with two limits is as far as the one that is nearer.
func TestFuzzingIsDoneByRunsOrByTime(t *testing.T) {
	half := Progress{Runs: 50, Elapsed: 30 * time.Second}
	for _, c := range []struct {
		options FuzzOptions
		want    float64
	}{
		{FuzzOptions{Runs: 100}, 0.5},
		{FuzzOptions{Time: 2 * time.Minute}, 0.25},
		{FuzzOptions{Runs: 100, Time: 2 * time.Minute}, 0.5},
		{FuzzOptions{Runs: 1000, Time: time.Minute}, 0.5},
		{FuzzOptions{Runs: 1000, Time: 40 * time.Second}, 0.75},
	} {
		require.InDelta(t, c.want, c.options.done(half), 1e-12, "%+v", c.options)
	}
}
