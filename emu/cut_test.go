package emu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Sends of threeSends leave at t=2, 4 and 6.
func TestCutLosesWhatLeavesFromThenOn(t *testing.T) {
	for _, test := range []struct {
		faults     string
		got        map[int64]clock.Time
		lost       int
		quiescence clock.Time
	}{
		{"cut:0|1@t0", map[int64]clock.Time{}, 3, 6},
		{"cut:0|1@t2", map[int64]clock.Time{}, 3, 6},
		{"cut:0|1@t3", map[int64]clock.Time{0: 7}, 2, 7},
		{"cut:1|*@t4", map[int64]clock.Time{0: 7}, 2, 7},
		{"cut:0|1@t6", map[int64]clock.Time{0: 7, 1: 9}, 1, 9},
		{"cut:0|1@t7", map[int64]clock.Time{0: 7, 1: 9, 2: 11}, 0, 11},
	} {
		rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse(test.faults)})
		require.Equal(t, test.got, received(rep), test.faults)
		require.EqualValues(t, 3, rep.Messages, test.faults)
		require.Equal(t, test.quiescence, rep.Quiescence, test.faults)
		require.Empty(t, rep.Unfired)
		require.Empty(t, rep.Failed)
		lost := 0
		for _, e := range rep.Events {
			if e.Kind == report.EventCut {
				lost++
			}
		}
		require.Equal(t, test.lost, lost, test.faults)
	}
}

// Cuts of an earlier run are not those of the next.
func TestCutsEndWithTheRun(t *testing.T) {
	machine, err := emu.New(pair)
	require.NoError(t, err)
	for _, schedule := range []string{"cut:0|1@t0", "none", "cut:0|1@t500"} {
		rep, err := machine.Run(t.Context(), threeSends, emu.Options{Faults: faults.MustParse(schedule)})
		require.NoError(t, err)
		require.Equal(t, schedule == "cut:0|1@t0", len(received(rep)) == 0, schedule)
		require.Equal(t, schedule == "cut:0|1@t500", len(rep.Unfired) == 1, schedule)
	}
}

// Who waits for ever because links were cut is told so.
func TestDeadlockOnCutLinksIsExplained(t *testing.T) {
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
			return
		}
		p.Recv(mailbox.Any)
	}}
	rep := mustRun(t, pair, program, emu.Options{Faults: faults.MustParse("cut:0|1@t0")})
	require.Len(t, rep.Deadlocks, 1)
	require.Equal(t, "links were cut and no message is under way", rep.Deadlocks[0].Cause)
}
