package emu_test

import (
	"fmt"
	"strings"
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
	require.Equal(t, "the message from 0 was lost at t=2, on a cut link", rep.Deadlocks[0].Cause)
	rep = mustRun(t, pair, program, emu.Options{Faults: faults.MustParse("lose:0@send1")})
	require.Len(t, rep.Deadlocks, 1)
	require.Equal(t, "the message from 0 was lost at t=2", rep.Deadlocks[0].Cause)
	rep = mustRun(t, pair, program, emu.Options{Faults: faults.MustParse("cut:0|1@t3,late:0@send1+9")})
	require.Empty(t, rep.Deadlocks)
}

// arrivals are the ends of receives at rank 1, with their messages, in the order in which they happened.
func arrivals(rep *report.Report) (all []string) {
	for _, e := range rep.Events {
		if e.Kind == report.EventReceive && e.Rank == 1 {
			all = append(all, fmt.Sprintf("%d@%d", e.A, e.Time))
		}
	}
	return all
}

// Sends of threeSends leave at t=2, 4 and 6 and are received at 7, 9 and 11, if nothing happens to them. Receives take two
// ticks each.
func TestMessagesAreLateLostOrThereTwice(t *testing.T) {
	for _, test := range []struct {
		faults     string
		unordered  bool
		got        string
		quiescence clock.Time
		unfired    string
	}{
		{faults: "late:0@send3+20", got: "0@7 1@9 2@31", quiescence: 31},
		{faults: "late:0@send1+20", got: "0@27 1@29 2@31", quiescence: 31},
		{faults: "late:0@send1+20", unordered: true, got: "1@9 2@11 0@27", quiescence: 27},
		{faults: "late:0@send2+1", got: "0@7 1@10 2@12", quiescence: 12},
		{faults: "late:0@send1+3", got: "0@10 1@12 2@14", quiescence: 14},
		{faults: "late:0@send1+3", unordered: true, got: "1@9 0@11 2@13", quiescence: 13},
		{faults: "late:0@send1+20,late:0@send1+1", got: "0@28 1@30 2@32", quiescence: 32},
		{faults: "late:0>1@t4..t6+7", got: "0@7 1@16 2@18", quiescence: 18},
		{faults: "late:0>1@t4+7", got: "0@7 1@16 2@18", quiescence: 18},
		{faults: "late:1>0@t0+7", got: "0@7 1@9 2@11", quiescence: 11},
		{faults: "late:0@send4+7", got: "0@7 1@9 2@11", quiescence: 11, unfired: "late:0@send4+7"},
		{faults: "lose:0@send1", got: "1@9 2@11", quiescence: 11},
		{faults: "lose:0@send3", got: "0@7 1@9", quiescence: 9},
		{faults: "lose:0|1@t4..t5", got: "0@7 2@11", quiescence: 11},
		{faults: "lose:0@send2,late:0@send2+50,twice:0@send2+5", got: "0@7 2@11", quiescence: 11},
		{faults: "twice:0@send1+5", got: "0@7 1@9 2@11 0@13", quiescence: 13},
		{faults: "twice:0@send1+50", got: "0@7 1@9 2@11 0@57", quiescence: 57},
		{faults: "twice:0@send1+2", got: "0@7 0@9 1@11 2@13", quiescence: 13},
		{faults: "twice:0@send1+5,late:0@send1+20", got: "0@27 1@29 2@31 0@33", quiescence: 33},
		{faults: "twice:0@send3+1,twice:0@send3+9", got: "0@7 1@9 2@11 2@13 2@20", quiescence: 20},
		{faults: "cut:0>1@t0,mend:0|1@t6", got: "2@11", quiescence: 11},
		{faults: "cut:1>0@t0", got: "0@7 1@9 2@11", quiescence: 11},
		{faults: "crash:0@t5,late:0@send1+20", got: "0@27 1@29", quiescence: 29},
		{faults: "crash:0@send2,rejoin:0@t20,late:0@send2+30", got: "0@7 0@57 1@59 2@61", quiescence: 61},
	} {
		cfg := pair
		cfg.Unordered = test.unordered
		rep := mustRun(t, cfg, threeSends, emu.Options{Faults: faults.MustParse(test.faults)})
		require.Equal(t, test.got, strings.Join(arrivals(rep), " "), test.faults)
		require.Equal(t, test.quiescence, rep.Quiescence, test.faults)
		want, err := faults.Parse(test.unfired)
		require.NoError(t, err)
		require.Equal(t, want.String(), rep.Unfired.String(), test.faults)
	}
}

// The events say what becomes of a message, behind its send.
func TestWhatBecomesOfMessagesIsRecorded(t *testing.T) {
	rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse("late:0@send1+20,lose:0@send2,twice:0@send3+5")})
	var got []string
	for _, e := range rep.Events {
		if e.Rank == 0 && e.Kind != report.EventStep {
			got = append(got, e.String())
		}
	}
	require.Equal(t, []string{
		"t=0 rank 0 send to 1 kind=0 epoch=0 a=0",
		"t=2 rank 0 late to 1 by 20",
		"t=2 rank 0 send to 1 kind=0 epoch=0 a=1",
		"t=4 rank 0 drop to 1 kind=0 epoch=0 a=1",
		"t=4 rank 0 send to 1 kind=0 epoch=0 a=2",
		"t=6 rank 0 twice to 1 by 5",
		"t=6 rank 0 exit",
	}, got)
}

// Where many links end, each keeps its order, and it is that of the reference machine.
func TestManyLinksOfARankKeepTheirOrders(t *testing.T) {
	const ranks, messages = 60, 5
	program := protocols.Program{Main: func(p protocols.Proc) {
		for range messages {
			if p.Rank() > 0 {
				p.Send(0, mailbox.Message{A: int64(p.Now())})
				continue
			}
			for range ranks - 1 {
				p.Recv(mailbox.Any)
			}
		}
	}}
	for _, network := range []clock.Network{nil, clock.Switch{In: 1, Service: 1, Out: 1}} {
		cfg := emu.Config{
			LogP: clock.LogP{Ranks: ranks, Latency: 1, Overhead: 1}, Network: network,
			Jitter: clock.UniformJitter{Most: 40}, Trace: emu.TraceEvents,
		}
		opts := emu.Options{Seed: 3, Faults: faults.MustParse("late:7@send1+90,twice:9@send2+3,twice:9@send4+50")}
		rep := mustRun(t, cfg, program, opts)
		want := runReference(cfg, program, opts)
		requireSameEvents(t, want.events, rep.Events, fmt.Sprint(network))
		last := make(map[int]int64)
		for _, e := range rep.Events {
			if e.Kind == report.EventReceive && e.Peer != 9 {
				require.GreaterOrEqual(t, e.A, last[e.Peer])
				last[e.Peer] = e.A
			}
		}
		require.Len(t, last, ranks-2)
	}
}
