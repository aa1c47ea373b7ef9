package broadcast_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/correction"
)

// Nonfaulty liveness (Corrected Trees, 2.1, 3.1 and 3.3; Corrected Gossip, claims 3 and 4):
// whoever has failed before the broadcast, if the root lives all live ranks are reached. They
// also have done in time.
func TestFailuresBeforeTheBroadcastDoNoHarm(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		o := anyArrangement(t, shape, anyReliable(t, logp))
		dead := anyDown(t, shape, logp.Ranks)
		report := lab.broadcast(logp, o, dead)
		require.Empty(t, report.Unreached, describe(logp, o, dead))
		require.Empty(t, report.Deadlocks, describe(logp, o, dead))
		longest := lab.make(logp, o).Longest()
		require.LessOrEqual(t, max(report.Exit, report.Quiescence), longest, describe(logp, o, dead))
	})
}

// Whether a rank is reached depends on nobody's speed: slow ranks on top do no harm either,
// synchronized or not. No delay, patience or timeout has to be long enough (Corrected Trees,
// 3.3: delayed correction "does not introduce a failure detector").
func TestSlowRanksDoNoHarm(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		shape := anyTree(t, logp)
		o := anyArrangement(t, shape, anyReliable(t, logp))
		s := append(anyDown(t, shape, logp.Ranks), points.Slow(t, logp.Ranks)...)
		report := lab.broadcast(logp, o, s)
		require.Empty(t, report.Unreached, describe(logp, o, s))
		require.Empty(t, report.Deadlocks, describe(logp, o, s))
	})
}

// Faulty liveness (Corrected Gossip, claim 4): f ranks, the root included, fail at any point,
// and any number of others before. Either all live ranks are reached or none, and whoever is
// reached comes to an end. That the root fails is the hard case, and must be no rare one.
func TestFailureProofCorrectionIsAllOrNothing(t *testing.T) {
	runs, rootFailed := 0, 0
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 30)
		shape := anyTree(t, logp)
		f, failing := anyFailing(t, logp.Ranks, shape.Root())
		o := anyArrangement(t, shape, must(correction.NewFailureProof(logp, f)))
		s := slices.DeleteFunc(anyDown(t, shape, logp.Ranks), func(f faults.Fault) bool { return slices.Contains(failing, f.Rank) })
		s = append(s, points.Failures(t, failing)...)
		report := lab.broadcast(logp, o, s)
		requireHeld(t, report, []int{shape.Root()}, guarantee.ReachesEveryLiveRank{})
		require.Empty(t, reachedDeadlocks(report), describe(logp, o, s))
		if runs++; report.Ranks[shape.Root()].Outcome.Failed() {
			rootFailed++
		}
	})
	if runs >= 400 { // fewer say little
		require.Greater(t, 4*rootFailed, runs, "the root failed in %d of %d runs", rootFailed, runs)
	}
}
