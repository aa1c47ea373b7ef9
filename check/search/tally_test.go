package search

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// promises are judged where they are claimed: that all are reached in every run, that nobody failed only where at most one
// did, and a last one never.
func promises(rep *report.Report) []guarantee.Verdict {
	few := guarantee.Verdict{Name: "few", Value: guarantee.ValueOf(len(rep.Failed) == 0), Safety: true}
	if len(rep.Failed) > 1 {
		few.Value = guarantee.NotClaimed
	}
	return append(reachesAll(rep), few, guarantee.Verdict{Name: "never", Value: guarantee.NotClaimed})
}

// Every run counts, that without faults included, whoever makes it.
func TestExplorationsCountInHowManyRunsAPromiseWasJudged(t *testing.T) {
	s := subject(4, babble(4), promises)
	one := explore(t, s, ExploreOptions{Faults: 1, Every: true})
	for _, workers := range []int{1, 3} {
		found := explore(t, s, ExploreOptions{Faults: 2, Workers: workers, Every: true})
		require.Equal(t, guarantee.Tally{Runs: found.Runs, Counts: []guarantee.Count{
			{Name: reaches, Judged: found.Runs, Broken: brokenIn(found, reaches)},
			{Name: "few", Judged: one.Runs, Broken: one.Runs - 1, Safety: true},
			{Name: "never"},
		}}, found.Tally)
		require.Greater(t, found.Runs, one.Runs)
	}
}

// brokenIn counts the runs that break a guarantee of that name.
func brokenIn(x *Exploration, name string) (runs int64) {
	for _, v := range x.Violations {
		for _, b := range v.Broken {
			if b.Name == name {
				runs += v.Count
			}
		}
	}
	return runs
}

// An exploration that is interrupted again and again makes some runs several times. Each counts once.
func TestResumedExplorationsCountEveryRunOnce(t *testing.T) {
	s := spread(t, 6, tree.InOrder, &correction.Opportunistic{Messages: 1})
	s.NewTrial = withJudge(s, promises)
	want := explore(t, s, ExploreOptions{Faults: 2, Every: true, Workers: 1})
	require.Equal(t, want.Runs, want.Tally.Runs)
	options := ExploreOptions{Faults: 2, Every: true}
	interrupts := 0
	for {
		found, err := exploreUpTo(t, s, options, 90)
		require.Equal(t, found.Runs, found.Tally.Runs)
		if err == nil {
			require.Equal(t, want.Tally, found.Tally)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		interrupts++
		options.Resume = stored(t, found)
	}
	require.Greater(t, interrupts, 3)
}

// The run without faults, which says what can be drawn, is not one of them.
func TestFuzzCountsInHowManyRunsAPromiseWasJudged(t *testing.T) {
	for _, workers := range []int{1, 3} {
		s := subject(4, babble(4), promises)
		found, err := Fuzz(t.Context(), s, FuzzOptions{Faults: 1, Runs: 200, Workers: workers, Kinds: []faults.Kind{faults.Slow}})
		require.NoError(t, err)
		require.Equal(t, guarantee.Tally{Runs: 200, Counts: []guarantee.Count{
			{Name: reaches, Judged: 200}, {Name: "few", Judged: 200, Safety: true}, {Name: "never"},
		}}, found.Tally)
	}
}

// A run that does not end has no verdicts, and yet it is a run.
func TestRunsThatDoNotEndAreJudgedByNoPromise(t *testing.T) {
	s := subject(3, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Send(0, mailbox.Message{})
			return
		}
		for range p.Size() - 1 {
			if _, _, ok := p.RecvUntil(mailbox.Any, 30); !ok {
				panic("one is missing")
			}
		}
	}}, reachesAll)
	found := explore(t, s, ExploreOptions{Faults: 1})
	require.Positive(t, brokenIn(found, Ran))
	require.Equal(t, found.Runs, found.Tally.Runs)
	require.Equal(t, found.Runs-brokenIn(found, Ran), found.Tally.Counts[0].Judged)
	fuzzed, err := Fuzz(t.Context(), s, FuzzOptions{Faults: 1, Runs: 100})
	require.NoError(t, err)
	require.EqualValues(t, 100, fuzzed.Tally.Runs)
	require.Less(t, fuzzed.Tally.Counts[0].Judged, int64(100))
}
