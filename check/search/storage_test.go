package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// forgetful is a program in which a rank that comes back finds more or less of what it had stored, and does something else then.
func forgetful(p protocols.Proc) {
	disk := p.Storage()
	if names := disk.Names(); len(names) > 0 {
		p.Step(fmt.Sprintf("found-%d", len(names)))
	}
	disk.Write("a", "1")
	p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
	disk.Write("b", "1")
	disk.Sync()
	if p.Life() > 1 {
		return
	}
	disk.Delete("a")
	p.RecvUntil(mailbox.Any, p.Now()+6)
}

func forgetfulSubject(ranks int, disk clock.Disk) *Subject {
	s := subject(ranks, protocols.Program{Main: forgetful}, reachesNobodyInParticular)
	s.Machine.LogP = clock.LogP{Ranks: ranks, Latency: 1, Overhead: 2}
	s.Machine.Disk = disk
	return s
}

// storagePoints are all that a forgetful rank can come to, and some more.
func storagePoints() []faults.Point {
	all := []faults.Point{faults.OnTime(0), faults.OnNthRecv(1), faults.OnNthRecv(2), faults.OnStep("found-1", 1), faults.OnStep("found-2", 1)}
	for n := 1; n <= 9; n++ {
		all = append(all, faults.BeforeNthWrite(n), faults.DuringNthWrite(n), faults.AfterNthWrite(n))
	}
	for n := 1; n <= 4; n++ {
		all = append(all, faults.BeforeNthSync(n), faults.DuringNthSync(n), faults.AfterNthSync(n))
		all = append(all, faults.BeforeNthSend(n), faults.DuringNthSend(n), faults.AfterNthSend(n))
		all = append(all, faults.OnStep("found-1", n+1), faults.OnStep("found-2", n+1))
	}
	return all
}

// kept is what faults may keep: if anything is stored, all sets of three changes.
func (x *trier) kept() []faults.Group {
	if len(x.options.Rejoins)+len(x.options.Given) == 0 || !slices.Contains(x.points, faults.DuringNthWrite(1)) {
		return []faults.Group{""}
	}
	return []faults.Group{"", "1", "2", "3", "1-2", "1+3", "2-3", "1-3"}
}

// keepsMore reports whether the fault that has stopped a rank keeps changes that there were not.
func keepsMore(rep *report.Report, e report.Event, unsafe int) bool {
	return slices.ContainsFunc(rep.Stopped, func(s report.Stopped) bool {
		f := &rep.Faults[s.Place]
		return f.Rank == e.Rank && s.Time == e.Time && slices.ContainsFunc(f.Kept.Ranks(), func(change int) bool { return change > unsafe })
	})
}

// An exploration runs every schedule in which ranks fail in what they do with their storage, whatever is left of it, and each once.
func TestNoScheduleOfStorageIsMissedOrRunTwice(t *testing.T) {
	for _, c := range []struct {
		ranks   int
		disk    clock.Disk
		options ExploreOptions
		least   int
	}{
		{1, clock.Disk{Write: 2, Sync: 5, Read: 1}, ExploreOptions{Faults: 3, Rejoins: []clock.Time{3}}, 1000},
		{1, clock.Disk{Write: 3, Sync: 5}, ExploreOptions{Faults: 4, Rejoins: []clock.Time{1, 9}, Kinds: []faults.Kind{faults.Crash}}, 1000},
		{2, clock.Disk{Write: 2, Sync: 9}, ExploreOptions{Faults: 2, Rejoins: []clock.Time{1, 4}}, 500},
		{2, clock.Disk{Write: 2, Sync: 2}, ExploreOptions{Faults: 2, Every: true}, 200},
		// A slow rank is stopped before the middle of its first change, and of a sync.
		{1, clock.Disk{Write: 4, Sync: 5}, ExploreOptions{Faults: 2, Given: faults.MustParse("slow:0x4,crash:0@t7:kept1,rejoin:0@t20")}, 50},
		{1, clock.Disk{Write: 1, Sync: 9}, ExploreOptions{Faults: 2, Given: faults.MustParse("slow:0x3@before-sync1,hang:0@t12,rejoin:0@t20")}, 50},
	} {
		if !thorough.All() {
			c.options.Faults, c.least = c.options.Faults-1, c.least/50
		}
		s := forgetfulSubject(c.ranks, c.disk)
		requireTriedAt(t, s, c.options, c.least, storagePoints())
	}
}

func TestWhatIsKeptIsACandidateIfRanksComeBack(t *testing.T) {
	s := subject(1, protocols.Program{Main: func(p protocols.Proc) {
		p.Storage().Write("a", "1")
		p.Storage().Write("b", "1")
		p.Storage().Sync()
	}}, reachesNobodyInParticular)
	s.Machine.Disk = clock.Disk{Write: 2, Sync: 10}
	require.Equal(t, []string{
		"crash:0@t0 shows -1, 1",
		"crash:0@before-write1 shows 0, 1",
		"crash:0@write1 shows 1, 1", "crash:0@write1:kept1 shows 1, 1",
		"crash:0@after-write1 shows 2, 1", "crash:0@after-write1:kept1 shows 2, 1",
		"crash:0@before-write2 shows 2, 1", "crash:0@before-write2:kept1 shows 2, 1",
		"crash:0@write2 shows 3, 1", "crash:0@write2:kept1 shows 3, 1", "crash:0@write2:kept2 shows 3, 1", "crash:0@write2:kept1-2 shows 3, 1",
		"crash:0@after-write2 shows 4, 1", "crash:0@after-write2:kept1 shows 4, 1", "crash:0@after-write2:kept2 shows 4, 1", "crash:0@after-write2:kept1-2 shows 4, 1",
		"crash:0@before-sync1 shows 4, 1", "crash:0@before-sync1:kept1 shows 4, 1", "crash:0@before-sync1:kept2 shows 4, 1", "crash:0@before-sync1:kept1-2 shows 4, 1",
		"crash:0@sync1 shows 9, 1", "crash:0@sync1:kept1 shows 9, 1", "crash:0@sync1:kept2 shows 9, 1", "crash:0@sync1:kept1-2 shows 9, 1",
		"crash:0@after-sync1 shows 14, 1",
	}, candidatesOf(t, s, ExploreOptions{Kinds: []faults.Kind{faults.Crash}, Rejoins: []clock.Time{5}}))
	require.Equal(t, []string{"crash:0@t0 shows never, 10"}, candidatesOf(t, s, ExploreOptions{Kinds: []faults.Kind{faults.Crash}}), "nobody finds what is kept")
}

// A slow rank that fails at t=7 in the course of a change does not live to see its middle, which is at t=8; in its next life that is at t=28.
func TestTheMiddleOfAChangeIsThatOfASlowRank(t *testing.T) {
	s := forgetfulSubject(1, clock.Disk{Write: 4, Sync: 5})
	require.Equal(t, []string{
		"crash:0@t0 shows -1, 1",
		"crash:0@before-write1 shows 0, 1",
		"crash:0@step:found-1 shows 20, 1",
		"crash:0@write1 shows 28, 1",
		"crash:0@write1:kept1 shows 28, 1",
	}, candidatesOf(t, s, ExploreOptions{Kinds: []faults.Kind{faults.Crash}, Given: faults.MustParse("slow:0x4,crash:0@t7:kept1,rejoin:0@t20")})[:5])
}

func TestSetsOfChangesThatLeaveTheSameAreListedOnce(t *testing.T) {
	for _, c := range []struct {
		changed []string
		want    []faults.Group
	}{
		{nil, nil},
		{[]string{"a"}, []faults.Group{"1"}},
		{[]string{"a", "a"}, []faults.Group{"1", "2"}},
		{[]string{"a", "b", "a"}, []faults.Group{"1", "2", "3", "1-2", "2-3"}},
		{[]string{"a", "b", "c"}, []faults.Group{"1", "2", "3", "1-2", "1+3", "2-3", "1-3"}},
		{[]string{"a", "a", "a", "b"}, []faults.Group{"1", "2", "3", "4", "1+4", "2+4", "3-4"}},
		{manyNames(9), []faults.Group{"1", "9", "1+9", "1-8", "2-9", "1-9"}},
	} {
		require.Equal(t, c.want, keptOf(c.changed), "%v", c.changed)
	}
	require.Len(t, keptOf(manyNames(mostKept)), 1<<mostKept-1, "every set")
	paired := keptOf(manyNames(mostPaired))
	for _, set := range []faults.Group{"1", "3", "8", "1+8", "3+5", "1-3", "1-7", "2-8", "5-8", "1-4+6-8", "1-8"} {
		require.Contains(t, paired, set)
	}
	require.NotContains(t, paired, faults.Group("1+3+5"))
}

func TestFewerChangesAreKeptInTheEnd(t *testing.T) {
	for kept, want := range map[faults.Group][]faults.Group{
		"":      {""},
		"3":     {"", "3"},
		"2+4":   {"", "2", "4", "2+4"},
		"1+3-4": {"", "1", "3", "4", "3-4", "1+4", "1+3", "1+3-4"},
		"*":     {"", "1", "2", "1-2", "*"},
		"7-100": {"", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "7-14", "7-100"},
	} {
		require.Equal(t, want, fewerKept(kept))
	}
	require.Len(t, fewerKept("1-2147483646"), keptSizes+3, "more than fit into memory")
}

// Ranks that come back in random schedules have failed at all kinds of points of their storage, and have kept some of what was there to be kept: also if
// nobody sends anything.
func TestRandomAbsencesAreAboutStorage(t *testing.T) {
	s := subject(1, protocols.Program{Main: func(p protocols.Proc) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			p.Storage().Write(name, "1")
		}
		p.Storage().Sync()
		p.Storage().Delete("a")
		p.Storage().Sync()
	}}, reachesNobodyInParticular)
	s.Machine.Disk = clock.Disk{Write: 2, Sync: 10}
	r, err := newRunner(s)
	require.NoError(t, err)
	_, _, err = r.judge(t.Context(), r.tracing, nil)
	require.NoError(t, err)
	options := FuzzOptions{Kinds: []faults.Kind{faults.Crash, faults.Hang, faults.Late, faults.Rejoin}, Faults: 3}
	d := newDrawer(&r.report, s, options)
	points, kept := make(map[faults.Point]int), make(map[faults.Group]int)
	for seed := range uint64(2000) {
		schedule := d.absence(rand.New(rand.NewPCG(seed, 0)), &r.report)
		require.Len(t, schedule, 2)
		f := schedule[0]
		points[f.At]++
		kept[f.Kept]++
		if f.Kept != faults.Others {
			for _, change := range f.Kept.Ranks() {
				require.LessOrEqual(t, change, 5)
			}
		}
		if f.At == faults.AfterNthSync(1) {
			require.Empty(t, f.Kept, "all is safe")
		}
	}
	for n := 1; n <= 6; n++ {
		require.Positive(t, points[faults.DuringNthWrite(n)], points)
		require.Positive(t, points[faults.AfterNthWrite(n)], points)
	}
	for n := 1; n <= 2; n++ {
		require.Positive(t, points[faults.DuringNthSync(n)], points)
		require.Positive(t, points[faults.AfterNthSync(n)], points)
	}
	for _, set := range []faults.Group{"", faults.Others, "1+5", "2-4", "1-5"} {
		require.Positive(t, kept[set], "%v: %v", set, kept)
	}
}

func manyNames(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(i))
	}
	return all
}

// twoRecords is a rank that counts, and writes its count to two records with one sync for both. In its next life it relies on the
// second one telling it that the first is there, which only a sync between the two would make sure.
func twoRecords(wrong *bool) *Subject {
	s := subject(1, protocols.Program{Main: func(p protocols.Proc) {
		disk := p.Storage()
		_, done := disk.Read("done")
		if _, ok := disk.Read("value"); done && !ok {
			*wrong = true
		}
		disk.Write("value", "1")
		disk.Write("done", "")
		disk.Sync()
	}}, nil)
	s.Machine.Disk = clock.Disk{Write: 1, Sync: 10}
	trial, _ := s.NewTrial()
	trial.Prepare = func() { *wrong = false }
	trial.Judge = func(*report.Report) []guarantee.Verdict {
		return []guarantee.Verdict{{Name: "done means done", Value: guarantee.ValueOf(!*wrong)}}
	}
	s.NewTrial = func() (Trial, error) { return trial, nil }
	return s
}

// The mistake shows only if the later change is kept and the earlier one is not.
func TestExploreFindsThatTheOrderOfChangesIsNotKept(t *testing.T) {
	var wrong bool
	found := explore(t, twoRecords(&wrong), ExploreOptions{Faults: 2, Rejoins: []clock.Time{5}, Workers: 1})
	require.Len(t, found.Violations, 1)
	require.Equal(t, "crash:0@after-write2:kept2,rejoin:0@t7", found.Violations[0].Schedule.String())
}

func TestFuzzAndShrinkFindThatTheOrderOfChangesIsNotKept(t *testing.T) {
	var wrong bool
	s := twoRecords(&wrong)
	kinds := []faults.Kind{faults.Crash, faults.Hang, faults.Rejoin}
	found, err := Fuzz(t.Context(), s, FuzzOptions{Runs: 3000, Faults: 4, Kinds: kinds, Roots: true, Workers: 1})
	require.NoError(t, err)
	require.Len(t, found.Violations, 1)
	shrunk, err := ShrinkFound(t.Context(), s, found.Violations[0], BreaksTheSame(found.Violations[0].Broken), 500)
	require.NoError(t, err)
	require.Len(t, shrunk.Schedule, 2)
	require.Equal(t, faults.Group("2"), shrunk.Schedule[0].Kept)
	require.Equal(t, faults.Crash, shrunk.Schedule[0].Kind)
}

// Which changes they are says more than that it is all of them.
func TestShrinkNamesTheChangesThatMatter(t *testing.T) {
	var wrong bool
	s := twoRecords(&wrong)
	judged, _ := s.NewTrial()
	judged.Program.Main = func(p protocols.Proc) {
		disk := p.Storage()
		if len(disk.Names()) == 2 {
			wrong = true
		}
		disk.Write("value", "1")
		disk.Write("done", "")
	}
	s.NewTrial = func() (Trial, error) { return judged, nil }
	shrunk, err := Shrink(t.Context(), s, faults.MustParse("crash:0@after-write2:kept*,rejoin:0@t9"), Breaks("done means done"), 100)
	require.NoError(t, err)
	require.Equal(t, "crash:0@after-write2:kept1-2,rejoin:0@t3", shrunk.Schedule.String())
}

// What an operation of storage takes is part of when things happen: two delays lead to the same order, or not, as without storage.
func TestDelaysMeetRanksThatWaitForTheirStorage(t *testing.T) {
	s := subject(2, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
			return
		}
		p.Storage().Sync()
		if _, _, ok := p.Poll(mailbox.Any); !ok {
			p.Step("early")
		}
	}}, reachesNobodyInParticular)
	s.Machine.Disk = clock.Disk{Sync: 50}
	var early int
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		for _, e := range rep.Events {
			if e.Kind == report.EventStep {
				early++
			}
		}
		return nil
	})
	s.Events = true
	found := explore(t, s, ExploreOptions{Delays: 1, Workers: 1})
	require.EqualValues(t, 2, len(found.Cases), "it is there, or comes later")
	require.Positive(t, early)
}
