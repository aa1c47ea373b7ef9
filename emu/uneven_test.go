package emu_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// onlookers runs a program in which all ranks look at their detector at every tick, and returns when each first knew of each failure, with several
// numbers of workers, which must agree. Every look must show what earlier ones did.
func onlookers(t *testing.T, ranks int, d emu.Detection, seed uint64, schedule string) [][]notice {
	t.Helper()
	var all [][]notice
	hashes := make(map[report.Hash]bool)
	for _, workers := range []int{1, 2, 7} {
		all = make([][]notice, ranks)
		cfg := emu.Config{LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Detection: d, Workers: workers, Trace: emu.TraceHash}
		rep := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
			detector, err := protocols.DetectorOf(p)
			require.NoError(t, err)
			first := &all[p.Rank()]
			for p.Now() < 200 {
				list := allKnown(detector)
				for i, rank := range list {
					if i == len(*first) {
						*first = append(*first, notice{rank, p.Now()})
						p.Step("knows")
					}
					require.Equal(t, (*first)[i].from, rank, "what a rank has been told once stays")
				}
				require.Len(t, *first, len(list), "and nothing is taken back")
				p.WaitUntil(p.Now() + 1)
			}
		}}, emu.Options{Seed: seed, Faults: faults.MustParse(schedule)})
		hashes[rep.Hash] = true
	}
	require.Len(t, hashes, 1)
	return all
}

// since is when a list has a rank first, or clock.Never.
func since(list []notice, rank int) clock.Time {
	if i := slices.IndexFunc(list, func(n notice) bool { return n.from == rank }); i >= 0 {
		return list[i].at
	}
	return clock.Never
}

func TestObserversKnowOfAFailureAtDifferentInstants(t *testing.T) {
	const ranks = 100
	for _, c := range []struct {
		d         emu.Detection
		schedule  string
		five, six clock.Time // when ranks 5 and 6 are known, at the earliest
	}{
		{emu.Detection{Delay: 7, Spread: 40}, "crash:5@t3,crash:6@t4", 10, 11},
		{emu.Detection{Delay: 14, Spread: 40, Period: 10, Hangs: true}, "hang:5@t11,crash:6@t10", 24, 14},
		{emu.Detection{Delay: 7, Spread: 40, Slow: true}, "slow:5x3@t3,crash:6@t3", 10, 10},
	} {
		all := onlookers(t, ranks, c.d, 3, c.schedule)
		fives, firsts := make(map[clock.Time]int), make(map[int]int)
		for observer, list := range all {
			if observer == 6 || observer == 5 && !c.d.Slow {
				continue
			}
			require.Equal(t, c.five+c.d.Lag(3, observer, 5, 0), since(list, 5), "rank %d", observer)
			require.Equal(t, c.six+c.d.Lag(3, observer, 6, 0), since(list, 6), "rank %d", observer)
			fives[since(list, 5)]++
			firsts[list[0].from]++
		}
		require.Greater(t, len(fives), 20, "they differ")
		require.Greater(t, firsts[5], 20, "some hear of rank 5 first")
		require.Greater(t, firsts[6], 20, "and others of rank 6")
	}
}

// A detector that takes the same time for all is one that has a spread of nothing, and what was so before the run is
// known to all from the start, whatever the spread.
func TestAllKnowAtOnceWithoutASpreadAndOfWhatWasBefore(t *testing.T) {
	for _, spread := range []clock.Time{0, 50} {
		for observer, list := range onlookers(t, 30, emu.Detection{Delay: 7, Spread: spread, Hangs: true}, 1, "crash:9,hang:4,crash:20@t3") {
			if observer == 9 || observer == 4 || observer == 20 {
				continue
			}
			require.Equal(t, []notice{{4, 0}, {9, 0}}, list[:2], "rank %d", observer)
			if spread == 0 {
				require.Equal(t, notice{20, 10}, list[2], "rank %d", observer)
			}
		}
	}
}

// When an observer knows of a failure has nothing to do with other failures, but it is another time in another life.
func TestWhenAFailureIsKnownDependsOnNothingElse(t *testing.T) {
	d := emu.Detection{Delay: 7, Spread: 60}
	const alone, crowd = "crash:5@t3", "crash:9@t1,crash:2@t2,crash:5@t3,crash:6@t3,crash:8@t60"
	one, many := onlookers(t, 12, d, 8, alone), onlookers(t, 12, d, 8, crowd)
	for _, observer := range []int{0, 1, 3, 4, 7, 10, 11} {
		require.Equal(t, since(one[observer], 5), since(many[observer], 5), "rank %d", observer)
	}
	lives := onlookers(t, 12, d, 8, "crash:5@t3,rejoin:5@t80,crash:5@t90")
	differ := 0
	for observer, list := range lives {
		if observer == 5 {
			continue
		}
		require.Equal(t, []notice{{5, 10 + d.Lag(8, observer, 5, 0)}, {5, 97 + d.Lag(8, observer, 5, 1)}}, list, "rank %d", observer)
		if list[1].at-list[0].at != 87 {
			differ++
		}
	}
	require.Greater(t, differ, 7)
}

// What is drawn is anything from 0 to the spread, as often as anything else.
func TestLagsAreUniform(t *testing.T) {
	d := emu.Detection{Delay: 7, Spread: 4}
	var counts [5]int
	for observer := range 10 {
		for failed := range 10 {
			for life := range 10 {
				for seed := range uint64(10) {
					counts[d.Lag(seed, observer, failed, life)]++
				}
			}
		}
	}
	for lag, n := range counts {
		require.InDelta(t, 2000, n, 150, "%d ticks", lag)
	}
	require.Zero(t, emu.Detection{Delay: 7}.Lag(1, 2, 3, 4))
}

// The n-th failure of WatchNext is that of the rank's own list, and a notice comes when the rank knows of it, or as long after the call as
// it takes to.
func TestNoticesComeInTheOrderOfTheObserver(t *testing.T) {
	d := emu.Detection{Delay: 7, Spread: 60}
	const schedule = "crash:5@t3,crash:6@t4,crash:9@t30"
	orders := make(map[string]bool)
	for seed := range uint64(20) {
		var list, next, watched, late []notice
		cfg := emu.Config{LogP: clock.LogP{Ranks: 10, Latency: 2, Overhead: 1}, Detection: d}
		mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() > 3 {
				p.WaitUntil(300)
				return
			}
			detector, err := protocols.DetectorOf(p)
			require.NoError(t, err)
			heard := func() (all []notice) {
				for {
					from, _, ok := p.RecvUntil(notices, 300)
					if !ok {
						return all
					}
					all = append(all, notice{from, p.Now()})
				}
			}
			switch p.Rank() {
			case 0:
				detector.WatchNext(0)
				for n := range 3 {
					from, _ := p.Recv(notices)
					list = append(list, notice{from, p.Now()})
					rank, ok := detector.Known(n)
					require.True(t, ok)
					require.Equal(t, from, rank)
					require.True(t, detector.Suspects(from))
					detector.WatchNext(n + 1)
				}
			case 1:
				for _, n := range []int{2, 0, 1} {
					detector.WatchNext(n)
				}
				next = heard()
			case 2:
				for _, rank := range []int{9, 5, 6} {
					detector.Watch(rank)
				}
				watched = heard()
			case 3:
				p.WaitUntil(150)
				detector.WatchNext(0)
				detector.Watch(9)
				late = heard()
			}
		}}, emu.Options{Seed: seed, Faults: faults.MustParse(schedule)})
		about := func(observer int) []notice { return ownList(d, seed, observer, []notice{{5, 10}, {6, 11}, {9, 37}}) }
		require.Equal(t, ranksOf(about(0)), ranksOf(list), "seed %d", seed) // it asks for the next one late, and is told later
		require.Equal(t, onePort(about(1)), next, "seed %d", seed)
		require.Equal(t, onePort(about(2)), watched, "seed %d", seed)
		first := about(3)[0].from
		require.Equal(t, onePort(ownList(d, seed, 3, []notice{{first, 157}, {9, 157}})), late, "seed %d", seed)
		orders[fmt.Sprint(ranksOf(next))] = true
	}
	require.Greater(t, len(orders), 2)
}

// ownList is when an observer knows of failures, given when others know them at the earliest.
func ownList(d emu.Detection, seed uint64, observer int, failures []notice) []notice {
	for i := range failures {
		failures[i].at += d.Lag(seed, observer, failures[i].from, 0)
	}
	slices.SortStableFunc(failures, func(a, b notice) int { return int(a.at - b.at) })
	return failures
}

// onePort delays what comes at the same instant: a port takes one message at a tick.
func onePort(list []notice) []notice {
	for i := 1; i < len(list); i++ {
		list[i].at = max(list[i].at, list[i-1].at+1)
	}
	return list
}

func ranksOf(list []notice) (ranks []int) {
	for _, n := range list {
		ranks = append(ranks, n.from)
	}
	return ranks
}

// Two failures of a rank that become known at the same tick are in the order of its lives, which shows in how long a notice takes.
func TestFailuresOfOneRankAtTheSameTickAreInOrder(t *testing.T) {
	d := emu.Detection{Delay: 7, Spread: 40}
	seed := uint64(0)
	for 10+d.Lag(seed, 0, 5, 0) != 30+d.Lag(seed, 0, 5, 1) {
		seed++
	}
	var told []clock.Time
	cfg := emu.Config{LogP: clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}, Detection: d}
	mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		p.WaitUntil(100)
		if p.Rank() != 0 {
			return
		}
		for n := range 2 {
			asked := p.Now()
			p.Detector().WatchNext(n)
			p.Recv(notices)
			told = append(told, p.Now()-asked)
		}
	}}, emu.Options{Seed: seed, Faults: faults.MustParse("crash:5@t3,rejoin:5@t20,crash:5@t23")})
	require.Equal(t, []clock.Time{7 + d.Lag(seed, 0, 5, 0), 7 + d.Lag(seed, 0, 5, 1)}, told)
}

// A line with such a detector means the same run for ever.
func TestLagsStayTheSame(t *testing.T) {
	d := emu.Detection{Delay: 7, Spread: 1_000_000}
	var lags []clock.Time
	for _, by := range [][3]int{{0, 1, 0}, {1, 0, 0}, {0, 1, 1}, {70_000, 3, 0}} {
		lags = append(lags, d.Lag(42, by[0], by[1], by[2]))
	}
	require.Equal(t, []clock.Time{920353, 661424, 266831, 462793}, lags)
}
