package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Who waits for an instant that never comes waits for no message, and so for nobody.
func TestAWaitSaysWhatWouldEndIt(t *testing.T) {
	name := func(mailbox.Kind) string { return "ack" }
	for _, c := range []struct {
		call string
		want mailbox.Want
		text string
		from int
	}{
		{"Recv", mailbox.Any, "any", report.Anyone},
		{"Recv", mailbox.OfKind(3), "kind=ack", report.Anyone},
		{"Recv", mailbox.From(0), "any from 0", 0},
		{"RecvUntil", mailbox.From(7).OfKind(3), "kind=ack from 7", 7},
		{"Linger", mailbox.From(7).OfEpoch(2), "any from 7 epoch=2", 7},
		{"WaitUntil", mailbox.None, clock.Never.String(), report.Anyone},
	} {
		require.Equal(t, report.Wait{Rank: 5, Call: c.call, Want: c.text, From: c.from, Since: 40, Accepts: c.want}, report.WaitIn(c.call, 5, c.want, name, 40))
	}
}

func TestAnyoneIsNoRank(t *testing.T) {
	require.Negative(t, report.Anyone)
	require.Negative(t, report.NoPeer)
}
