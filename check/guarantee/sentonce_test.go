package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// A message that is sent again is caught, and where.
func TestSentOnceCatchesRepetition(t *testing.T) {
	send := report.Event{Time: 5, Rank: 2, Kind: report.EventSend, Peer: 6, Msg: mailbox.Kind(1), Epoch: 4, A: 7}
	again, other := send, send
	again.Time, other.A = 9, 8
	v := guarantee.SentOnce{}.Check(guarantee.Run{Report: &report.Report{Events: []report.Event{send, other, again}}})
	require.Equal(t, broken, v.Value)
	require.Equal(t, "t=9 rank 2 send to 6 kind=1 epoch=4 a=7, as at t=5", v.Evidence)
	later := report.Event{Time: 2, Rank: send.Rank, Kind: report.EventRejoin, Peer: -1}
	v = guarantee.SentOnce{}.Check(guarantee.Run{Report: &report.Report{Events: []report.Event{send, later, again}}})
	require.Equal(t, held, v.Value, "in another life")
	later.Rank = send.Peer
	v = guarantee.SentOnce{}.Check(guarantee.Run{Report: &report.Report{Events: []report.Event{send, later, again}}})
	require.Equal(t, held, v.Value, "to another life")
	later.Rank++
	v = guarantee.SentOnce{}.Check(guarantee.Run{Report: &report.Report{Events: []report.Event{send, later, again}}})
	require.Equal(t, broken, v.Value, "in another life of somebody else")
	v = guarantee.SentOnce{}.Check(guarantee.Run{Report: &report.Report{Events: []report.Event{send, other}}})
	require.Equal(t, held, v.Value)
}
