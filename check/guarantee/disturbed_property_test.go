package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// chatter has ranks send to each other and listen for a while, in each of their lives.
func chatter(p protocols.Proc) {
	random := p.Rand()
	for round := range 4 {
		p.Send(random.IntN(p.Size()), mailbox.Message{A: int64(round), Epoch: uint32(p.Life())})
		p.RecvUntil(mailbox.Any, p.Now()+clock.Time(random.IntN(12)))
	}
}

// Nothing is received that was not sent, whoever fails, comes back or is cut off; and the
// premises say what happened.
func TestIntegrityHoldsInDisturbedRuns(t *testing.T) {
	returned, cutOff := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		logp := draw.Machine(t, 1, 8)
		points := draw.Points{Calls: 6, Until: 60}
		schedule := points.Failures(t, draw.Some(t, "failing", logp.Ranks, 4))
		schedule = append(schedule, points.Rejoins(t, schedule)...)
		schedule = append(schedule, points.Cuts(t, logp.Ranks)...)
		machine, err := emu.New(emu.Config{LogP: logp, Workers: 1, Trace: emu.TraceEvents})
		require.NoError(t, err)
		rep, err := machine.Run(t.Context(), protocols.Program{Main: chatter}, emu.Options{Faults: schedule})
		require.NoError(t, err)

		run := guarantee.Run{Report: rep}
		require.NotEqual(t, broken, guarantee.Integrity{}.Check(run).Value, "%v: %+v", schedule, guarantee.Integrity{}.Check(run))
		lost := false
		for _, e := range rep.Events {
			lost = lost || e.Kind == report.EventCut
		}
		whole := guarantee.LinksHold.Unmet(run) == ""
		require.False(t, lost && whole, "a message was lost on a link that holds")
		same := guarantee.NobodyCameBack.Unmet(run) == ""
		require.Equal(t, len(rep.Rejoined) == 0, same)
		if !whole {
			cutOff++
		}
		if !same {
			returned++
		}
	})
	require.Positive(t, returned)
	require.Positive(t, cutOff)
}
