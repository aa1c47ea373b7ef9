package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// Corrected Trees, lemma 2 and corollary 1, with L/o rounded up: for every tree and root, and
// for every ring with as many ranks as a rank sends messages.
func TestLemma2HoldsForEveryTree(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.PaperMachine(t, 1, 60)
		perRank := 3 + int(ceiling(logp))
		logp.Ranks = max(logp.Ranks, perRank)
		shape := anyTree(t, logp)
		rep := lab.broadcast(logp, checkedOn(shape), nil)
		require.Equal(t, lemma2(logp), correctionTime(rep, shape), "%+v %v", logp, shape)
		for rank, sent := range corrections(rep) {
			require.Equal(t, perRank, sent, "rank %d: %+v %v", rank, logp, shape)
		}
	})
}

// Corrected Trees, lemma 3, with lemma 2 rounded up: for every tree and root, as long as the
// largest gap is at most an eighth of the ring.
func TestLemma3HoldsForEveryTree(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.PaperMachine(t, 16, 60)
		shape := anyTree(t, logp)
		o, dead := checkedOn(shape), anyDown(t, shape, 8)
		gap := clock.Time(largestGap(shape, rankSet(dead)))
		if gap > clock.Time(logp.Ranks)/8 {
			t.Skip("the gap is too large")
		}
		took := correctionTime(lab.broadcast(logp, o, dead), shape)
		require.GreaterOrEqual(t, took, lemma2(logp)+gap*logp.Overhead, describe(logp, o, dead))
		require.LessOrEqual(t, took, lemma2(logp)+(2*gap+1)*logp.Overhead, describe(logp, o, dead))
	})
}

// Corrected Trees, 3.3: if nobody has failed and the delay is long enough, delayed correction
// costs one message a rank.
func TestDelayedCorrectionCostsOneMessageEach(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.PaperMachine(t, 2, 60)
		delay := correction.UsualDelay(logp) + draw.Ticks(t, "longer", 0, 9)
		o := broadcast.Options{Tree: anyTree(t, logp), Correction: correction.NewDelayed(logp, delay)}
		for rank, sent := range corrections(lab.broadcast(logp, o, nil)) {
			require.Equal(t, 1, sent, "rank %d: %s", rank, describe(logp, o, nil))
		}
	})
}

// With g > o the usual delay can be too short, because a port may still be busy with the last
// message of the tree when the correction begins. It costs a message, nothing else.
func TestUsualDelayIsForGapsUpToTheOverhead(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 1, Overhead: 1, Gap: 4}
	usual := correction.UsualDelay(logp)
	o := broadcast.Options{Tree: tree.Binomial{Ranks: 2}, Correction: correction.NewDelayed(logp, usual)}
	rep := newLab(t).broadcast(logp, o, nil)
	require.Equal(t, []int{2, 2}, corrections(rep))
	require.Empty(t, rep.Deadlocks)
}

// corrections counts the correction messages of each rank.
func corrections(rep *report.Report) []int {
	sent := make([]int, len(rep.Ranks))
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && correction.IsCorrection(e.Msg) {
			sent[e.Rank]++
		}
	}
	return sent
}
