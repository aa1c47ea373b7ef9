package tcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// Promises over time are judged by the events of processes as by those of the emulator: a token is in one place at a time, and comes back.
func TestPromisesOverTimeOnProcesses(t *testing.T) {
	t.Parallel()
	const rounds = 3
	res := runRecorded(t, someJob(4, 2), tcp.Detection{}, func(p protocols.Proc) {
		for round := range rounds {
			if p.Rank() > 0 || round > 0 {
				p.Recv(mailbox.Any)
			}
			p.Step("has")
			p.WaitUntil(p.Now() + 2)
			p.Step("gives")
			p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
		}
	})
	holder := temporal.While("holder", temporal.Step("has"), temporal.Step("gives"))
	had := temporal.While("past", temporal.Step("has"), temporal.Crash)
	for value, all := range map[guarantee.Value][]guarantee.Guarantee{
		guarantee.Held: {
			temporal.Always("one place at a time", holder.AtMost(1)),
			temporal.Eventually("gets around", temporal.Start, clock.Forever, had.Everywhere()),
			temporal.LeadsTo("is passed on", temporal.Step("has"), clock.Forever, temporal.Step("gives")),
			temporal.WeakUntil("not before rank 2 had it", had.On(3).Not(), temporal.Step("has").By(2)),
		},
		guarantee.Broken: {
			temporal.Never("goes nowhere", temporal.Received(0)),
			temporal.Eventually("rests at the end", temporal.AfterLast(temporal.Step("has")), clock.Forever, temporal.Step("rests")),
		},
		guarantee.NotClaimed: {temporal.Eventually("recovers", temporal.AfterEach(temporal.Failure), 10, holder.AtLeast(1))},
	} {
		verdicts := guarantee.Check(guarantee.Run{Report: res.Report}, all...)
		require.Len(t, verdicts, len(all))
		for _, v := range verdicts {
			require.Equal(t, value, v.Value, "%v", v)
		}
	}
}
