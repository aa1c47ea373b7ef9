package search

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// sharedOut lets an assistant take a share of a search. Its runs but the first wait until the assistant has something to do.
func sharedOut(s *Subject, does Assistant) (*Subject, *Elsewhere) {
	asked := make(chan struct{})
	var once, plain sync.Once
	waiting := *s
	waiting.NewTrial = func() (Trial, error) {
		trial, err := s.NewTrial()
		judge := trial.Judge
		trial.Judge = func(rep *report.Report) []guarantee.Verdict {
			first := false
			plain.Do(func() { first = true })
			if !first {
				<-asked
			}
			return judge(rep)
		}
		return trial, err
	}
	return &waiting, &Elsewhere{Hands: 2, Do: func(ctx context.Context, task []byte) ([]byte, error) {
		once.Do(func() { close(asked) })
		return does(ctx, task)
	}}
}

// An exploration finds the same if others take a share of it, also if it goes on in the middle of a part.
func TestExplorationsAreSharedOut(t *testing.T) {
	s := spread(t, 8, tree.InOrder, &correction.Opportunistic{Messages: 2})
	for name, options := range map[string]ExploreOptions{
		"two failures": {Faults: 2, Roots: true},
		"a delay":      {Delays: 1},
		"two seeds":    {Faults: 1, Seeds: 2},
	} {
		want := explore(t, s, options)
		shared := options
		var waiting *Subject
		shared.Workers = 1
		waiting, shared.Elsewhere = sharedOut(s, AssistExploration(s, options))
		got, err := Explore(t.Context(), waiting, shared)
		require.NoError(t, err, name)
		requireSame(t, want, got)

		half, err := exploreUpTo(t, s, options, 40)
		require.ErrorIs(t, err, context.Canceled, name)
		shared.Resume = stored(t, half)
		waiting, shared.Elsewhere = sharedOut(s, AssistExploration(s, options))
		got, err = Explore(t.Context(), waiting, shared)
		require.NoError(t, err, name)
		requireSame(t, want, got)
	}
}

// What is kept while others work can be resumed, whenever that is.
func TestSharedExplorationsAreSavedMeanwhile(t *testing.T) {
	s := spread(t, 8, tree.InOrder, correction.Checked{})
	options := ExploreOptions{Faults: 2, Workers: 1}
	want := explore(t, s, options)
	var saved []*Exploration
	shared := options
	shared.Save = func(x *Exploration) { saved = append(saved, stored(t, x)) }
	var waiting *Subject
	waiting, shared.Elsewhere = sharedOut(s, AssistExploration(s, options))
	_, err := Explore(t.Context(), waiting, shared)
	require.NoError(t, err)
	require.NotEmpty(t, saved)
	for i := 0; i < len(saved); i += 1 + len(saved)/6 {
		requireSame(t, want, explore(t, s, ExploreOptions{Faults: 2, Resume: saved[i]}))
	}
}

// A search at random finds the same, too.
func TestSearchesAtRandomAreSharedOut(t *testing.T) {
	s := spread(t, 12, tree.InOrder, &correction.Opportunistic{Messages: 2})
	for _, options := range []FuzzOptions{
		{Runs: 400, Faults: 3, AnySeed: true, Kinds: []faults.Kind{faults.Crash, faults.Late}, ShrinkRuns: 50},
		{Runs: 90, Faults: 2, Seed: 9},
	} {
		want, err := Fuzz(t.Context(), s, options)
		require.NoError(t, err)
		require.NotEmpty(t, want.Violations)
		shared := options
		var waiting *Subject
		shared.Workers = 1
		waiting, shared.Elsewhere = sharedOut(s, AssistFuzzing(s, options))
		got, err := Fuzz(t.Context(), waiting, shared)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// What goes wrong elsewhere ends a search; tasks that are none are refused.
func TestErrorsElsewhereEndASearch(t *testing.T) {
	s := spread(t, 8, tree.InOrder, correction.Checked{})
	why := errors.New("no power")
	broken := &Elsewhere{Hands: 1, Do: func(context.Context, []byte) ([]byte, error) { return nil, why }}
	_, err := Explore(t.Context(), s, ExploreOptions{Faults: 2, Elsewhere: broken})
	require.ErrorIs(t, err, why)
	_, err = Fuzz(t.Context(), s, FuzzOptions{Runs: 1_000_000_000, Faults: 2, Elsewhere: broken})
	require.ErrorIs(t, err, why)
	for _, does := range []Assistant{AssistExploration(s, ExploreOptions{Faults: 1}), AssistFuzzing(s, FuzzOptions{Runs: 5, Faults: 1})} {
		_, err = does(t.Context(), []byte("x"))
		require.ErrorContains(t, err, "search: a task: ")
	}
	_, err = AssistExploration(s, ExploreOptions{Faults: 1})(t.Context(), []byte(`{"part":5000}`))
	require.ErrorContains(t, err, "search: part 5000, want 0 to ")
}

// Who was interrupted begins anew: nothing of what it had done is counted with what it does next.
func TestAnAssistantForgetsWhatItDidNotFinish(t *testing.T) {
	s := spread(t, 12, tree.InOrder, correction.Checked{})
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	watched := *s
	watched.NewTrial = func() (Trial, error) {
		trial, err := s.NewTrial()
		judge := trial.Judge
		trial.Judge = func(rep *report.Report) []guarantee.Verdict {
			if runs++; runs == 6 {
				cancel()
			}
			return judge(rep)
		}
		return trial, err
	}
	does := AssistFuzzing(&watched, FuzzOptions{Runs: 100, Faults: 2})
	_, err := does(ctx, []byte(`{"first":0,"some":20}`))
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, runs, 6)
	for range 2 {
		text, err := does(t.Context(), []byte(`{"first":0,"some":20}`))
		require.NoError(t, err)
		var found someFound
		require.NoError(t, json.Unmarshal(text, &found))
		require.EqualValues(t, 20, found.Runs)
	}
}
