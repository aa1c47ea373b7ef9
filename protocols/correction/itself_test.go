package correction_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
)

// forgetful is a rank that does not hear of itself: its own number is taken out of the lists
// that messages carry.
type forgetful struct{ protocols.Proc }

func (f forgetful) Poll(want mailbox.Want) (from int, m mailbox.Message, ok bool) {
	from, m, ok = f.Proc.Poll(want)
	return from, f.forget(m), ok
}

func (f forgetful) RecvUntil(want mailbox.Want, t clock.Time) (from int, m mailbox.Message, ok bool) {
	from, m, ok = f.Proc.RecvUntil(want, t)
	return from, f.forget(m), ok
}

func (f forgetful) forget(m mailbox.Message) mailbox.Message {
	if correction.IsCorrection(m.Kind) {
		ranks, payload := correction.SplitRanks(m)
		m.Payload = correction.WithRanks(slices.DeleteFunc(ranks, func(rank int) bool { return rank == f.Rank() }), payload)
	}
	return m
}

// Of three ranks that have the message one crashes, f=1. The other two know each other, and each
// stops because it hears of itself. If ranks did not count themselves they would wait in vain
// and send SOS, although claim 5 says that three, f*f+f+1, need none.
func TestRanksThatHearOfThemselvesMustCountThemselves(t *testing.T) {
	for size := 3; size <= 8; size++ {
		c := newCircle(t, size, 1)
		c.has = make([]bool, size)
		for rank := range 3 {
			c.has[rank] = true
		}
		for rank := range 3 {
			crash := faults.Schedule{{Kind: faults.Crash, Rank: rank}}
			require.Zero(t, distress(c.run(t, crash)), "%d of %d", rank, size)
			report := c.runAs(t, crash, func(p protocols.Proc) protocols.Proc { return forgetful{p} })
			require.NotZero(t, distress(report), "%d of %d", rank, size)
			require.Empty(t, report.Deadlocks, "SOS saves them")
		}
	}
}
