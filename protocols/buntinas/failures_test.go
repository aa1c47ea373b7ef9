package buntinas_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/report"
)

// explore runs every schedule of up to so many crashes, at every point of the ranks' programs,
// and of hangs if the detector notices them.
func explore(t *testing.T, b trial, crashes int, roots bool) *search.Exploration {
	t.Helper()
	kinds := []faults.Kind{faults.Crash}
	if b.detector.Hangs {
		kinds = append(kinds, faults.Hang)
	}
	found, err := search.Explore(t.Context(), &search.Subject{
		Machine: emu.Config{LogP: b.logp, Detection: b.detector}, Roots: []int{b.options.Root}, Events: true,
		NewTrial: func() (search.Trial, error) {
			own := b
			own.start(t)
			return search.Trial{Program: own.program(), Prepare: own.forget, Judge: own.judge}, nil
		},
	}, search.ExploreOptions{Faults: crashes, Kinds: kinds, Roots: roots})
	require.NoError(t, err)
	return found
}

// judge checks the run of a search.
func (b *trial) judge(rep *report.Report) []guarantee.Verdict {
	b.report = *rep
	problem := b.broken()
	return []guarantee.Verdict{{Name: "promises", Value: guarantee.ValueOf(problem == ""), Evidence: problem}}
}

func TestNoTwoCrashesAtAnyPointsDoHarm(t *testing.T) {
	t.Parallel()
	for _, b := range []trial{
		{logp: paper(2)}, {logp: paper(3)}, {logp: paper(4)},
		{logp: paper(5), options: buntinas.Options{Root: 3}},
		{logp: paper(6), message: news},
		{logp: paper(5), detector: emu.Detection{Delay: 11}},
		{logp: paper(5), detector: emu.Detection{Delay: 4, Spread: 9}},
		{logp: paper(5), detector: emu.Detection{Delay: 4, Spread: 40}},
		{logp: clock.LogP{Ranks: 5, Latency: 1, Overhead: 3, Gap: 5}, options: buntinas.Options{Root: 1}},
	} {
		if b.detector.Delay == 0 {
			b.detector.Delay = b.logp.Delivery()
		}
		found := explore(t, b, 2, false)
		require.Empty(t, found.Violations, "%v", &b)
		require.Greater(t, found.Runs, int64(b.logp.Ranks))
	}
}

func TestNoThreeCrashesOrHangsAtAnyPointsDoHarm(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds, and much longer with the race detector")
	}
	require.Empty(t, explore(t, trial{logp: paper(4), detector: emu.Detection{Delay: 5}}, 3, false).Violations)
	require.Empty(t, explore(t, trial{logp: paper(5), detector: emu.Detection{Delay: 5, Hangs: true}}, 2, false).Violations)
}

// What a detector tells depends on the instant of a failure, too: every two crashes, each at
// every tick.
func TestNoTwoCrashesAtAnyTimesDoHarm(t *testing.T) {
	t.Parallel()
	b := (&trial{logp: paper(5), detector: emu.Detection{Delay: 6}, trace: emu.TraceEvents}).start(t)
	step := clock.Time(thorough.Stride(3))
	passed := make(map[string]int)
	for first := 1; first < 5; first++ {
		for second := 1; second < first; second++ {
			for at := clock.Time(0); at < 26; at += step {
				for then := clock.Time(0); then < 60; then += step {
					b.run(t, faults.Schedule{
						{Kind: faults.Crash, Rank: first, At: faults.OnTime(at)},
						{Kind: faults.Crash, Rank: second, At: faults.OnTime(then)},
					})
					b.check(t)
					steps := b.steps()
					require.Equal(t, max(0, b.attempts-1), steps[buntinas.StepRestart])
					for step, n := range steps {
						passed[step] += n
					}
				}
			}
		}
	}
	require.NotZero(t, passed[buntinas.StepRestart])
	require.NotZero(t, passed[buntinas.StepComplete])
}

// If the root crashes there is nobody to begin again. Whoever has the message comes to an end;
// only those without it wait, for a message that nobody has promised.
func TestIfTheRootFailsWhoeverHasTheMessageComesToAnEnd(t *testing.T) {
	t.Parallel()
	for _, ranks := range []int{3, 5, 6} {
		found := explore(t, trial{logp: paper(ranks), detector: emu.Detection{Delay: 4}}, 2, true)
		require.Empty(t, found.Violations, "P=%d", ranks)
	}
	b := on(t, 6)
	rep := b.play(t, "crash:0@send1")
	require.Len(t, rep.Deadlocks, 5, "nobody has got anything")
	require.Equal(t, "rank 1 in Recv(kind=down..failed epoch=0) since t=0: no message is under way; rank 0 crashed at t=0", rep.Deadlocks[0].String())
	b.play(t, "crash:0@send3")
	b.check(t)
	require.Equal(t, []int{1}, b.report.Unreached)
}

// With the root, a later attempt may end half-way, and nobody else takes it up. Rank 8 fails in
// the first attempt. The second comes to rank 14 over 9 and 13, then 9 and the root fail, so
// that it never comes to rank 12, which waits for 14 still. Rank 14 tells it: when it goes over
// to the second attempt, because it was waiting for the slow rank 15; or when it is asked, because
// rank 12 is slow.
func TestNobodyWaitsForARankThatHasGoneOn(t *testing.T) {
	for step, slow := range map[string]string{buntinas.StepAbandon: "slow:15x30", buntinas.StepLate: "slow:12x30@t8"} {
		b := (&trial{logp: paper(16), options: buntinas.Options{Linger: 1000}, trace: emu.TraceEvents}).start(t)
		b.play(t, slow+",crash:8@after-send3,crash:9@after-send2,crash:0@after-send5")
		b.check(t)
		require.Positive(t, b.steps()[step])
		require.Equal(t, 2, b.results[14].Attempts)
		require.Equal(t, 1, b.results[12].Attempts)
	}
}

// Everybody but the root fails, one after the other, each as late as it can: when it is told.
func TestEverybodyElseFailsOneAfterTheOther(t *testing.T) {
	for _, ranks := range []int{2, 3, 8, 33} {
		var all faults.Schedule
		for rank := 1; rank < ranks; rank++ {
			all = append(all, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnNthRecv(1)})
		}
		b := (&trial{logp: paper(ranks), trace: emu.TraceEvents}).start(t)
		b.run(t, all)
		b.check(t)
		require.Len(t, b.report.Failed, ranks-1)
		require.Greater(t, b.attempts, 1)
	}
}

// Every attempt fails because of another rank, and does not come to rank 7, which has had the
// message since the first. That one lingers long enough, still.
func TestAttemptsThatFailInARow(t *testing.T) {
	b := (&trial{logp: paper(8), detector: emu.Detection{Delay: 1000}, trace: emu.TraceEvents}).start(t)
	b.play(t, "crash:4@after-send1,crash:5@recv1,crash:6@recv3")
	b.check(t)
	require.Equal(t, 4, b.attempts)
	require.Equal(t, 4, b.results[7].Attempts)
}

// The rare paths are taken: rank 7 is so slow that what it sends to rank 8 comes after the next
// attempt, and that it is still waiting for the answer when the next attempt comes to itself.
func TestLateAndAbandonedAttemptsAreAnswered(t *testing.T) {
	b := (&trial{logp: clock.LogP{Ranks: 9, Latency: 1, Overhead: 1}, trace: emu.TraceEvents}).start(t)
	b.play(t, "slow:7x8@t0,crash:5@t11")
	b.check(t)
	require.Equal(t, 2, b.attempts)
	require.Positive(t, b.steps()[buntinas.StepAbandon])
	require.Equal(t, 1, b.steps()[buntinas.StepLate])
}

// A detector that sees hangs takes them for crashes. With one that does not, the ranks above a
// rank that hangs wait for ever.
func TestHangsMustBeNoticed(t *testing.T) {
	for rank := 1; rank < 7; rank++ {
		for at := range clock.Time(25) {
			b := (&trial{logp: paper(7), detector: emu.Detection{Delay: 6, Hangs: true}}).start(t)
			b.play(t, fmt.Sprintf("hang:%d@t%d", rank, at))
			b.check(t)
		}
	}
	b := on(t, 7)
	rep := b.play(t, "hang:4@t2")
	require.Equal(t, clock.Never, b.complete)
	require.Equal(t, report.Deadlocked, rep.Ranks[0].Outcome)
	require.Equal(t, []int{5, 6}, rep.Unreached)
}

// blind is a rank whose detector gives notices, but knows nothing by itself.
type blind struct{ protocols.Proc }

func (b blind) Detector() protocols.Detector { return blindly{b.Proc.Detector()} }

type blindly struct{ protocols.Detector }

func (blindly) Suspects(int) bool { return false }

// Detectors need not be of one mind: it is enough that somebody notices. Refusals tell the
// root who has failed, and its messages tell everybody else. No failure costs two attempts.
func TestWhoHasFailedIsToldUpAndDown(t *testing.T) {
	for _, c := range []struct {
		ranks    int
		schedule string
		attempts int
	}{
		{8, "crash:4", 2}, {8, "crash:7", 2}, {8, "crash:5", 2}, {8, "crash:1,crash:7", 2},
		{8, "crash:4,crash:5,crash:6,crash:7", 5}, {8, "crash:1,crash:2,crash:3,crash:4,crash:5,crash:6,crash:7", 8},
		{8, "crash:5,crash:4@after-send3", 3}, // rank 4 has told of 5, before it fails itself
		{8, "crash:7,crash:4@after-send3", 3}, // rank 5, in the place of 4, is told of 7
		{300, "crash:299,crash:150,crash:151@t9,crash:3,crash:77", 5},
	} {
		b := &trial{logp: paper(c.ranks), message: news, wrap: func(p protocols.Proc) protocols.Proc { return blind{p} }}
		b.start(t).play(t, c.schedule)
		require.Empty(t, b.report.Unreached, c.schedule)
		require.Empty(t, b.report.Deadlocks, c.schedule)
		require.Equal(t, c.attempts, b.attempts, c.schedule)
		require.Empty(t, b.unlike(), c.schedule)
	}
}

// A machine without a failure detector is no machine for this.
func TestWithoutADetectorTheProgramPanics(t *testing.T) {
	for _, ranks := range []int{1, 5} {
		b, err := buntinas.New(paper(ranks), buntinas.Options{DetectorDelay: 4})
		require.NoError(t, err)
		machine, err := emu.New(emu.Config{LogP: paper(ranks)})
		require.NoError(t, err)
		_, err = machine.Run(context.Background(), b.Program(news, nil), emu.Options{})
		require.ErrorContains(t, err, protocols.ErrNoDetector.Error())
	}
}
