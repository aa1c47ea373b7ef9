package emu_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

const ack mailbox.Kind = 5

// waitFor makes a program in which each rank computes for a while and then waits for a
// message as told; ranks not mentioned return at once.
func waitFor(wants map[int]mailbox.Want) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if want, ok := wants[p.Rank()]; ok {
				p.WaitUntil(10)
				p.Recv(want)
			}
		},
		KindName: func(k mailbox.Kind) string { return map[mailbox.Kind]string{ack: "ack"}[k] },
	}
}

func TestDeadlockIsDiagnosed(t *testing.T) {
	fromAny := mailbox.Any
	tests := []struct {
		name   string
		wants  map[int]mailbox.Want
		faults string
		want   []string
	}{
		{"crashed peer", map[int]mailbox.Want{3: mailbox.From(7).OfKind(ack), 7: fromAny}, "crash:7@t12",
			[]string{"rank 3 in Recv(kind=ack from 7) since t=10: rank 7 crashed at t=12"}},
		{"hung peer", map[int]mailbox.Want{3: mailbox.From(7)}, "hang:7@t0",
			[]string{"rank 3 in Recv(any from 7) since t=10: rank 7 hung at t=0"}},
		{"through others", map[int]mailbox.Want{1: mailbox.From(2), 2: mailbox.From(4)}, "crash:4@t0",
			[]string{
				"rank 1 in Recv(any from 2) since t=10: rank 4 crashed at t=0",
				"rank 2 in Recv(any from 4) since t=10: rank 4 crashed at t=0",
			}},
		{"finished peer", map[int]mailbox.Want{1: mailbox.From(2)}, "none",
			[]string{"rank 1 in Recv(any from 2) since t=10: rank 2 finished at t=0"}},
		{"cycle", map[int]mailbox.Want{5: mailbox.From(2), 2: mailbox.From(3), 3: mailbox.From(5), 1: mailbox.From(5)}, "none",
			[]string{
				"rank 1 in Recv(any from 5) since t=10: ranks wait for each other: 2 -> 3 -> 5 -> 2",
				"rank 2 in Recv(any from 3) since t=10: ranks wait for each other: 2 -> 3 -> 5 -> 2",
				"rank 3 in Recv(any from 5) since t=10: ranks wait for each other: 2 -> 3 -> 5 -> 2",
				"rank 5 in Recv(any from 2) since t=10: ranks wait for each other: 2 -> 3 -> 5 -> 2",
			}},
		{"itself", map[int]mailbox.Want{6: mailbox.From(6)}, "none",
			[]string{"rank 6 in Recv(any from 6) since t=10: ranks wait for each other: 6 -> 6"}},
		{"anybody, with failures", map[int]mailbox.Want{1: mailbox.OfKind(9)}, "crash:0@t0,hang:4@t0",
			[]string{"rank 1 in Recv(kind=9) since t=10: no message is under way; rank 0 crashed at t=0, rank 4 hung at t=0"}},
		{"anybody, without failures", map[int]mailbox.Want{1: fromAny}, "none",
			[]string{"rank 1 in Recv(any) since t=10: no rank has failed and no message is under way"}},
		{"nobody", map[int]mailbox.Want{1: mailbox.From(99)}, "none",
			[]string{"rank 1 in Recv(any from 99) since t=10: there is no rank 99"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := emu.Config{LogP: clock.LogP{Ranks: 8, Latency: 1, Overhead: 1}}
			rep := mustRun(t, cfg, waitFor(tt.wants), emu.Options{Faults: faults.MustParse(tt.faults)})
			var got []string
			for _, d := range rep.Deadlocks {
				got = append(got, fmt.Sprint(d))
				require.Equal(t, report.Deadlocked, rep.Ranks[d.Rank].Outcome)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// A rank that was never started because nothing came waits just the same.
func TestRankThatNothingReachesIsDeadlocked(t *testing.T) {
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.Recv(mailbox.Any)
		}
	}}
	for _, eager := range []bool{false, true} {
		cfg := emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 1, Overhead: 1}, Eager: eager}
		rep := mustRun(t, cfg, program, emu.Options{Faults: faults.MustParse("crash:2@t0")})
		require.Equal(t, []int{1}, rep.Unreached)
		require.Len(t, rep.Deadlocks, 1)
		require.Equal(t, "rank 1 in Recv(any) since t=0: no message is under way; rank 2 crashed at t=0", rep.Deadlocks[0].String())
	}
}

// Ranks that nothing reaches are asked in the end what they wait for, so that a lazy and an
// eager start give the same report.
func TestLazyAndEagerStartGiveTheSameReport(t *testing.T) {
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			p.Send(1, mailbox.Message{})
		case 1, 2:
			p.Recv(mailbox.From(0).OfKind(ack))
		case 3:
			p.Step("never begun") // the rule is broken only if it gets that far
		}
	}}
	var reports []*report.Report
	for _, eager := range []bool{false, true} {
		cfg := emu.Config{LogP: clock.LogP{Ranks: 5, Latency: 1, Overhead: 1}, Trace: emu.TraceHash, Eager: eager}
		schedule := faults.MustParse("crash:3@t0")
		reports = append(reports, mustRun(t, cfg, program, emu.Options{Faults: schedule}))
	}
	lazy, eager := reports[0], reports[1]
	require.Equal(t, eager.Hash, lazy.Hash)
	require.Equal(t, eager.Deadlocks, lazy.Deadlocks)
	require.Equal(t, eager.Ranks, lazy.Ranks)
	require.Len(t, lazy.Deadlocks, 2)
	require.Equal(t, "rank 2 in Recv(kind=5 from 0) since t=0: rank 0 finished at t=1", lazy.Deadlocks[1].String())
	require.Equal(t, report.Finished, lazy.Ranks[4].Outcome, "it returns without having received anything")
}

func TestDeadlockInWaitUntil(t *testing.T) {
	program := protocols.Program{
		Main:     func(p protocols.Proc) { p.WaitUntil(clock.Never) },
		KindName: func(k mailbox.Kind) string { return []string{"only one"}[k] },
	}
	rep := mustRun(t, emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 1, Overhead: 1}}, program, emu.Options{})
	require.Equal(t, "rank 0 in WaitUntil(never) since t=0: no rank has failed and no message is under way", rep.Deadlocks[0].String())
}
