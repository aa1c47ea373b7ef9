package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/report"
)

// Corrected Trees, 4.1: "A process sends an acknowledgment to the parent after receiving all
// acknowledgments from the immediate children." If nobody fails, however slow, every rank gets
// one from each child, and the root ends last.
func TestEveryChildAcknowledgesOnceAndTheRootEndsLast(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		o := anyArrangement(t, anyTree(t, logp), broadcast.Acknowledge{})
		s := points.Slow(t, logp.Ranks)
		rep := lab.broadcast(logp, o, s)
		require.Empty(t, rep.Deadlocks, describe(logp, o, s))
		root := o.Tree.Root()
		acks := acknowledgements(rep)
		for rank, r := range rep.Ranks {
			parent, ok := o.Tree.Parent(rank)
			if !ok {
				require.Empty(t, acks[rank], describe(logp, o, s))
				continue
			}
			require.Equal(t, []int{parent}, acks[rank], "rank %d: %s", rank, describe(logp, o, s))
			require.Less(t, r.Exit, rep.Ranks[root].Exit, "rank %d: %s", rank, describe(logp, o, s))
		}
	})
}

// acknowledgements lists who has taken each rank's acknowledgements.
func acknowledgements(rep *report.Report) [][]int {
	by := make([][]int, len(rep.Ranks))
	for _, e := range rep.Events {
		if e.Kind == report.EventTake && e.Msg == broadcast.Ack {
			by[e.Peer] = append(by[e.Peer], e.Rank)
		}
	}
	return by
}

// Without a failure detector, whoever waits for a failed rank waits for ever: those above it
// for its acknowledgement, those below it for the message, and nobody else.
func TestAcknowledgementsWaitForTheFailedAndForNobodyElse(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		o := anyArrangement(t, anyTree(t, logp), broadcast.Acknowledge{})
		dead := anyDown(t, o.Tree, logp.Ranks)
		rep := lab.broadcast(logp, o, dead)
		failed, waits := rankSet(dead), make(map[int]bool)
		for rank := range logp.Ranks {
			for above, ok := o.Tree.Parent(rank); ok; above, ok = o.Tree.Parent(above) {
				waits[rank] = waits[rank] || failed[above]
				waits[above] = waits[above] || failed[rank]
			}
		}
		for rank, r := range rep.Ranks {
			if !r.Outcome.Failed() {
				require.Equal(t, waits[rank], r.Outcome == report.Deadlocked, "rank %d: %s", rank, describe(logp, o, dead))
			}
		}
	})
}
