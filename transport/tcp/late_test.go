package tcp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

func TestLatenessIsTheMostThatThereWas(t *testing.T) {
	var l lateness
	require.Zero(t, l.most())
	for _, c := range []struct{ by, most int }{{-4, 0}, {0, 0}, {3, 3}, {2, 3}, {7, 7}, {-1, 7}, {7, 7}} {
		l.note(clock.Time(c.by))
		require.EqualValues(t, c.most, l.most())
	}
}

// A rank reports how late it was.
func TestRankReportsHowLateItWas(t *testing.T) {
	r := listening(t, Config{Job: pairOfProcesses()}).local(0)
	r.late.note(5)
	require.EqualValues(t, 5, r.report().Late)
}

// A rank was last busy when it last sent or received, whichever is later.
func TestRankReportsWhenItWasLastBusy(t *testing.T) {
	for _, c := range []struct{ sent, received, busy clock.Time }{{0, 0, 0}, {9, 0, 9}, {0, 7, 7}, {9, 7, 9}, {7, 9, 9}} {
		r := listening(t, Config{Job: pairOfProcesses()}).local(0)
		r.status.lastSend = c.sent
		coloured := clock.Never
		if c.received > 0 {
			r.box.receive(letter{at: c.received}, 0)
			coloured = c.received
		}
		require.Equal(t, c.busy, r.report().Quiescence)
		require.Equal(t, coloured, r.report().Coloured)
	}
}

// A message leaves by the clock of the model, or when its rank gets round to it, if that is later.
func TestRankIsBusyUntilItsMessageHasLeft(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	n.begin = time.Now().Add(-time.Hour)
	r, hour := n.local(0), clock.Time(time.Hour/n.cfg.Tick)
	r.post(wire.Frame{Type: wire.Message, Left: 3})
	require.GreaterOrEqual(t, r.status.lastSend, hour)
	require.GreaterOrEqual(t, r.late.most(), hour-3)
	r.post(wire.Frame{Type: wire.Message, Left: 100 * hour})
	require.Equal(t, 100*hour, r.status.lastSend)
	require.EqualValues(t, 2, r.status.sends)
}

// A rank has finished when its program returns, and not before anything that it has seen.
func TestRankFinishesNotBeforeItsClock(t *testing.T) {
	for _, c := range []struct{ returned, seen, exit clock.Time }{{100, 5, 100}, {5, 100, 100}} {
		r := listening(t, Config{Job: pairOfProcesses()}).local(0)
		r.now = c.seen
		r.finished(c.returned)
		require.Equal(t, c.exit, r.report().Exit)
	}
}
