package search

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// restless is a program in which a rank that comes back is heard of, and what it hears depends
// on when that is.
func restless(p protocols.Proc) {
	if protocols.LifeOf(p) > 0 {
		p.Step("back")
	}
	other := (p.Rank() + 1) % p.Size()
	if detector, err := protocols.DetectorOf(p); err == nil {
		if detector.Suspects(other) {
			p.Step("suspect")
		}
		detector.Watch(other) // a notice is even
	}
	p.Send(other, mailbox.Message{A: int64(p.Now())})
	for until := p.Now() + 11; ; {
		_, m, ok := p.RecvUntil(mailbox.Any, until)
		if !ok {
			return
		}
		if m.A >= 0 && m.A%2 == 0 {
			p.Step("even")
			p.Send(other, mailbox.Message{A: -1})
		}
	}
}

// restlessSubject has the ranks of a small machine run it. A send takes one tick or more, so
// that a failure in the middle of it is at its start or later.
func restlessSubject(ranks int, overhead clock.Time) *Subject {
	s := subject(ranks, protocols.Program{Main: restless}, reachesNobodyInParticular)
	s.Machine.LogP = clock.LogP{Ranks: ranks, Latency: 1, Overhead: overhead}
	return s
}

// An exploration runs every schedule in which ranks fail, come back and fail again, and each
// of them once. Which ones there are is found by trying: any fault after any other, whenever it
// happens, at whatever point, and a look at whether it did.
func TestNoScheduleWithRejoinsAndCutsIsMissedOrRunTwice(t *testing.T) {
	for _, c := range []struct {
		ranks    int
		overhead clock.Time
		detector emu.Detection
		options  ExploreOptions
		least    int
	}{
		{2, 1, emu.Detection{}, ExploreOptions{Faults: 3, Rejoins: []clock.Time{7, 1}}, 1000},
		{2, 2, emu.Detection{}, ExploreOptions{Faults: 3, Rejoins: []clock.Time{1, 2}}, 1000},
		{2, 2, emu.Detection{}, ExploreOptions{Faults: 3, Rejoins: []clock.Time{4}, Cuts: []clock.Time{0, 5}, Kinds: []faults.Kind{faults.Crash}}, 500},
		{2, 1, emu.Detection{}, ExploreOptions{Faults: 4, Rejoins: []clock.Time{2}, Kinds: []faults.Kind{faults.Hang}}, 1000},
		{2, 1, emu.Detection{Delay: 3, Hangs: true}, ExploreOptions{Faults: 3, Rejoins: []clock.Time{1, 3}, Cuts: []clock.Time{3}, Kinds: []faults.Kind{faults.Hang}}, 500},
		{2, 1, emu.Detection{}, ExploreOptions{Faults: 2, Every: true, Cuts: []clock.Time{0, 4, 6}}, 200},
		{1, 2, emu.Detection{}, ExploreOptions{Faults: 5, Rejoins: []clock.Time{3}}, 1000}, // up to three lives
	} {
		if !thorough.All() {
			c.options.Faults, c.least = c.options.Faults-1, c.least/50
		}
		s := restlessSubject(c.ranks, c.overhead)
		s.Machine.Detection = c.detector
		requireTried(t, s, c.options, c.least)
	}
}

// requireTried wants an exploration of restless ranks to run the schedules that are found by trying, and each of them once.
func requireTried(t *testing.T, s *Subject, options ExploreOptions, least int) {
	t.Helper()
	requireTriedAt(t, s, options, least, manyPoints())
}

// requireTriedAt is requireTried for ranks that can come to other points.
func requireTriedAt(t *testing.T, s *Subject, options ExploreOptions, least int, points []faults.Point) {
	t.Helper()
	ran := &diary{}
	s.NewTrial = withJudge(s, ran.judge)
	found := explore(t, s, options)
	require.Equal(t, found.Covered, found.Runs, "each stands for itself")
	var got []string
	for _, text := range ran.schedules {
		got = append(got, asSet(faults.MustParse(text)[len(options.Given):]))
	}
	slices.Sort(got)
	x := newTrier(t, s, options)
	x.points = points
	want := x.all()
	require.Greater(t, len(want), least)
	require.Equal(t, want, got, "given %v", options.Given)
}

// asSet writes a schedule so that only the order of faults of one rank at the same point
// matters.
func asSet(s faults.Schedule) string {
	s = slices.SortedStableFunc(slices.Values(s), func(a, b faults.Fault) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Left, b.Left), strings.Compare(a.At.String(), b.At.String()))
	})
	return s.String()
}

// trier finds the schedules of an exploration by trying.
type trier struct {
	t       *testing.T
	subject *Subject
	options ExploreOptions
	machine *emu.Machine
	program protocols.Program
	points  []faults.Point  // that the program can come to, and some more
	tried   map[string]bool // and whether it is one
}

func newTrier(t *testing.T, s *Subject, options ExploreOptions) *trier {
	t.Helper()
	machine, err := emu.New(emu.Config{LogP: s.Machine.LogP, Disk: s.Machine.Disk, Detection: s.Machine.Detection, Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	if options.Kinds == nil {
		options.Kinds = []faults.Kind{faults.Crash, faults.Hang}
	}
	trial, err := s.NewTrial()
	require.NoError(t, err)
	return &trier{t, s, options, machine, trial.Program, manyPoints(), make(map[string]bool)}
}

func (x *trier) all() []string {
	x.grow(nil)
	var all []string
	for text, valid := range x.tried {
		if valid {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}

func (x *trier) run(s faults.Schedule) *report.Report {
	x.t.Helper()
	rep, err := x.machine.Run(x.t.Context(), x.program, emu.Options{Faults: slices.Concat(x.options.Given, s)})
	require.NoError(x.t, err, "%v", s)
	return rep
}

// grow adds any fault to a schedule that is one.
func (x *trier) grow(s faults.Schedule) {
	text := asSet(s)
	if _, known := x.tried[text]; known {
		return
	}
	rep := x.run(s)
	if x.tried[text] = x.valid(rep); !x.tried[text] || len(s) == x.options.Faults {
		return
	}
	for _, f := range x.next(rep) {
		if !slices.Contains(s, f) && !slices.Contains(x.options.Given, f) {
			x.grow(append(slices.Clip(s), f))
		}
	}
}

// next lists more faults than can happen after those of a run.
func (x *trier) next(rep *report.Report) (all []faults.Fault) {
	for _, t := range x.options.Cuts {
		for rank := range rep.Ranks {
			all = append(all, faults.CutBetween(faults.GroupOf(rank), faults.Others, t))
		}
	}
	for _, e := range rep.Events {
		for _, delay := range x.options.Rejoins {
			if e.Kind == report.EventCrash || e.Kind == report.EventHang {
				all = append(all, faults.Fault{Kind: faults.Rejoin, Rank: e.Rank, At: faults.OnTime(e.Time + delay)})
			}
		}
	}
	for rank := range rep.Ranks {
		if rep.Ranks[rank].Outcome.Failed() && len(x.options.Given) == 0 {
			continue
		}
		for _, kind := range x.options.Kinds {
			for _, at := range x.points {
				for _, kept := range x.kept() {
					all = append(all, faults.Fault{Kind: kind, Rank: rank, At: at, Kept: kept})
				}
			}
		}
	}
	return all
}

// manyPoints are all that a restless rank can come to, and some more.
func manyPoints() []faults.Point {
	all := []faults.Point{faults.OnTime(0)}
	for n := 1; n <= 8; n++ {
		all = append(all, faults.BeforeNthSend(n), faults.DuringNthSend(n), faults.AfterNthSend(n), faults.OnNthRecv(n),
			faults.OnStep("even", n), faults.OnStep("back", n), faults.OnStep("suspect", n))
	}
	return all
}

// valid reports whether all faults happen, and rejoins so long after a failure as they should.
func (x *trier) valid(rep *report.Report) bool {
	for _, f := range rep.Unfired {
		if f.Kind != faults.Cut && !slices.Contains(x.options.Given, f) { // cuts may come when all is over
			return false
		}
	}
	failed, unsafe := make(map[int]clock.Time), make(map[int]int)
	for _, e := range rep.Events {
		switch e.Kind {
		case report.EventWrite, report.EventDelete, report.EventWriteLost:
			unsafe[e.Rank]++
		case report.EventSync:
			unsafe[e.Rank] = 0
		case report.EventCrash, report.EventHang:
			failed[e.Rank] = e.Time
			if keepsMore(rep, e, unsafe[e.Rank]) {
				return false
			}
			unsafe[e.Rank] = 0
		case report.EventRejoin:
			given := slices.Contains(x.options.Given, faults.Fault{Kind: faults.Rejoin, Rank: e.Rank, At: faults.OnTime(e.Time)})
			if !given && !slices.Contains(x.options.Rejoins, e.Time-failed[e.Rank]) {
				return false
			}
		}
	}
	return true
}

// Whatever the number of workers, and although it was interrupted, an exploration with ranks
// that come back finds the same.
func TestExplorationsWithRejoinsAreDeterministicAndResume(t *testing.T) {
	s := restlessSubject(3, 1)
	s.NewTrial = withJudge(s, ranksLive)
	options := ExploreOptions{Faults: 2, Rejoins: []clock.Time{5, 2}, Cuts: []clock.Time{4}, Workers: 1}
	want := explore(t, s, options)
	require.NotEmpty(t, want.Violations)
	options.Workers = 3
	require.Equal(t, want, explore(t, s, options))
	interrupts := 0
	for {
		found, err := exploreUpTo(t, s, options, 300)
		if err == nil {
			requireSame(t, want, found)
			break
		}
		interrupts++
		options.Resume = stored(t, found)
	}
	require.Greater(t, interrupts, 2)
}

// What ranks that come back break is found, with the smallest schedule.
func TestExploreFindsWhatARankThatComesBackBreaks(t *testing.T) {
	s := restlessSubject(3, 1)
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "stay away", Value: guarantee.ValueOf(len(rep.Rejoined) == 0 || len(rep.Failed) == 0)}}
	})
	found := explore(t, s, ExploreOptions{Faults: 3, Rejoins: []clock.Time{5}, Kinds: []faults.Kind{faults.Crash}})
	require.Len(t, found.Violations, 1)
	require.Equal(t, "crash:0@t0,rejoin:0@t5,crash:1@t0", asSet(found.Violations[0].Schedule))
	require.Empty(t, explore(t, s, ExploreOptions{Faults: 2, Rejoins: []clock.Time{5}}).Violations)
}

// A failure is followed by its rejoins and by what shows later on other ranks, a cut by all
// that shows later.
func TestWeightsKnowRejoinsAndCuts(t *testing.T) {
	x := &explorer{options: ExploreOptions{Rejoins: []clock.Time{3, 9}}}
	all := []candidate{
		{faults.MustParse("crash:0@t0")[0], 1, 1},
		{faults.MustParse("cut:1|*@t2")[0], 2, 1},
		{faults.MustParse("crash:0@send1")[0], 3, 1},
		{faults.MustParse("crash:1@send1")[0], 4, 1},
	}
	require.Equal(t, []float64{1 + 2 + 2, 1 + 2, 1 + 2 + 1, 1 + 2}, x.weigh(all, 1))
}

// A delay that is named twice is one.
func TestRejoinsCountOnce(t *testing.T) {
	s := restlessSubject(2, 1)
	once := explore(t, s, ExploreOptions{Faults: 2, Rejoins: []clock.Time{3, 8}})
	twice := explore(t, s, ExploreOptions{Faults: 2, Rejoins: []clock.Time{8, 3, 3, 8}})
	require.Equal(t, once, twice)
}

// A rank that has failed in the middle of a send, and in its next life before it came to another one, can fail in the middle of that send
// again in the life after that.
func TestASendCanFailInALifeAfterTheNext(t *testing.T) {
	s := restlessSubject(1, 2)
	requireTried(t, s, ExploreOptions{Faults: 1, Given: faults.MustParse("crash:0@send1,rejoin:0@t4,crash:0@step:back,rejoin:0@t7")}, 5)
}
