package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// With a limit failures happen before it, at every point that there is, and nothing changes about
// classes.
func TestFailuresBeforeALimit(t *testing.T) {
	s := spread(t, 6, tree.InOrder, correction.Checked{})
	r, err := newRunner(s)
	require.NoError(t, err)
	require.NoError(t, r.run(t.Context(), r.tracing, nil))
	whole := explore(t, s, ExploreOptions{Faults: 1, Every: true, Roots: true})
	var last int64
	for _, before := range []clock.Time{1, 4, 9, 13, r.report.Quiescence + 1} {
		points := int64(0)
		for _, l := range lives(&r.report) {
			for _, p := range l.pieces {
				for _, at := range p.times {
					if at < before {
						points++
					}
				}
			}
		}
		every := explore(t, s, ExploreOptions{Faults: 1, Every: true, Roots: true, Before: before})
		some := explore(t, s, ExploreOptions{Faults: 1, Roots: true, Before: before})
		require.Equal(t, 1+2*points, every.Runs, "crashes and hangs, and the run without")
		require.Equal(t, every.Covered, some.Covered)
		require.Less(t, some.Runs, every.Runs)
		require.GreaterOrEqual(t, every.Runs, last)
		last = every.Runs
	}
	require.Equal(t, whole.Runs, last)
	pairs := ExploreOptions{Faults: 2, Every: true, Before: 9}
	all := explore(t, s, pairs)
	pairs.Every = false
	require.Equal(t, all.Covered, explore(t, s, pairs).Covered)
}

func TestExploreRefusesALimitBeforeTheRun(t *testing.T) {
	_, err := Explore(t.Context(), spread(t, 4, tree.InOrder, correction.None{}), ExploreOptions{Faults: 1, Before: -1})
	require.ErrorContains(t, err, "failures before t=-1")
}
