package search

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

// talkative is a subject with many messages, each of which may be late for several ranks to notice. Runs with an odd number of messages break something.
func talkative() *Subject {
	return subject(5, chatter(5, 12, 3), func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "even", Value: guarantee.ValueOf(rep.Messages%2 == 0)}}
	})
}

// limitedTo explores as far as the limit goes.
func limitedTo(t *testing.T, options ExploreOptions) *Exploration {
	t.Helper()
	found, err := Explore(t.Context(), talkative(), options)
	require.NoError(t, err)
	return found
}

// However many workers there are and whoever is faster, as many runs are the same ones.
func TestLimitedExplorationsDoNotDependOnWorkers(t *testing.T) {
	all := limitedTo(t, ExploreOptions{Delays: 1, KnowsPlain: true})
	for _, runs := range []int64{1, 20, all.Runs / 3, all.Runs - 1, all.Runs, 2 * all.Runs} {
		want := limitedTo(t, ExploreOptions{Delays: 1, KnowsPlain: true, Runs: runs, Workers: 1})
		require.GreaterOrEqual(t, want.Runs, min(runs, all.Runs))
		require.Equal(t, runs >= all.Runs-1, want.Complete(), "the last part has more than one run")
		for workers := 2; workers <= 9; workers++ {
			got := limitedTo(t, ExploreOptions{Delays: 1, KnowsPlain: true, Runs: runs, Workers: workers})
			require.Equal(t, want.Violations, got.Violations, "%d workers", workers)
			require.Equal(t, []any{want.Runs, want.Done, want.Cases, want.Hashes, want.Tally}, []any{got.Runs, got.Done, got.Cases, got.Hashes, got.Tally}, "%d workers", workers)
		}
	}
}

// What was found before an interruption is told.
func TestLimitedExplorationThatIsInterruptedTellsWhatItHasFound(t *testing.T) {
	s := talkative()
	ctx, cancel := context.WithCancel(t.Context())
	judged := 0
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		if judged++; judged == 60 {
			cancel()
		}
		return []guarantee.Verdict{{Name: "even", Value: guarantee.ValueOf(rep.Messages%2 == 0)}}
	})
	found, err := Explore(ctx, s, ExploreOptions{Delays: 1, KnowsPlain: true, Runs: 1_000_000, Workers: 1})
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, found.Complete())
	require.NotZero(t, found.Runs)
	require.NotEmpty(t, found.Violations)
}

// An exploration with a limit can go on as others can.
func TestLimitedExplorationGoesOn(t *testing.T) {
	options := ExploreOptions{Delays: 1, KnowsPlain: true, Runs: 50, Workers: 3}
	first := limitedTo(t, options)
	options.Resume, options.Runs = first, 100
	second := limitedTo(t, options)
	options.Resume, options.Workers = nil, 1
	require.Equal(t, limitedTo(t, options).Runs, second.Runs)
}
