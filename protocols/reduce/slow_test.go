package reduce_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// Slow ranks, the root among them, break the deadlines' assumptions. Values may get lost
// then, but none is there twice or out of place, and nobody waits for ever.
func TestSlowRanksLoseValuesAtWorst(t *testing.T) {
	t.Parallel()
	outcomes := map[string]int{}
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 0))
		logp := clock.LogP{Ranks: 2 + random.IntN(20), Latency: 2, Overhead: 1}
		b := newTrial(t, logp, reduce.Options{Root: random.IntN(logp.Ranks), Redundancy: random.IntN(4)})
		b.run(t, someSlow(random, logp.Ranks, b.reduce.Deadline()))
		require.Empty(t, b.report.Deadlocks, "%v", b)
		require.Empty(t, b.disorder(), "%v", b)
		switch {
		case !b.complete:
			outcomes["none"]++
		case len(b.ranks()) < logp.Ranks:
			outcomes["lacking"]++
		default:
			outcomes["all"]++
		}
	}
	for _, outcome := range []string{"none", "lacking", "all"} {
		require.Greater(t, outcomes[outcome], 100, "%v", outcomes)
	}
}

// someSlow slows down up to 3 ranks, not all of them from the start.
func someSlow(random *rand.Rand, ranks int, deadline clock.Time) faults.Schedule {
	var schedule faults.Schedule
	for _, rank := range random.Perm(ranks)[:min(ranks, 1+random.IntN(3))] {
		at := clock.Time(random.IntN(2)) * clock.Time(random.Int64N(int64(deadline)))
		schedule = append(schedule, faults.Fault{
			Kind: faults.Slow, Rank: rank, Factor: 2 + random.IntN(20), At: faults.OnTime(at),
		})
	}
	return schedule
}

// A rank that is slow throughout is as good as failed: one subtree does without it.
func TestOneSlowRankDoesNotKeepTheRootWaiting(t *testing.T) {
	b := newTrial(t, clock.LogP{Ranks: 13, Latency: 2, Overhead: 1}, reduce.Options{Redundancy: 1})
	b.run(t, faults.MustParse("slow:5x100@t0"))
	require.True(t, b.complete)
	require.LessOrEqual(t, b.report.Ranks[0].Exit, b.reduce.Deadline())
}
