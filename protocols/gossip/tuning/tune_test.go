package tuning_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

func TestTuneFindsTheBestOfAllT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines().Draw(t, "machine")
		goal := goals(m).Draw(t, "goal")
		best, err := tuning.Tune(m, goal)
		require.NoError(t, err)
		plans, err := tuning.Sweep(m, goal, 0, min(best.Equation, 20_000))
		require.NoError(t, err)
		for _, p := range plans {
			if tooFew(m, goal, p) {
				continue
			}
			require.GreaterOrEqual(t, p.Equation, best.Equation, "T=%d", p.GossipEnd)
			if p.Equation == best.Equation {
				require.GreaterOrEqual(t, p.Risk, best.Risk, "T=%d", p.GossipEnd)
			}
		}
		require.Contains(t, plans, best)
		require.False(t, tooFew(m, goal, best))
	})
}

// tooFew reports whether failure-proof correction would need SOS: it takes f*f+f+1 g-nodes to do
// without, or all.
func tooFew(m clock.LogP, goal tuning.Goal, p tuning.Plan) bool {
	f := goal.OnlineFailures
	return goal.Variant == tuning.FailureProof && p.Nodes <= float64(min(f*f+f+1, m.Ranks-goal.Failures))-0.5
}

// On a handful of ranks the shortest failure-proof correction would be that of two g-nodes, but
// for SOS.
func TestFailureProofGossipOfFewRanksGoesOnForLongEnough(t *testing.T) {
	machine := clock.LogP{Ranks: 5, Latency: 2, Overhead: 1}
	p, err := tuning.Tune(machine, tuning.Goal{Variant: tuning.FailureProof, OnlineFailures: 1, Delta: 1e-6})
	require.NoError(t, err)
	require.GreaterOrEqual(t, p.Nodes, 2.5)
}

// goals of corrected gossip that the machine can reach.
func goals(m clock.LogP) *rapid.Generator[tuning.Goal] {
	return rapid.Custom(func(t *rapid.T) tuning.Goal {
		goal := tuning.Goal{
			Variant:  rapid.SampledFrom(tuning.Variants()[1:]).Draw(t, "variant"),
			Failures: rapid.IntRange(0, m.Ranks-1).Draw(t, "failures"),
			Delta:    math.Exp(-rapid.Float64Range(1, 28).Draw(t, "-log delta")),
		}
		if goal.Variant == tuning.FailureProof {
			mostOnline := (m.Ranks - goal.Failures - 3) / 2
			if m.Ranks-goal.Failures < 3 {
				t.Skip("too few live ranks")
			}
			goal.OnlineFailures = rapid.IntRange(0, min(4, mostOnline)).Draw(t, "f")
		}
		return goal
	})
}

func TestPlainGossipEndsAtTheFirstTGoodEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines().Draw(t, "machine")
		failures := rapid.IntRange(0, m.Ranks/2).Draw(t, "failures")
		goal := tuning.Goal{Variant: tuning.Plain, Failures: failures, Delta: 1e-6}
		p, err := tuning.Tune(m, goal)
		require.NoError(t, err)
		c := newCurve(t, m, failures, p.CorrectionStart)
		require.LessOrEqual(t, c.Unreached(p.CorrectionStart), goal.Delta)
		if p.GossipEnd > 0 {
			require.Greater(t, c.Unreached(p.CorrectionStart-1), goal.Delta)
		}
	})
}

func TestMarginsLengthenGossipAndCorrection(t *testing.T) {
	m := clock.LogP{Ranks: 1000, Latency: 4, Overhead: 2, Gap: 3}
	goal := tuning.Goal{Variant: tuning.Opportunistic, Failures: 7, Delta: 1e-5}
	plain := tune(t, m, goal)
	goal.ExtraGossip, goal.ExtraCorrection = 2, 1
	wide := tune(t, m, goal)
	require.Equal(t, plain.GossipEnd+6, wide.GossipEnd)
	require.Equal(t, plain.Corrections+1, wide.Corrections)
	require.Equal(t, plain.CorrectionTime+3, wide.CorrectionTime)
	require.Equal(t, plain.Latency+9, wide.Latency)
	require.Equal(t, plain.GapBound, wide.GapBound)
	require.Equal(t, plain.Equation, wide.Equation)
	require.Less(t, wide.Risk, plain.Risk)
	require.Greater(t, wide.GossipMessages, plain.GossipMessages)
}

// With the gap above the overhead, the last of K messages starts (K-1)g after the first.
func TestGapSpacesCorrectionMessages(t *testing.T) {
	m := clock.LogP{Ranks: 1000, Latency: 4, Overhead: 2, Gap: 5}
	p := tune(t, m, tuning.Goal{Variant: tuning.Opportunistic, Delta: 1e-5})
	require.Positive(t, p.Corrections)
	require.Equal(t, clock.Time(p.Corrections-1)*5+(2+4+2), p.CorrectionTime)
	require.Equal(t, p.GossipEnd+4+2+p.CorrectionTime, p.Latency)
}

func TestLoneRootGoesRoundTheRing(t *testing.T) {
	p := tune(t, clock.LogP{Ranks: 50, Latency: 1, Overhead: 1},
		tuning.Goal{Variant: tuning.Opportunistic, Failures: 49, Delta: 1e-3})
	require.Zero(t, p.GossipEnd)
	require.Equal(t, 49, p.Corrections)
}
