package buntinas_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
)

// Corrected Gossip, section IV-B: 2(2O+L) log2 N without failures.
func TestCompleteAfterTwoTripsThroughTheTree(t *testing.T) {
	for n := range 13 {
		for _, logp := range []clock.LogP{{Latency: 2, Overhead: 1}, {Latency: 1, Overhead: 1}, {Latency: 3, Overhead: 4}} {
			logp.Ranks = 1 << n
			b := (&trial{logp: logp, message: news, options: buntinas.Options{Root: n * n % logp.Ranks}}).start(t)
			report := b.run(t, nil)
			b.check(t)
			require.Equal(t, (2 * logp.Delivery()).Times(n), b.complete, "%v", b)
			require.Equal(t, logp.Delivery().Times(n), report.Colouring, "%v", b)
			require.EqualValues(t, 2*(logp.Ranks-1), report.Messages, "%v", b)
			require.Equal(t, 1, b.attempts)
		}
	}
}

// Corrected Gossip, figure 7: 96. The 4,096 messages printed there are those that go down;
// as many come back.
func TestErratumAcknowledgementsAreMessages(t *testing.T) {
	b := on(t, 4096)
	report := b.run(t, nil)
	require.EqualValues(t, 96, b.complete)
	require.EqualValues(t, 96, report.Quiescence)
	require.EqualValues(t, 4095+4095, report.Messages)
}

// trip is how long it takes down and up a tree over that many ranks, for o=1, L=2. The upper
// half, without half a rank, goes first; the answers are received one after the other.
func trip(ranks int) clock.Time {
	var arrivals []clock.Time
	for sent := clock.Time(0); ranks > 1; sent++ {
		arrivals = append(arrivals, sent+4+trip(ranks/2)+3)
		ranks = (ranks + 1) / 2
	}
	slices.Sort(arrivals)
	free := clock.Time(0)
	for _, at := range arrivals {
		free = max(free, at) + 1
	}
	return free
}

func TestCompleteForAnyNumberOfRanks(t *testing.T) {
	for ranks := 1; ranks <= 200; ranks += thorough.Stride(10) {
		b := on(t, ranks)
		report := b.run(t, nil)
		b.check(t)
		require.Equal(t, trip(ranks), b.complete, "P=%d", ranks)
		require.LessOrEqual(t, b.complete, clock.Time(8*bits.Len(uint(ranks-1))), "P=%d", ranks)
		require.EqualValues(t, 2*(ranks-1), report.Messages, "P=%d", ranks)
	}
	for ranks, want := range map[int]clock.Time{1: 0, 2: 8, 3: 9, 4: 16, 5: 16, 7: 18, 4095: 90, 4097: 96} {
		require.Equal(t, want, trip(ranks), "P=%d", ranks)
	}
}

func TestLargeBroadcast(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds with the race detector")
	}
	b := on(t, 1<<16)
	b.run(t, nil)
	b.check(t)
	require.EqualValues(t, 128, b.complete)
	b.play(t, "crash:32768@t9,crash:5000,crash:5001,crash:65535@t70,crash:1@t64")
	b.check(t)
	require.Equal(t, 3, b.attempts, "rank 32768 makes the second necessary, and 65535 the third")
}

// Ranks that are down before are left out of the tree. They cost nothing, however many.
func TestPrefailedRanksCostNothing(t *testing.T) {
	for _, ranks := range []int{2, 3, 7, 64, 100, 1024} {
		b := on(t, ranks)
		b.run(t, nil)
		healthy := b.complete
		for _, rate := range []string{"1", "10", "50", "90", "100"} {
			for seed := range uint64(3) {
				down, err := faults.MustParse("crash:"+rate+"%").Expand(ranks, seed, 0)
				require.NoError(t, err)
				report := b.run(t, down)
				b.check(t)
				require.Equal(t, 1, b.attempts, "%v", b)
				require.LessOrEqual(t, b.complete, healthy, "%v", b)
				require.EqualValues(t, 2*(ranks-1-len(down)), report.Messages, "%v", b)
			}
		}
	}
}

// The root looks once at each of the others. That takes no time, and a program that makes too many calls in no time is
// ended by the machine.
func TestDownRanksAreLookedAtOnce(t *testing.T) {
	const ranks, besides = 1024, 10
	b := (&trial{logp: paper(ranks), atOnce: ranks + besides}).start(t)
	down, err := faults.MustParse("crash:100%").Expand(ranks, 0, 0)
	require.NoError(t, err)
	b.run(t, down)
	require.Zero(t, b.complete)
}

// With all others down there is nobody to send to.
func TestTheRootAlone(t *testing.T) {
	b := on(t, 3)
	report := b.play(t, "crash:1,crash:2")
	b.check(t)
	require.Zero(t, b.complete)
	require.Zero(t, report.Messages)
	require.Equal(t, buntinas.Result{Message: b.results[0].Message, Attempts: 1}, b.results[0])
}

// Corrected Gossip, figure 7, has 144 for a failure during the operation: 48 and another 96. It
// is the case of a child of the root that crashes at 44, which is known at 48 with the fastest
// detector there can be. How long it takes depends on who fails when, and how soon that is
// known; it is at most twice the time without failures, and the delay.
func TestOneCrashCausesOneRestart(t *testing.T) {
	b := on(t, 4096)
	b.play(t, "crash:1024@t44")
	b.check(t)
	require.Equal(t, 2, b.attempts)
	require.EqualValues(t, 48+96, b.complete)
	for _, c := range []struct {
		schedule string
		complete clock.Time
		attempts int
	}{
		{"crash:2048@t3", 12 + 90, 2},     // the root's first child; that is known at 7, but the root sends until 12
		{"crash:2048@t60", 64 + 90, 2},    // the same, when all have the message
		{"crash:4095@t47", 185, 2},        // the last one to be reached, just before
		{"crash:4095@t48", 186, 2},        // just then
		{"crash:4095@after-send1", 96, 1}, // it has acknowledged: nobody needs it any more
		{"crash:4095@t30", 90, 1},         // that is known when its parent gets there
		{"crash:1@t3", 96, 1},             // that is known before the root sends to it
		{"crash:1@t14", 18 + 96, 2},       // just before the message comes
	} {
		report := b.play(t, c.schedule)
		b.check(t)
		require.Equal(t, c.complete, b.complete, c.schedule)
		require.Equal(t, c.attempts, b.attempts, c.schedule)
		require.Less(t, report.Messages, int64(16_380), c.schedule)
	}
}

// Any rank, at any tick: at most one restart, which is known after one trip and the delay.
func TestARestartTakesOneMoreTrip(t *testing.T) {
	for _, delay := range []clock.Time{4, 9, 40} {
		b := (&trial{logp: paper(32), detector: emu.Detection{Delay: delay}}).start(t)
		restarts := 0
		for rank := 1; rank < 32; rank += 32 / thorough.Times(32) {
			for at := range clock.Time(42) {
				b.play(t, fmt.Sprintf("crash:%d@t%d", rank, at))
				b.check(t)
				require.LessOrEqual(t, b.complete, 40+delay+40, "%v", b)
				restarts += b.attempts - 1
			}
		}
		require.Greater(t, restarts, 3)
	}
}

// On 9 ranks there are 4 hops down and 4 up; on 8 there are 3. On each a message waits for three times as many others.
func TestTheLongestAttempt(t *testing.T) {
	for ranks, want := range map[int]clock.Time{1: 7, 2: 2*(4+3) + 7, 8: 6*(4+9) + 7, 9: 8*(4+12) + 7} {
		require.Equal(t, want, buntinas.Longest(clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, 7, 0), "P=%d", ranks)
	}
}
