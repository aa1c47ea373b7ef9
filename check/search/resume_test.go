package search

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// stored is an exploration after it was written to a file and read again.
func stored(t *testing.T, x *Exploration) *Exploration {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state")
	require.NoError(t, (&State{Found: x}).Write(path))
	again, err := ReadState(path)
	require.NoError(t, err)
	return again.Found
}

func requireSame(t *testing.T, want, got *Exploration) {
	t.Helper()
	wanted, err := json.Marshal(want)
	require.NoError(t, err)
	text, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, string(wanted), string(text))
}

// exploreUpTo interrupts an exploration after so many runs.
func exploreUpTo(t *testing.T, s *Subject, options ExploreOptions, runs int) (*Exploration, error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	limited := *s
	limited.NewTrial = func() (Trial, error) {
		trial, err := s.NewTrial()
		judge := trial.Judge
		trial.Judge = func(rep *report.Report) []guarantee.Verdict {
			if runs--; runs <= 0 {
				stop()
			}
			return judge(rep)
		}
		return trial, err
	}
	options.Workers = 1
	return Explore(ctx, &limited, options)
}

// However often it is interrupted, also in the middle of a part, an exploration finds the same
// in the end, and it gets on each time.
func TestExplorationsResumeInTheMiddleOfAPart(t *testing.T) {
	s := spread(t, 8, tree.InOrder, &correction.Opportunistic{Messages: 2})
	want := explore(t, s, ExploreOptions{Faults: 3, Workers: 1})
	require.NotEmpty(t, want.Violations)
	options := ExploreOptions{Faults: 3}
	interrupts, open := 0, 0
	for {
		found, err := exploreUpTo(t, s, options, 60)
		if err == nil {
			requireSame(t, want, found)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		require.False(t, found.Complete())
		interrupts++
		open += len(found.Open)
		options.Resume = stored(t, found)
	}
	require.Greater(t, interrupts, 5)
	require.Positive(t, open, "some were interrupted in the middle of a part")
}

// What an interrupted run had found is told, but not stored: it will be found again.
func TestViolationsOfInterruptedRunsAreTold(t *testing.T) {
	s := subject(4, babble(4), ranksLive)
	told := 0
	for runs := 2; runs < 100; runs++ {
		found, err := exploreUpTo(t, s, ExploreOptions{Faults: 3}, runs)
		require.Error(t, err)
		require.GreaterOrEqual(t, len(found.Seen()), len(found.Violations))
		if len(found.Seen()) > len(found.Violations) {
			told++
		}
	}
	require.Positive(t, told)
}

// What is saved meanwhile can be resumed.
func TestExplorationsAreSavedMeanwhile(t *testing.T) {
	s := spread(t, 8, tree.InOrder, correction.Checked{})
	var saved []*Exploration
	options := ExploreOptions{Faults: 2, Workers: 1}
	options.Save = func(x *Exploration) { saved = append(saved, stored(t, x)) }
	want := explore(t, s, options)
	require.NotEmpty(t, saved) // how many depends on how long it takes to save
	for i, half := range saved {
		if i%5 == 0 {
			requireSame(t, want, explore(t, s, ExploreOptions{Faults: 2, Resume: half}))
		}
	}
	saved = nil
	options.SaveEvery = 1 << 40
	explore(t, s, options)
	require.Empty(t, saved, "not yet")
}

// More workers than there is work for are of no use.
func TestWorkersAreNoMoreThanTheWork(t *testing.T) {
	s := spread(t, 3, tree.Interleaved, correction.None{})
	var trials atomic.Int64
	newTrial := s.NewTrial
	s.NewTrial = func() (Trial, error) { trials.Add(1); return newTrial() }
	found, err := Explore(t.Context(), s, ExploreOptions{Faults: 1, Workers: 1 << 20})
	require.NoError(t, err)
	require.LessOrEqual(t, trials.Swap(0), int64(1+len(found.Done)))
	_, err = Fuzz(t.Context(), s, FuzzOptions{Faults: 1, Runs: 3, Workers: 1 << 20})
	require.NoError(t, err)
	require.LessOrEqual(t, trials.Load(), int64(4))
}
