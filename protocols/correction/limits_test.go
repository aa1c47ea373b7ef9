package correction_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/report"
)

// On 12 ranks with 3 ticks between two sends and 4 for a delivery.
func TestHowLongCorrectionsTake(t *testing.T) {
	logp := clock.LogP{Ranks: 12, Latency: 2, Overhead: 1, Gap: 3}
	proof, err := correction.NewFailureProof(logp, 1)
	require.NoError(t, err)
	for _, c := range []struct {
		correction correction.Correction
		want       clock.Time
	}{
		{correction.None{}, 0},
		{correction.Checked{}, 3*3*12 + 4},
		{&correction.Opportunistic{Messages: 4}, 2*3*4 + 4},
		{&correction.Opportunistic{Messages: 100}, 2*3*2*12 + 4}, // nobody is told twice
		{correction.NewDelayed(logp, 5), 5 + (3*12 + 2*4) + 3*3*12 + 4},
		{proof, 3*10*12 + (3*4*12 + 4*4) + 2*4},
	} {
		runner, err := c.correction.On(correction.Ring{Size: 12})
		require.NoError(t, err)
		require.Equal(t, c.want, runner.Longest(logp), "%v", c.correction)
	}
}

func TestLimitsOfFailures(t *testing.T) {
	for _, good := range []int{0, 1, clock.MaxRanks - 1} {
		c, err := correction.NewFailureProof(machine, good)
		require.NoError(t, err)
		require.Equal(t, good, c.Failures)
	}
	for _, bad := range []int{-1, clock.MaxRanks} {
		_, err := correction.NewFailureProof(machine, bad)
		require.ErrorContains(t, err, fmt.Sprintf("want 0 to %d", clock.MaxRanks-1))
	}
}

func TestMessagesOfOpportunisticCorrectionGoSomewhere(t *testing.T) {
	for _, c := range []struct {
		messages  int
		direction correction.Direction
		good      bool
	}{{0, correction.BothWays, true}, {1, correction.RightOnly, true}, {-1, correction.BothWays, false}, {1, correction.RightOnly + 1, false}} {
		_, err := (&correction.Opportunistic{Messages: c.messages, Direction: c.direction}).On(correction.Ring{Size: 3})
		require.Equal(t, c.good, err == nil, "%+v", c)
	}
}

func TestDelaysAreNotNegative(t *testing.T) {
	for _, c := range []struct {
		delay, patience clock.Time
		good            bool
	}{{0, 0, true}, {-1, 0, false}, {0, -1, false}} {
		_, err := (&correction.Delayed{Delay: c.delay, Patience: c.patience}).On(correction.Ring{Size: 3})
		require.Equal(t, c.good, err == nil, "%+v", c)
	}
}

// On a ring of two the left neighbour is the right one as well, and is told all the same.
func TestDelayedRankTellsItsOnlyNeighbour(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}
	runner, err := correction.NewDelayed(logp, 3).On(correction.Ring{Size: 2})
	require.NoError(t, err)
	m, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := m.Run(context.Background(), protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			runner.Run(p, 1, mailbox.Message{Kind: correction.Leftward}) // its neighbour lives
		}
	}}, emu.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 1, rep.Messages)
	require.Equal(t, report.Event{Rank: 0, Kind: report.EventSend, Peer: 1, Msg: correction.Leftward}, rep.Events[0])
}
