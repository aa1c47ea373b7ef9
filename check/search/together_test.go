package search

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// If one worker fails, the others do not go on to the end.
func TestAFailedWorkerStopsTheOthers(t *testing.T) {
	wrong := errors.New("no more trials")
	limited := func(trials int64) *Subject {
		s := spread(t, 24, tree.Interleaved, correction.Checked{})
		var made atomic.Int64
		newTrial := s.NewTrial
		s.NewTrial = func() (Trial, error) {
			if made.Add(1) > trials {
				return Trial{}, wrong
			}
			return newTrial()
		}
		return s
	}
	found, err := Explore(t.Context(), limited(2), ExploreOptions{Faults: 6, Workers: 2}) // would take days
	require.ErrorIs(t, err, wrong)
	require.NotErrorIs(t, err, context.Canceled)
	require.False(t, found.Complete())
	_, err = Fuzz(t.Context(), limited(2), FuzzOptions{Faults: 6, Runs: 1 << 40, Workers: 2})
	require.ErrorIs(t, err, wrong)
}

// Work that was done before the context ended is done.
func TestWorkThatIsDoneIsNotInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	require.NoError(t, together(ctx, crew{2, func(context.Context) error { stop(); return nil }}))
	require.ErrorIs(t, together(ctx, crew{2, func(ctx context.Context) error { return ctx.Err() }}), context.Canceled)
}
