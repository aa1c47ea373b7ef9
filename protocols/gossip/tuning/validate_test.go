package tuning_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
)

func TestTuneListsEveryProblem(t *testing.T) {
	_, err := tuning.Tune(clock.LogP{Ranks: 1, Overhead: 1}, tuning.Goal{
		Variant: 9, Failures: -1, Delta: math.NaN(), OnlineFailures: 2, ExtraGossip: -1, ExtraCorrection: 1001,
	})
	require.EqualError(t, err, "tuning: ranks N = 1, want 2 to 2147483647; failures = -1, want 0 to 0; "+
		"latency L = 0 ticks, want 1 to 1099511627776; variant = 9, want 0 to 3; "+
		"delta = NaN, want above 0 and below 1; extra gossip = -1, want 0 to 1000; "+
		"extra correction = 1001, want 0 to 1000; online failures f of variant 9 = 2, want 0 to 0")
}

func TestFailureProofNeedsEnoughLiveRanks(t *testing.T) {
	_, err := tuning.Tune(clock.LogP{Ranks: 8, Latency: 1, Overhead: 1},
		tuning.Goal{Variant: tuning.FailureProof, Failures: 2, OnlineFailures: 2, Delta: 0.1})
	require.EqualError(t, err, "tuning: live ranks = 6, want 2f+3 = 7 or more")
	_, err = tuning.Tune(clock.LogP{Ranks: 1 << 20, Latency: 1, Overhead: 1},
		tuning.Goal{Variant: tuning.FailureProof, OnlineFailures: 101, Delta: 0.1})
	require.EqualError(t, err, "tuning: online failures f = 101, want 0 to 100")
}

func TestSweepRejectsEmptyAndEndlessRanges(t *testing.T) {
	goal := tuning.Goal{Variant: tuning.Checked, Delta: 0.1}
	_, err := tuning.Sweep(caseStudy, goal, 5, 4)
	require.EqualError(t, err, "tuning: number of T from first to last = 0, want 1 to 65536")
	_, err = tuning.Sweep(caseStudy, goal, -1, 1<<20)
	require.ErrorContains(t, err, "first T = -1, want 0 to")
	require.ErrorContains(t, err, "number of T from first to last = 1048578")
	_, err = tuning.Sweep(caseStudy, tuning.Goal{Variant: tuning.Checked}, 0, 1)
	require.EqualError(t, err, "tuning: delta = 0, want above 0 and below 1")
}

func TestCurveRejectsMachinesThatTakeTooLong(t *testing.T) {
	_, err := tuning.NewCurve(caseStudy, 0, -1)
	require.ErrorContains(t, err, "until = -1, want 0 to")
	_, err = tuning.NewCurve(caseStudy, 4096, 1)
	require.EqualError(t, err, "tuning: failures = 4096, want 0 to 4095")
	_, err = tuning.NewCurve(caseStudy, 0, 1<<30)
	require.ErrorContains(t, err, "has more than 262144 instants of sending up to t = 1073741824")
	require.PanicsWithValue(t, "tuning: asked for t=42 of a curve until t=40", func() {
		newCurve(t, caseStudy, 0, 40).Messages(42)
	})
}

func TestVariantsHaveThePapersNames(t *testing.T) {
	for _, v := range tuning.Variants() {
		parsed, err := tuning.ParseVariant(v.String())
		require.NoError(t, err)
		require.Equal(t, v, parsed)
	}
	_, err := tuning.ParseVariant("tcp")
	require.EqualError(t, err, `tuning: variant "tcp", want one of [gos ocg ccg fcg]`)
}
