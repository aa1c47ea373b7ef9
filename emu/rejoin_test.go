package emu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// oneEachTen is a program in which rank 0 sends a message every ten ticks, from t=0 to t=90, and
// rank 1 notes its life, and what it takes in each of them, until t=200.
func oneEachTen(lives *[]int, taken *[][]int64) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			for i := range 10 {
				p.WaitUntil(clock.Time(10 * i))
				p.Send(1, mailbox.Message{A: int64(i)})
			}
			return
		}
		*lives = append(*lives, p.Life())
		*taken = append(*taken, nil)
		for {
			_, m, ok := p.RecvUntil(mailbox.Any, 200)
			if !ok {
				return
			}
			last := len(*taken) - 1
			(*taken)[last] = append((*taken)[last], m.A)
		}
	}}
}

func TestRankThatRejoinsBeginsAgain(t *testing.T) {
	for _, test := range []struct {
		faults string
		taken  [][]int64
		failed []report.Failure
		back   []report.Rejoin
	}{
		{"crash:1@t20,rejoin:1@t50", [][]int64{{0, 1}, {5, 6, 7, 8, 9}}, []report.Failure{}, []report.Rejoin{{Rank: 1, Time: 50}}},
		// The message that arrives at t=45 reaches the new life, though it was sent before.
		{"crash:1@t20,rejoin:1@t45", [][]int64{{0, 1}, {4, 5, 6, 7, 8, 9}}, []report.Failure{}, []report.Rejoin{{Rank: 1, Time: 45}}},
		{"crash:1@t20,rejoin:1@t46", [][]int64{{0, 1}, {5, 6, 7, 8, 9}}, []report.Failure{}, []report.Rejoin{{Rank: 1, Time: 46}}},
		// What a rank that hangs has received is lost with it.
		{"hang:1@t20,rejoin:1@t50", [][]int64{{0, 1}, {5, 6, 7, 8, 9}}, []report.Failure{}, []report.Rejoin{{Rank: 1, Time: 50}}},
		{"crash:1@t0,rejoin:1@t50", [][]int64{{5, 6, 7, 8, 9}}, []report.Failure{}, []report.Rejoin{{Rank: 1, Time: 50}}},
		// Receives are counted through both lives, and a rank can fail again.
		{"crash:1@recv2,crash:1@recv4,rejoin:1@t50", [][]int64{{0}, {5}}, []report.Failure{{Rank: 1, Time: 67, Outcome: report.Crashed}}, []report.Rejoin{{Rank: 1, Time: 50}}},
		{
			"crash:1@t20,rejoin:1@t50,hang:1@t60,rejoin:1@t80", [][]int64{{0, 1}, {5}, {8, 9}},
			[]report.Failure{}, []report.Rejoin{{Rank: 1, Time: 50}, {Rank: 1, Time: 80}},
		},
		// The run goes on for a rank that comes back when all is over, with its own end passed.
		{"crash:1@t20,rejoin:1@t500", [][]int64{{0, 1}, nil}, []report.Failure{}, []report.Rejoin{{Rank: 1, Time: 500}}},
	} {
		var lives []int
		var taken [][]int64
		rep := mustRun(t, pair, oneEachTen(&lives, &taken), emu.Options{Faults: faults.MustParse(test.faults)})
		require.Equal(t, test.taken, taken, test.faults)
		require.Equal(t, test.failed, rep.Failed, test.faults)
		require.Equal(t, test.back, rep.Rejoined, test.faults)
		require.Empty(t, rep.Unfired, test.faults)
		require.Equal(t, len(test.back), lives[len(lives)-1], test.faults)
	}
}

func TestWhoHasNotFailedCannotRejoin(t *testing.T) {
	for _, schedule := range []string{"rejoin:1@t50", "crash:1@t60,rejoin:1@t50", "crash:1@t50,rejoin:1@t50"} {
		var lives []int
		var taken [][]int64
		rep := mustRun(t, pair, oneEachTen(&lives, &taken), emu.Options{Faults: faults.MustParse(schedule)})
		require.Equal(t, []int{0}, lives, schedule)
		require.Empty(t, rep.Rejoined, schedule)
		require.Equal(t, "rejoin:1@t50", rep.Unfired.String(), schedule)
	}
}

func TestRandomStreamBeginsAgain(t *testing.T) {
	var drawn []uint64
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			drawn = append(drawn, p.Rand().Uint64())
			p.WaitUntil(100)
		}
	}}
	mustRun(t, pair, program, emu.Options{Faults: faults.MustParse("crash:1@t20,rejoin:1@t50")})
	require.Len(t, drawn, 2)
	require.Equal(t, drawn[0], drawn[1])
}

func TestDetectorForgetsWhoHasComeBack(t *testing.T) {
	var suspected []bool
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.WaitUntil(200)
			return
		}
		detector, err := protocols.DetectorOf(p)
		require.NoError(t, err)
		for _, at := range []clock.Time{10, 60, 110} {
			p.WaitUntil(at)
			suspected = append(suspected, detector.Suspects(1))
		}
	}}
	cfg := pair
	cfg.Detection = emu.Detection{Delay: 10}
	mustRun(t, cfg, program, emu.Options{Faults: faults.MustParse("crash:1@t20,rejoin:1@t100")})
	require.Equal(t, []bool{false, true, false}, suspected)
}

// What arrived while the rank waited for an instant was for the life that has ended.
func TestWhatARankHasNotLookedAtIsLostWithItsLife(t *testing.T) {
	for _, fault := range []string{"crash:1@t20,rejoin:1@t30", "hang:1@t20,rejoin:1@t30"} {
		var got []int64
		rep := mustRun(t, pair, protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{A: 7})
				p.WaitUntil(40)
				p.Send(1, mailbox.Message{A: 8})
				return
			}
			if p.Life() == 0 {
				p.WaitUntil(100)
			}
			for {
				_, m, ok := p.RecvUntil(mailbox.Any, 200)
				if !ok {
					return
				}
				got = append(got, m.A)
			}
		}}, emu.Options{Faults: faults.MustParse(fault)})
		require.Equal(t, []int64{8}, got, fault)
		require.Len(t, rep.Rejoined, 1, fault)
	}
}

// Which fault has ended which life is told with the events, in the order of the schedule; not those that came to nothing.
func TestFaultsThatHaveStoppedRanksAreTold(t *testing.T) {
	var lives []int
	var taken [][]int64
	cfg := emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 4, Overhead: 1}}
	opts := emu.Options{Faults: faults.MustParse("crash:1@recv4,hang:1@recv9,crash:1@t20,rejoin:1@t50,rejoin:1@t80")}
	cfg.Trace = emu.TraceEvents
	rep := mustRun(t, cfg, oneEachTen(&lives, &taken), opts)
	require.Equal(t, [][]int64{{0, 1}, {5}, {8, 9}}, taken)
	require.Equal(t, []report.Stopped{{Place: 0, Time: 66}, {Place: 2, Time: 20}}, rep.Stopped)
	cfg.Trace = emu.TraceHash
	require.Nil(t, mustRun(t, cfg, oneEachTen(&lives, &taken), opts).Stopped)
}
