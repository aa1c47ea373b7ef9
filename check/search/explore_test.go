package search

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

func explore(t *testing.T, s *Subject, options ExploreOptions) *Exploration {
	t.Helper()
	found, err := Explore(t.Context(), s, options)
	require.NoError(t, err)
	require.True(t, found.Complete())
	return found
}

// Known limits are found: one crash breaks a plain tree, two at once a small distance, and
// checked correction stands two on an interleaved tree of eight.
func TestExploreFindsKnownLimits(t *testing.T) {
	plain := explore(t, spread(t, 8, tree.Interleaved, correction.None{}), ExploreOptions{Faults: 1})
	require.Len(t, plain.Violations, 1)
	require.Equal(t, "crash:1@t0", plain.Violations[0].Schedule.String())
	near := explore(t, spread(t, 8, tree.InOrder, &correction.Opportunistic{Messages: 2}), ExploreOptions{Faults: 1})
	require.Equal(t, "crash:4@t0", near.Violations[0].Schedule.String())
	require.Empty(t, explore(t, spread(t, 8, tree.Interleaved, correction.Checked{}), ExploreOptions{Faults: 2}).Violations)
}

// Three crashes break checked correction on the in-order tree of sixteen, and shrinking a
// larger schedule ends there, too.
func TestExploreFindsThreeCrashes(t *testing.T) {
	ranks, want := 9, "crash:4@t0,crash:3@after-send1,crash:8@after-send2"
	if thorough.All() {
		ranks, want = 16, "crash:4@t0,crash:3@after-send1,crash:8@after-send5"
	}
	if !testing.Short() {
		found := explore(t, spread(t, ranks, tree.InOrder, correction.Checked{}), ExploreOptions{Faults: 3})
		require.Len(t, found.Violations, 1)
		require.Equal(t, want, found.Violations[0].Schedule.String())
		require.Greater(t, found.Covered, 100*found.Runs)
	}
	s := spread(t, 16, tree.InOrder, correction.Checked{})
	large := faults.MustParse("hang:13@t30,crash:4,crash:7@t5,crash:3@t17,slow:5x3@t2,crash:8@t18,crash:11@recv2")
	small, err := Shrink(t.Context(), s, large, Breaks(reaches), 1000)
	require.NoError(t, err)
	require.Equal(t, "crash:4@t0,crash:3@after-send1,crash:8@after-send5", small.Schedule.String())
}

// Whatever the number of workers, and although it was interrupted, an exploration finds the
// same.
func TestExplorationsAreDeterministicAndResume(t *testing.T) {
	s := spread(t, 7, tree.InOrder, &correction.Opportunistic{Messages: 1})
	want := explore(t, s, ExploreOptions{Faults: 2, Workers: 1})
	require.NotEmpty(t, want.Violations)
	require.Equal(t, want, explore(t, s, ExploreOptions{Faults: 2, Workers: 3}))

	ctx, stop := context.WithCancel(t.Context())
	part, err := Explore(ctx, s, ExploreOptions{Faults: 2, Workers: 1, Progress: func(p Progress) {
		if p.Done > 0.4 {
			stop()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, part.Complete())
	requireSame(t, want, explore(t, s, ExploreOptions{Faults: 2, Resume: stored(t, part)}))
}

// What a program does wrong by itself is a violation, too.
func TestExploreFindsPanics(t *testing.T) {
	s := subject(3, protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
			if _, _, ok := p.RecvUntil(mailbox.Any, 30); !ok {
				panic("nobody answers")
			}
			return
		}
		from, m := p.Recv(mailbox.Any)
		p.Send(from, m)
	}}, reachesNobodyInParticular)
	found := explore(t, s, ExploreOptions{Faults: 1})
	require.Len(t, found.Violations, 1)
	require.Equal(t, Ran, found.Violations[0].name())
	require.Equal(t, "crash:1@t0", found.Violations[0].Schedule.String())
	require.Equal(t, "rank 0 panicked at t=30: nobody answers", found.Violations[0].Broken[0].Evidence)
	require.Equal(t, found.Runs-found.Violations[0].Count, found.Distinct, "runs that did not end are like no other")
}

// A violation counts all runs that broke the same, whoever made them.
func TestViolationsCountTheirRuns(t *testing.T) {
	never := func(*report.Report) []guarantee.Verdict { return []guarantee.Verdict{{Name: "never held"}} }
	for _, workers := range []int{1, 3} {
		s := subject(4, babble(4), never)
		found := explore(t, s, ExploreOptions{Faults: 2, Workers: workers})
		require.Len(t, found.Violations, 1)
		require.Empty(t, found.Violations[0].Schedule)
		require.Equal(t, found.Runs, found.Violations[0].Count)
	}
}

func reachesNobodyInParticular(*report.Report) []guarantee.Verdict { return nil }

func TestExploreRefusesWhatMakesNoSense(t *testing.T) {
	s := spread(t, 4, tree.Interleaved, correction.None{})
	_, err := Explore(t.Context(), s, ExploreOptions{})
	require.EqualError(t, err, "search: schedules of up to 0 faults, want 1 or more")
	_, err = Explore(t.Context(), s, ExploreOptions{Faults: 1, Kinds: []faults.Kind{faults.Slow}})
	require.ErrorContains(t, err, "want crash or hang")
	for want, options := range map[string]ExploreOptions{
		"want crash or hang, and instants as Rejoins and Cuts":                  {Kinds: []faults.Kind{faults.Crash, faults.Rejoin}},
		"cannot explore rejoins and cuts at all times":                          {Kinds: []faults.Kind{faults.Cut}},
		"search: rejoin 0 ticks after a failure, want 1 to 1099511627776":       {Rejoins: []clock.Time{5, 0}},
		"search: rejoin -1 ticks after a failure, want":                         {Rejoins: []clock.Time{-1}},
		"search: cannot explore a cut: cut:1|*@t-1: time -1, want 0 to 1099511": {Cuts: []clock.Time{-1, 3}},
		"search: cannot explore a cut: cut:4|*@t3: left side: rank 4, want 0 ":  {Cuts: []clock.Time{3}, CutSets: []faults.Group{"1", "4"}},
		"cut:0-3|*@t3: no right side: all 4 ranks are on the left":              {Cuts: []clock.Time{3}, CutSets: []faults.Group{"0-3"}},
		"search: 0-1 to be cut off, but never, want Cuts":                       {CutSets: []faults.Group{"0-1"}},
	} {
		options.Faults = 1
		_, err = Explore(t.Context(), s, options)
		require.ErrorContains(t, err, want)
	}
	other := explore(t, spread(t, 7, tree.Interleaved, correction.None{}), ExploreOptions{Faults: 1})
	_, err = Explore(t.Context(), s, ExploreOptions{Faults: 1, Resume: other})
	require.ErrorContains(t, err, "it is of another subject")
}

// babble is a program in which who hears from whom, and when, decides about all that follows.
func babble(ranks int) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		random := p.Rand()
		for range 4 {
			p.Step("round")
			p.Send(random.IntN(ranks), mailbox.Message{A: int64(p.Now())})
			if _, m, ok := p.RecvUntil(mailbox.Any, p.Now()+5); ok && m.A%2 == 0 {
				p.Send((p.Rank()+1)%ranks, mailbox.Message{A: m.A + 1})
			}
		}
	}}
}

// seen is what a run looks like to the ranks that did not fail.
func seen(rep *report.Report, without map[int]bool) string {
	var b strings.Builder
	for _, e := range rep.Events {
		if !without[e.Rank] {
			fmt.Fprintln(&b, e)
		}
	}
	return b.String()
}

func failedOf(s faults.Schedule) map[int]bool {
	failed := make(map[int]bool)
	for _, f := range s {
		if f.Kind.Stops() {
			failed[f.Rank] = true
		}
	}
	return failed
}

// memory records what every run of an exploration looks like.
type memory struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (m *memory) judge(rep *report.Report) []guarantee.Verdict {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[seen(rep, failedOf(rep.Faults))] = true
	return nil
}

// Nothing is missed: every pair of faults, of either kind at every point there is, looks to
// the ranks that live like one of the runs of the exploration.
func TestNoPairOfFaultsIsMissed(t *testing.T) {
	const ranks = 4
	m := &memory{seen: make(map[string]bool)}
	s := subject(ranks, babble(ranks), m.judge)
	s.Events, s.Seed = true, 3
	found := explore(t, s, ExploreOptions{Faults: 2})

	machine, err := emu.New(emu.Config{LogP: s.Machine.LogP, Trace: emu.TraceEvents})
	require.NoError(t, err)
	run := func(schedule faults.Schedule) *report.Report {
		rep, err := machine.Run(t.Context(), s.mustTrial(t).Program, emu.Options{Faults: schedule, Seed: s.Seed})
		require.NoError(t, err)
		return rep
	}
	tried := 0
	for one := range ranks {
		for two := range one {
			for _, first := range pointsOf(run(nil), one) {
				for _, second := range pointsOf(run(faults.Schedule{{Rank: one, At: first}}), two) {
					pair := faults.Schedule{{Kind: faults.Hang, Rank: one, At: first}, {Rank: two, At: second}}
					rep := run(pair)
					if len(rep.Unfired) > 0 {
						continue
					}
					tried++
					require.True(t, known(m, run, pair, rep), "%v", pair)
				}
			}
		}
	}
	require.Greater(t, tried, 1000)
	require.Less(t, found.Runs, int64(tried)/4, "most pairs need not be run")
}

// known reports whether an exploration has seen a pair of faults, or one of the two alone if
// the other one makes no difference.
func known(m *memory, run func(faults.Schedule) *report.Report, pair faults.Schedule, rep *report.Report) bool {
	both := failedOf(pair)
	if m.seen[seen(rep, both)] {
		return true
	}
	for i := range pair {
		one := faults.Schedule{pair[i]}
		alone := run(one)
		if seen(alone, both) == seen(rep, both) && m.seen[seen(alone, failedOf(one))] {
			return true
		}
	}
	return false
}

// pointsOf lists all points of a rank in a run.
func pointsOf(rep *report.Report, rank int) []faults.Point {
	all := []faults.Point{faults.OnTime(0)}
	for _, p := range lives(rep)[rank].pieces {
		all = append(all, p.points...)
	}
	return all
}

func (s *Subject) mustTrial(t *testing.T) Trial {
	t.Helper()
	trial, err := s.NewTrial()
	require.NoError(t, err)
	return trial
}

// A guarantee about what failed ranks had done needs every point: here a rank that decides
// and then fails.
func TestEveryPointIsRunIfAsked(t *testing.T) {
	decided := make([]atomic.Bool, 3)
	s := subject(3, protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
			p.Send(2, mailbox.Message{})
			return
		}
		p.Recv(mailbox.Any)
		decided[p.Rank()].Store(true)
		p.Step("decided")
	}}, func(rep *report.Report) []guarantee.Verdict {
		same := decided[1].Load() == decided[2].Load() || len(rep.Failed) < 2
		decided[1].Store(false)
		decided[2].Store(false)
		return []guarantee.Verdict{{Name: "uniform agreement", Value: guarantee.ValueOf(same)}}
	})
	found := explore(t, s, ExploreOptions{Faults: 2, Every: true, Roots: true, Workers: 1})
	require.NotEmpty(t, found.Violations)
	require.Equal(t, found.Covered, found.Runs)
}
