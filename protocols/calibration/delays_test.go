package calibration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
)

// busy is a rank whose clock moves when it is looked at, as one of processes does.
type busy struct {
	protocols.Proc
	now, look clock.Time
	waited    clock.Time
}

func (b *busy) Now() clock.Time {
	b.now += b.look
	return b.now
}

func (b *busy) WaitUntil(t clock.Time) {
	b.waited += t - b.now
	b.now = t
}

// A rank of processes computes by looking at its clock, for about as long as it is told to, and never waits.
func TestComputingIsLookingAtTheClock(t *testing.T) {
	for _, look := range []clock.Time{1, 3, 70} {
		p := &busy{look: look}
		m := &measurer{p: p, pace: paceOf(p)}
		require.InDelta(t, 1/float64(look), m.pace, 1e-9)
		begin := p.now
		m.compute(70_000)
		require.InDelta(t, 70_000, float64(p.now-begin), float64(look)+1)
		require.Zero(t, p.waited)
	}
}

// Where looking takes no time, computing is waiting.
func TestComputingIsWaitingWhereTheClockStandsStill(t *testing.T) {
	p := &busy{}
	m := &measurer{p: p, pace: paceOf(p)}
	require.Zero(t, m.pace)
	m.compute(70_000)
	require.EqualValues(t, 70_000, p.waited)
}
