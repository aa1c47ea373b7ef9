package membership_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
)

// passageOf is a rank's part in the only view change of a run, by the events.
func passageOf(rank int, changes membership.Changes, events []report.Event) membership.Passage {
	p := membership.Passage{Changes: changes, Parent: -1, Slowest: -1, Turn: -1}
	turns := make(map[int]int) // of children
	for _, e := range events {
		if e.Rank != rank {
			continue
		}
		told := e.Kind == report.EventSend && e.Msg == membership.FailedNode
		hears := e.Kind == report.EventTake && e.Msg == membership.FailureAck
		acknowledges := e.Kind == report.EventSend && e.Msg == membership.FailureAck
		switch {
		case e.Step == membership.StepRegroup:
			p.Learnt = e.Time
		case e.Step == membership.StepInstall:
			p.Computed = e.Time
		case told:
			turns[e.Peer] = len(turns)
		case hears:
			p.Slowest, p.Turn, p.Heard = e.Peer, turns[e.Peer], e.Time
		case acknowledges:
			p.Parent, p.Acknowledged = e.Peer, e.Time
		case e.Step == membership.StepStable:
			p.Acknowledged = e.Time
		}
	}
	return p
}

func TestEachRankNotesItsPartInAViewChange(t *testing.T) {
	logp := papers(30)
	o := asked(logp, 4, membership.Question{At: 60, From: 2, To: 5})
	o.Compute = 7
	x := run(t, logp, o, "crash:5@t0")
	for rank, r := range x.Records() {
		if rank == 5 {
			continue
		}
		want := passageOf(rank, gone(5), x.Events)
		require.Equal(t, want, r.Last, rank)
		require.Equal(t, want.Learnt+7, want.Computed, rank)
		require.Len(t, r.Installed, 1)
		require.Equal(t, membership.Installed{At: want.Computed, View: gone(5), Kind: membership.FailedNode, Message: gone(5), GoesOn: true}, r.Installed[0], rank)
		require.Equal(t, [2]int{1, 0}, [2]int{r.Terms, r.Excluded}, rank)
	}
}

// Rank 1 gives up on the child that does not acknowledge, and that is the last it has heard of it.
func TestChildThatIsGivenUpIsTheSlowest(t *testing.T) {
	o := asked(papers(7), 2)
	o.Until = 70
	s, err := membership.New(7, o)
	require.NoError(t, err)
	sent := play(t, papers(7), s, told{0, 0, membership.FailedNode, gone(6)}, told{15, 4, membership.FailureAck, gone(6)})
	requireSends(t, sent,
		send{3, membership.FailedNode, gone(6)}, send{4, membership.FailedNode, gone(6)},
		send{0, membership.NodeFailure, gone(3, 6)}, send{0, membership.FailureAck, gone(6)},
	)
	last := s.Records()[1].Last
	require.Equal(t, gone(6), last.Changes)
	require.Equal(t, [2]int{3, 0}, [2]int{last.Slowest, last.Turn})
	require.Equal(t, sent[2].Time, last.Heard, "when it reports the child")
}
