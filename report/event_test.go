package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
)

// Each is before all that follow.
func TestTheOrderOfEvents(t *testing.T) {
	lost := report.Event{Time: 5, Rank: 3, Kind: report.EventLost, Peer: 4, A: 4, Epoch: 4, Msg: 4}
	byMessage, byEpoch, byNumber, byPeer := lost, lost, lost, lost
	byMessage.Msg = 5
	byEpoch.Epoch, byEpoch.Msg = 5, 0
	byNumber.A, byNumber.Epoch = 5, 0
	byPeer.Peer, byPeer.A = 5, 0
	ordered := []report.Event{
		{Time: 4, Rank: 9, Kind: report.EventSend},
		{Time: 5, Rank: 2, Kind: report.EventSend},
		{Time: 5, Rank: 3, Kind: report.EventReceive, Peer: 9},
		lost, byMessage, byEpoch, byNumber, byPeer,
		{Time: 5, Rank: 3, Kind: report.EventSend},
	}
	for i, a := range ordered {
		require.Zero(t, report.CompareEvents(a, a))
		for _, b := range ordered[i+1:] {
			require.Negative(t, report.CompareEvents(a, b), "%v and %v", a, b)
			require.Positive(t, report.CompareEvents(b, a), "%v and %v", b, a)
		}
	}
	notice, receive := report.Event{Kind: report.EventNotice, Peer: 2}, report.Event{Kind: report.EventReceive, Peer: 1}
	require.Zero(t, report.CompareEvents(notice, receive), "they stay as they came")
}
