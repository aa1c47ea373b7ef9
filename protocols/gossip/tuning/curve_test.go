package tuning_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

func newCurve(t require.TestingT, machine clock.LogP, failures int, until clock.Time) *tuning.Curve {
	c, err := tuning.NewCurve(machine, failures, until)
	require.NoError(t, err)
	return c
}

// machines of a few hundred ranks have costs in all proportions.
func machines() *rapid.Generator[clock.LogP] {
	return rapid.Custom(func(t *rapid.T) clock.LogP {
		return clock.LogP{
			Ranks:    rapid.IntRange(2, 300).Draw(t, "N"),
			Latency:  clock.Time(rapid.IntRange(1, 12).Draw(t, "L")),
			Overhead: clock.Time(rapid.IntRange(1, 5).Draw(t, "o")),
			Gap:      clock.Time(rapid.SampledFrom([]int{0, 0, 1, 3, 7, 30}).Draw(t, "g")),
		}
	})
}

// ticks follows gossip tick by tick: who is newly coloured, and who begins a message.
func ticks(m clock.LogP, failures int, until clock.Time) (reached, senders []float64) {
	at := func(list []float64, t clock.Time) float64 {
		if t < 0 {
			return 0
		}
		return list[t]
	}
	reached, senders = []float64{1}, []float64{1}
	for t := clock.Time(1); t <= until; t++ {
		left := float64(m.Ranks-failures) - reached[t-1]
		hit := 1 - math.Pow(1-1/float64(m.Ranks-1), at(senders, t-m.Delivery()))
		reached = append(reached, reached[t-1]+left*hit)
		senders = append(senders, left*hit+at(senders, t-m.Costs().Spacing))
	}
	return reached, senders
}

func TestCurveFollowsGossipTickByTick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const until = 150
		m := machines().Draw(t, "machine")
		failures := rapid.IntRange(0, m.Ranks-1).Draw(t, "failures")
		c := newCurve(t, m, failures, until)
		reached, senders := ticks(m, failures, until)
		sent := 0.0
		for i, want := range reached {
			require.InEpsilon(t, want, c.Reached(clock.Time(i)), 1e-9, "c(%d)", i)
			require.InDelta(t, sent, c.Messages(clock.Time(i)), 1e-9*sent, "messages before %d", i)
			sent += senders[i]
		}
	})
}

func TestCurveIsMonotoneAndEndsAtTheLiveRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines().Draw(t, "machine")
		failures := rapid.IntRange(0, m.Ranks-1).Draw(t, "failures")
		c := newCurve(t, m, failures, 2000)
		for i := clock.Time(1); i <= 2000; i++ {
			require.GreaterOrEqual(t, c.Reached(i), c.Reached(i-1))
		}
		require.LessOrEqual(t, c.Reached(2000), float64(m.Ranks-failures))
		require.Equal(t, 0.0, c.Reached(-1))
		require.Equal(t, 1.0, c.Reached(0))
	})
}

// Three ranks that take turns to send, because o does not divide L: equation 1 as printed
// would have both ranks send at 5.
func TestRanksColouredAtDifferentInstantsTakeTurns(t *testing.T) {
	c := newCurve(t, clock.LogP{Ranks: 3, Latency: 1, Overhead: 2}, 0, 7)
	require.InDelta(t, 2, c.Reached(5), 1e-12, "the root's first message")
	require.InDelta(t, 2, c.Reached(6), 1e-12)
	require.InDelta(t, 2.5, c.Reached(7), 1e-12, "its second")
	require.InDelta(t, 3, c.Messages(5), 1e-12, "the root at 0, 2, 4")
	require.InDelta(t, 4, c.Messages(6), 1e-12, "the other rank at 5")
	require.InDelta(t, 5, c.Messages(7), 1e-12, "the root at 6")
}

func TestSimulatedGossipStaysCloseToTheCurve(t *testing.T) {
	const runs, until = 300, 60
	m := clock.LogP{Ranks: 512, Latency: 3, Overhead: 2}
	random := rand.New(rand.NewPCG(1, 2))
	mean := make([]float64, until+1)
	for range runs {
		for i, reached := range simulate(m, until, random) {
			mean[i] += float64(reached) / runs
		}
	}
	c := newCurve(t, m, 0, until)
	for i, got := range mean {
		require.InDelta(t, c.Reached(clock.Time(i)), got, 0.03*float64(m.Ranks), "c(%d)", i)
	}
}

// simulate returns how many ranks random gossip has reached at each tick.
func simulate(m clock.LogP, until clock.Time, random *rand.Rand) []int {
	coloured := make([]clock.Time, m.Ranks)
	for rank := range coloured {
		coloured[rank] = clock.Never
	}
	coloured[0] = 0
	reached := make([]int, until+1)
	for now := range until + 1 {
		for rank, since := range coloured {
			if since > now {
				continue
			}
			reached[now]++
			if (now-since)%m.Costs().Spacing == 0 {
				other := (rank + 1 + random.IntN(m.Ranks-1)) % m.Ranks
				coloured[other] = min(coloured[other], now+m.Delivery())
			}
		}
	}
	return reached
}
