package emu_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// errands is what ranks do while rank 0 looks on: they pass a step at t=4, send to themselves
// at t=6 and t=8, and take the two messages when they come, at t=10 and t=12.
func errands(p protocols.Proc) {
	p.WaitUntil(4)
	p.Step("half")
	for _, at := range []clock.Time{6, 8} {
		p.WaitUntil(at)
		p.Send(p.Rank(), mailbox.Message{})
	}
	p.Recv(mailbox.Any)
	p.Recv(mailbox.Any)
	p.WaitUntil(20)
}

// lookingOn runs a program in which rank 0 looks on and the others run errands, with several
// numbers of workers and an eager and a lazy start, which must agree.
func lookingOn(t *testing.T, d emu.Detection, schedule string, look func(p protocols.Proc, d protocols.Detector)) {
	t.Helper()
	hashes := make(map[report.Hash]bool)
	for i, workers := range []int{1, 2, 7, 2} {
		cfg := emu.Config{
			LogP:      clock.LogP{Ranks: 200, Latency: 2, Overhead: 1},
			Detection: d, Workers: workers, Eager: i == 3, Trace: emu.TraceHash,
		}
		rep := mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() != 0 {
				errands(p)
				return
			}
			detector, err := protocols.DetectorOf(p)
			require.NoError(t, err)
			look(p, detector)
		}}, emu.Options{Faults: faults.MustParse(schedule)})
		hashes[rep.Hash] = true
	}
	require.Len(t, hashes, 1, schedule)
}

// knownWhen says when rank 0 first knows of each failure, from a look at every tick.
func knownWhen(t *testing.T, d emu.Detection, schedule string) (first []notice) {
	t.Helper()
	lookingOn(t, d, schedule, func(p protocols.Proc, detector protocols.Detector) {
		first = nil
		for now := range clock.Time(100) {
			p.WaitUntil(now)
			list := allKnown(detector)
			for i, rank := range list {
				if i == len(first) {
					first = append(first, notice{rank, now})
				}
				require.Equal(t, first[i].from, rank, "what a rank has been told once stays")
			}
			require.Len(t, first, len(list), "and nothing is taken back")
			require.Equal(t, slices.Contains(list, 5), detector.Suspects(5), "t=%d", now)
		}
	})
	return first
}

func TestFailuresAreKnownToTheTick(t *testing.T) {
	crashes := emu.Detection{Delay: 7}
	hangs := emu.Detection{Delay: 7, Hangs: true}
	signs := emu.Detection{Delay: 14, Period: 10, Hangs: true}
	for _, c := range []struct {
		d        emu.Detection
		schedule string
		want     []notice
	}{
		{crashes, "none", nil},
		{crashes, "crash:5", []notice{{5, 0}}},
		{crashes, "crash:5@t1", []notice{{5, 8}}},
		{crashes, "crash:5@t3", []notice{{5, 10}}},
		{crashes, "crash:5@step:half", []notice{{5, 11}}},
		{crashes, "crash:5@after-send1", []notice{{5, 14}}},
		{crashes, "crash:5@recv2", []notice{{5, 19}}},
		{crashes, "crash:5@t50", []notice{{5, 57}}}, // its program has returned
		{crashes, "hang:5@t3", nil},
		{crashes, "hang:5@t3,crash:5@t6", []notice{{5, 13}}},
		{hangs, "hang:5", []notice{{5, 0}}},
		{hangs, "hang:5@t3", []notice{{5, 10}}},
		{hangs, "hang:5@t3,crash:5@t6", []notice{{5, 10}}},
		{hangs, "crash:5@t3,hang:6@t2", []notice{{6, 9}, {5, 10}}},

		// Signs of life come at t=0, 10, 20, and so on; who fails at such an instant gives none.
		{signs, "crash:5", []notice{{5, 0}}},
		{signs, "crash:5@t1", []notice{{5, 14}}},
		{signs, "crash:5@t9", []notice{{5, 14}}},
		{signs, "hang:5@t10", []notice{{5, 14}}},
		{signs, "hang:5@t11", []notice{{5, 24}}},
		{signs, "crash:5@t20", []notice{{5, 24}}},
		{signs, "crash:5@t21", []notice{{5, 34}}},
		{signs, "hang:5@recv1", []notice{{5, 14}}},
		{signs, "hang:5@recv2", []notice{{5, 24}}},
		{emu.Detection{Delay: 30, Period: 7}, "crash:5@t15", []notice{{5, 44}}},
		{emu.Detection{Delay: 5, Period: 1}, "crash:5@t15", []notice{{5, 19}}},
	} {
		require.Equal(t, c.want, knownWhen(t, c.d, c.schedule), "%+v, %s", c.d, c.schedule)
	}
}

func TestSlowRanksMayCountAsFailed(t *testing.T) {
	wrong := emu.Detection{Delay: 7, Slow: true}
	signs := emu.Detection{Delay: 14, Period: 10, Slow: true}
	for _, c := range []struct {
		d        emu.Detection
		schedule string
		want     []notice
	}{
		{emu.Detection{Delay: 7, Hangs: true}, "slow:5x4@t10", nil},
		{wrong, "slow:5x4@t10", []notice{{5, 17}}},
		{wrong, "slow:5x4", []notice{{5, 0}}},
		{wrong, "slow:5x4@step:half", []notice{{5, 11}}},
		{wrong, "slow:5x4@before-send2", []notice{{5, 15}}},
		{wrong, "slow:5x4@send1", []notice{{5, 13}}},
		{wrong, "slow:5x4@after-send2", []notice{{5, 16}}},
		{wrong, "slow:5x4@recv1", []notice{{5, 17}}},
		{wrong, "slow:5x4@t50", []notice{{5, 57}}},
		{wrong, "slow:5x4@t10,slow:5x8@t3", []notice{{5, 10}}}, // the first time counts
		{wrong, "slow:5x4@t9,crash:5@t11", []notice{{5, 16}}},
		{wrong, "slow:5x4@t9,crash:5@step:half", []notice{{5, 11}}},
		{wrong, "slow:5x4@t30,crash:5@t50", []notice{{5, 37}}}, // its program has returned
		{wrong, "slow:5x4@t9,hang:5@t3", []notice{{5, 16}}},    // its ports are slow
		{signs, "slow:5x4@t10", []notice{{5, 14}}},
		{signs, "slow:5x4@t11", []notice{{5, 24}}},
		{signs, "slow:5x4@recv1", []notice{{5, 14}}},
	} {
		require.Equal(t, c.want, knownWhen(t, c.d, c.schedule), "%+v, %s", c.d, c.schedule)
	}
}

func TestFailuresBecomeKnownInOrderThoseOfOneInstantByRank(t *testing.T) {
	d := emu.Detection{Delay: 25, Period: 10, Hangs: true, Slow: true}
	require.Equal(t, []notice{{7, 0}, {90, 0}, {5, 25}, {6, 25}, {199, 25}, {1, 35}, {198, 35}, {2, 45}},
		knownWhen(t, d, "crash:90,slow:7x2,crash:199@t2,hang:6@t9,slow:5x4@step:half,crash:198@recv2,slow:1x2@t20,crash:2@t21"))
}

// heardOf says what notices rank 0 gets that asks for those failures at an instant.
func heardOf(t *testing.T, d emu.Detection, schedule string, at clock.Time, numbers ...int) (heard []notice) {
	t.Helper()
	lookingOn(t, d, schedule, func(p protocols.Proc, detector protocols.Detector) {
		heard = nil
		p.WaitUntil(at)
		for _, n := range numbers {
			detector.WatchNext(n)
		}
		for {
			rank, _, ok := p.RecvUntil(notices, 100)
			if !ok {
				return
			}
			heard = append(heard, notice{rank, p.Now()})
		}
	})
	return heard
}

func TestWatchNextTellsOfTheNextFailure(t *testing.T) {
	d := emu.Detection{Delay: 7, Slow: true}
	const schedule = "crash:9,crash:5@t3,slow:77x2@t6,crash:4@t30"
	for _, c := range []struct {
		name    string
		at      clock.Time
		numbers []int
		want    []notice
	}{
		{"known before the run", 0, []int{0}, []notice{{9, 7}}},
		{"to come", 0, []int{1}, []notice{{5, 10}}},
		{"several, in whatever order", 0, []int{3, 1, 2}, []notice{{5, 10}, {77, 13}, {4, 37}}},
		{"just when it happens", 3, []int{1}, []notice{{5, 10}}},
		{"it has happened and is not known", 4, []int{1}, []notice{{5, 11}}},
		{"it is known", 40, []int{3}, []notice{{4, 47}}},
		{"two at once, one after the other", 40, []int{3, 2}, []notice{{4, 47}, {77, 48}}},
		{"twice", 0, []int{1, 1}, []notice{{5, 10}, {5, 11}}},
		{"it never happens", 0, []int{4, 1 << 40}, nil},
	} {
		require.Equal(t, c.want, heardOf(t, d, schedule, c.at, c.numbers...), c.name)
	}
	signs := emu.Detection{Delay: 14, Period: 10}
	require.Equal(t, []notice{{5, 24}}, heardOf(t, signs, "crash:5@t11", 3, 0))
	require.Equal(t, []notice{{5, 26}}, heardOf(t, signs, "crash:5@t11", 12, 0))
}

// At the instant of a notice the failure is known.
func TestANoticeComesWhenTheFailureIsKnown(t *testing.T) {
	lookingOn(t, emu.Detection{Delay: 7}, "crash:5@t3,crash:4@t3,crash:6@t9", func(p protocols.Proc, detector protocols.Detector) {
		for n, want := range []int{4, 5, 6} {
			detector.WatchNext(n)
			from, m := p.Recv(notices)
			require.Equal(t, protocols.Failed, m.Kind)
			require.Equal(t, want, from)
			rank, ok := detector.Known(n)
			require.True(t, ok)
			require.Equal(t, want, rank)
		}
		_, ok := detector.Known(3)
		require.False(t, ok)
	})
}

// A send takes rank 0 to the end of a window in which another rank fails.
func TestWhatIsKnownDoesNotDependOnWindows(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Detection: emu.Detection{Delay: 4}}
	var suspected, known bool
	mustRun(t, cfg, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			detector, _ := protocols.DetectorOf(p)
			p.WaitUntil(3)
			p.Send(0, mailbox.Message{})
			suspected = detector.Suspects(1)
			_, known = detector.Known(0)
		}
		p.Step("begun")
	}}, emu.Options{Faults: faults.MustParse("crash:1@step:begun")})
	require.True(t, suspected)
	require.True(t, known)
}

// A rank that comes back is suspected no more, but its failure has happened.
func TestFailuresStayKnownOfRanksThatComeBack(t *testing.T) {
	for _, c := range []struct {
		schedule string
		known    []notice
		suspects [3]bool // at t=20, 40 and 60
	}{
		{"crash:5@t3,rejoin:5@t30", []notice{{5, 10}}, [3]bool{true, false, false}},
		{"crash:5@t3,rejoin:5@t5", []notice{{5, 10}}, [3]bool{}},
		{"crash:5@t3,rejoin:5@t30,crash:5@t50", []notice{{5, 10}, {5, 57}}, [3]bool{true, false, true}},
		// Nothing that was to happen to its former life happens to the next one,
		{"hang:5@t3,crash:5@t30,rejoin:5@t30", nil, [3]bool{}},
		// but it may be slow from its beginning, or later.
		{"crash:5@t3,slow:5x2@t30,rejoin:5@t30", []notice{{5, 10}, {5, 37}}, [3]bool{true, true, true}},
		{"crash:5@t3,slow:5x2@t33,rejoin:5@t30", []notice{{5, 10}, {5, 40}}, [3]bool{true, true, true}},
		{"crash:5@t3,slow:5x2@t6,rejoin:5@t30", []notice{{5, 10}}, [3]bool{true, false, false}},
	} {
		lookingOn(t, emu.Detection{Delay: 7, Slow: true}, c.schedule, func(p protocols.Proc, detector protocols.Detector) {
			var first []notice
			for now := range clock.Time(100) {
				p.WaitUntil(now)
				if list := allKnown(detector); len(list) > len(first) {
					first = append(first, notice{list[len(first)], now})
				}
				if now%20 == 0 && now > 0 && now < 80 {
					require.Equal(t, c.suspects[now/20-1], detector.Suspects(5), "%s, t=%d", c.schedule, now)
				}
			}
			require.Equal(t, c.known, first, c.schedule)
		})
	}
}

// A rank that comes back gives a sign of life.
func TestSignsOfLifeBeginWithLife(t *testing.T) {
	d := emu.Detection{Delay: 14, Period: 10}
	var heard []notice
	lookingOn(t, d, "crash:5@t3,rejoin:5@t36,crash:5@t38", func(p protocols.Proc, detector protocols.Detector) {
		heard = nil
		detector.WatchNext(0)
		detector.WatchNext(1)
		for range 2 {
			rank, _ := p.Recv(notices)
			heard = append(heard, notice{rank, p.Now()})
		}
	})
	require.Equal(t, []notice{{5, 14}, {5, 50}}, heard)
}

func TestDetectorsRefuseFailuresThatCannotBe(t *testing.T) {
	for name, call := range map[string]func(protocols.Detector){
		"Known of failure -1, want 0 or more":     func(d protocols.Detector) { d.Known(-1) },
		"WatchNext of failure -1, want 0 or more": func(d protocols.Detector) { d.WatchNext(-1) },
		"Watch of rank 2, want 0 to 1":            func(d protocols.Detector) { d.Watch(2) },
		"Suspects of rank -1, want 0 to 1":        func(d protocols.Detector) { d.Suspects(-1) },
	} {
		cfg := pair
		cfg.Detection = emu.Detection{Delay: 10}
		m, err := emu.New(cfg)
		require.NoError(t, err)
		_, err = m.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
			d, _ := protocols.DetectorOf(p)
			call(d)
		}}, emu.Options{})
		require.ErrorContains(t, err, name)
	}
}

// All problems of a detector are named at once, each with what is valid.
func TestDetectorsAreValidated(t *testing.T) {
	logp := clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}
	for _, c := range []struct {
		d    emu.Detection
		want string
	}{
		{emu.Detection{}, ""},
		{emu.Detection{Delay: 4, Hangs: true, Slow: true}, ""},
		{emu.Detection{Delay: 10, Period: 6}, ""},
		{emu.Detection{Delay: 10, Period: 7}, "emu: detector period = 7 ticks, want 0 for none to 6 (delay less 2o+L)"},
		{emu.Detection{Delay: 10, Period: -1}, "emu: detector period = -1 ticks, want 0 for none to 6 (delay less 2o+L)"},
		{emu.Detection{Delay: 4, Period: 1}, "emu: detector period = 1 ticks, want 0 for none to 0 (delay less 2o+L)"},
		{emu.Detection{Delay: 3, Period: -1}, "emu: detector delay = 3 ticks, want 0 for none or 4 (2o+L) to 1099511627776; " +
			"emu: detector period = -1 ticks, want 0 for none to 1099511627776 (delay less 2o+L)"},
		{emu.Detection{Hangs: true, Slow: true, Period: 5, Spread: 6}, "emu: a detector notices hangs, but has no delay; " +
			"emu: a detector takes slow ranks for failed, but has no delay; emu: detector period = 5 ticks, want 0 without a delay; " +
			"emu: detector spread = 6 ticks, want 0 without a delay"},
		{emu.Detection{Delay: 10, Period: 6, Spread: 1099511627766}, ""},
		{emu.Detection{Delay: 10, Spread: 1099511627767}, "emu: detector spread = 1099511627767 ticks, want 0 for none to 1099511627766"},
		{emu.Detection{Delay: 10, Spread: -1}, "emu: detector spread = -1 ticks, want 0 for none to 1099511627766"},
	} {
		err := emu.Config{LogP: logp, Detection: c.d}.Validate()
		if c.want == "" {
			require.NoError(t, err, "%+v", c.d)
			continue
		}
		require.EqualError(t, err, c.want, "%+v", c.d)
	}
}
