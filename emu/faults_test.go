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

// threeSends is a program in which rank 0 sends three messages, from t=0, 2 and 4, and
// rank 1 receives until t=100. With L=3 and o=2 they are received at 7, 9 and 11.
var threeSends = protocols.Program{Main: func(p protocols.Proc) {
	if p.Rank() == 0 {
		for i := range 3 {
			p.Step("sending")
			p.Send(1, mailbox.Message{A: int64(i)})
		}
		return
	}
	for {
		if _, _, ok := p.RecvUntil(mailbox.Any, 100); !ok {
			return
		}
	}
}}

var pair = emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 3, Overhead: 2}, Trace: emu.TraceEvents}

// received lists the messages that reached rank 1's mailbox, and when.
func received(rep *report.Report) map[int64]clock.Time {
	got := make(map[int64]clock.Time)
	for _, e := range rep.Events {
		if e.Kind == report.EventReceive && e.Rank == 1 {
			got[e.A] = e.Time
		}
	}
	return got
}

func TestEachPointFailsExactlyWhereItSays(t *testing.T) {
	all := map[int64]clock.Time{0: 7, 1: 9, 2: 11}
	first := map[int64]clock.Time{0: 7}
	firstTwo := map[int64]clock.Time{0: 7, 1: 9}
	tests := []struct {
		faults string
		got    map[int64]clock.Time
		failed []report.Failure
	}{
		{"none", all, nil},
		{"crash:0@t0", map[int64]clock.Time{}, []report.Failure{{Rank: 0, Outcome: report.Crashed}}},
		{"crash:0@t1", map[int64]clock.Time{}, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 1}}},
		{"crash:0@t2", first, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 2}}},
		{"crash:0@t3", first, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 3}}},
		{"crash:0@t4", firstTwo, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 4}}},
		{"crash:0@before-send2", first, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 2}}},
		{"crash:0@send2", first, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 3}}},
		{"crash:0@after-send2", firstTwo, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 4}}},
		{"crash:0@step:sending#3", firstTwo, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 4}}},
		{"hang:0@send2", first, []report.Failure{{Rank: 0, Outcome: report.Hung, Time: 3}}},
		{"hang:0@t3", first, []report.Failure{{Rank: 0, Outcome: report.Hung, Time: 3}}},
		// The receiver: what it has received by its crash counts, the rest is lost.
		{"crash:1@t9", firstTwo, []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 9}}},
		{"crash:1@recv2", firstTwo, []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 9}}},
		// A rank that hangs goes on receiving.
		{"hang:1@t8", all, []report.Failure{{Rank: 1, Outcome: report.Hung, Time: 8}}},
		{"hang:1@t8,crash:1@t10", firstTwo, []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 10}}},
		// Slow ports: the sender's from the second send on, the receiver's from t=6 on.
		{"slow:0x3@before-send2", map[int64]clock.Time{0: 7, 1: 13, 2: 19}, nil},
		{"slow:0x3@after-send2", map[int64]clock.Time{0: 7, 1: 9, 2: 15}, nil},
		{"slow:1x3@t6", map[int64]clock.Time{0: 7, 1: 13, 2: 19}, nil},
		{"slow:1x3@t8", map[int64]clock.Time{0: 7, 1: 9, 2: 15}, nil},
		{"slow:1x3@recv1", map[int64]clock.Time{0: 7, 1: 13, 2: 19}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.faults, func(t *testing.T) {
			rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse(tt.faults)})
			require.Equal(t, tt.got, received(rep))
			require.ElementsMatch(t, tt.failed, rep.Failed)
			require.Empty(t, rep.Unfired)
			require.Empty(t, rep.Deadlocks)
		})
	}
}

func TestQuiescenceCountsFlightsToCrashedRanks(t *testing.T) {
	rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse("crash:1@t0")})
	require.EqualValues(t, 3, rep.Messages)
	require.EqualValues(t, 4+2+3, rep.Quiescence, "the last message arrives and disappears")
}

// Two messages come to rank 1 at t=5. Its port receives the first until t=7 and then nothing, because of the gap,
// before t=11. A message that waits at the port is not going on; its receive is, also one that a crash cuts off.
func TestQuiescenceDoesNotCountMessagesThatWaitForAGap(t *testing.T) {
	cfg := emu.Config{LogP: clock.LogP{Ranks: 3, Latency: 3, Overhead: 2, Gap: 6}, Trace: emu.TraceEvents}
	program := protocols.Program{Initiators: []int{0, 2}, Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.Recv(mailbox.None)
			return
		}
		p.Send(1, mailbox.Message{})
	}}
	for text, want := range map[string]clock.Time{
		"none": 13, "crash:1@t13": 13, "crash:1@t12": 12, "crash:1@t11": 7, "crash:1@t10": 7, "crash:1@t8": 7, "crash:1@t7": 7, "crash:1@t6": 6,
		"crash:1@t5": 5, "crash:1@t4": 5, "crash:1@t0": 5,
	} {
		rep := mustRun(t, cfg, program, emu.Options{Faults: faults.MustParse(text)})
		require.Equal(t, want, rep.Quiescence, text)
		require.Equal(t, want, runReference(cfg, program, emu.Options{Faults: faults.MustParse(text)}).quiescence, text)
	}
}

func TestFaultsWhosePointIsNeverReachedAreReported(t *testing.T) {
	never := faults.MustParse("crash:0@send4,crash:1@t101,hang:1@step:nowhere,slow:0x2@t101,hang:0@t50,slow:1x2@recv4")
	rep := mustRun(t, pair, threeSends, emu.Options{Faults: never})
	require.Equal(t, never, rep.Unfired)
	require.Empty(t, rep.Failed)
}

func TestFirstOfSeveralFailuresCounts(t *testing.T) {
	schedule := faults.MustParse("crash:0@t3,crash:0@send1,hang:0@after-send2")
	rep := mustRun(t, pair, threeSends, emu.Options{Faults: schedule})
	require.Equal(t, []report.Failure{{Rank: 0, Outcome: report.Crashed, Time: 1}}, rep.Failed)
	require.Equal(t, faults.MustParse("crash:0@t3,hang:0@after-send2"), rep.Unfired)
}

// A rank that waits for ever still crashes on time, and is not deadlocked then.
func TestWaitingRankCrashesOnTime(t *testing.T) {
	waits := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.Recv(mailbox.Any)
		}
	}}
	for _, eager := range []bool{false, true} {
		cfg := pair
		cfg.Eager = eager
		rep := mustRun(t, cfg, waits, emu.Options{Faults: faults.MustParse("crash:1@t50")})
		require.Equal(t, []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 50}}, rep.Failed)
		require.Empty(t, rep.Deadlocks)
	}
}

// Deferred functions of a failed rank run, but cannot act.
func TestFailedRankCannotActInDeferredFunctions(t *testing.T) {
	ran := false
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() != 0 {
			return
		}
		defer func() {
			ran = true
			recover()
			p.Send(1, mailbox.Message{A: 99})
			t.Error("a crashed rank sent a message")
		}()
		p.Send(1, mailbox.Message{})
		p.Send(1, mailbox.Message{})
	}}
	rep := mustRun(t, pair, program, emu.Options{Faults: faults.MustParse("crash:0@send2")})
	require.True(t, ran)
	require.EqualValues(t, 1, rep.Messages)
	require.Len(t, rep.Failed, 1)
}

// Its life is over: who notes what it does asks for the number of its life, and gets no further. Its clock can be read.
func TestFailedRankHasNoLife(t *testing.T) {
	looked := 0
	program := protocols.Program{Main: func(p protocols.Proc) {
		defer func() {
			looked++
			p.Now()
			looked++
			p.Life()
			looked++
		}()
		p.WaitUntil(9)
	}}
	mustRun(t, pair, program, emu.Options{Faults: faults.MustParse("crash:0@t5")})
	require.Equal(t, 2+3, looked, "the rank that has failed, and the one that has not")
}

// A rank that returns without having received anything has finished, faults or not.
func TestFaultyRankThatReturnsAtOnceHasFinished(t *testing.T) {
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{})
		}
	}}
	for _, text := range []string{"slow:1x2@t50", "crash:1@t50", "crash:1@recv7"} {
		rep := mustRun(t, pair, program, emu.Options{Faults: faults.MustParse(text)})
		require.Equal(t, report.Finished, rep.Ranks[1].Outcome, text)
		require.Empty(t, rep.Failed, text)
	}
}

// Two faults of a rank that is down from the start: its ports are down, too.
func TestCrashAndHangAtTheStart(t *testing.T) {
	for _, text := range []string{"hang:1@t0,crash:1@t0", "crash:1@t0,hang:1@t0"} {
		rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse(text)})
		require.Equal(t, []report.Failure{{Rank: 1, Outcome: report.Crashed}}, rep.Failed, text)
		require.Empty(t, received(rep), text)
	}
}

// Sends of rank 0 end at t=2, 4 and 6. Of a failure by the clock and one after a send at that instant it is the
// clock's that happens, of two by the clock the crash, and of two after the send the first of the schedule.
func TestOneOfTwoFailuresAfterASendHappens(t *testing.T) {
	for _, c := range []struct {
		happens, other string
		outcome        report.Outcome
	}{
		{"crash:0@t4", "hang:0@t4", report.Crashed},
		{"crash:0@t4", "hang:0@after-send2", report.Crashed},
		{"crash:0@t4", "crash:0@after-send2", report.Crashed},
		{"hang:0@t4", "hang:0@after-send2", report.Hung},
		{"hang:0@t4", "crash:0@after-send2", report.Hung},
		{"crash:0@t4", "slow:0x2@after-send2", report.Crashed},
		{"hang:0@t4", "crash:0@before-send3", report.Hung},
		{"hang:0@after-send2", "crash:0@before-send3", report.Hung},
		{"crash:0@after-send2", "hang:0@before-send3", report.Crashed},
	} {
		for _, text := range []string{c.happens + "," + c.other, c.other + "," + c.happens} {
			rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse(text)})
			require.Equal(t, []report.Failure{{Rank: 0, Outcome: c.outcome, Time: 4}}, rep.Failed, text)
			require.Equal(t, faults.MustParse(c.other), rep.Unfired, text)
			require.Equal(t, map[int64]clock.Time{0: 7, 1: 9}, received(rep), text)
		}
	}
	for text, outcome := range map[string]report.Outcome{
		"crash:0@after-send2,hang:0@after-send2": report.Crashed, "hang:0@after-send2,crash:0@after-send2": report.Hung,
	} {
		rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse(text)})
		require.Equal(t, []report.Failure{{Rank: 0, Outcome: outcome, Time: 4}}, rep.Failed, text)
	}
}

// The clock stops a rank in its next call, so what its program does after a send that ends at that instant is
// done, unlike after a failure that is tied to the send.
func TestTheClockLetsAProgramGoOnToItsNextCall(t *testing.T) {
	for text, goesOn := range map[string]bool{
		"crash:0@t2": true, "hang:0@t2": true, "crash:0@t2,hang:0@after-send1": true, "crash:0@after-send1,hang:0@t2": true,
		"crash:0@after-send1": false, "hang:0@after-send1": false, "crash:0@t1": false,
	} {
		wentOn, sentAgain := false, false
		program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{})
				wentOn = true
				p.Send(1, mailbox.Message{})
				sentAgain = true
			}
		}}
		mustRun(t, pair, program, emu.Options{Faults: faults.MustParse(text)})
		require.Equal(t, goesOn, wentOn, text)
		require.False(t, sentAgain, text)
	}
}

// The middle of a slow send is at t=3. A rank that the clock crashes before does not live to see it.
func TestTheClockComesBeforeTheMiddleOfASend(t *testing.T) {
	for text, failed := range map[string]clock.Time{
		"slow:0x3,hang:0@send1": 3, "slow:0x3,hang:0@send1,crash:0@t4": 3, "slow:0x3,hang:0@send1,crash:0@t2": 2, "slow:0x3,hang:0@t1,crash:0@send1": 1,
	} {
		rep := mustRun(t, pair, threeSends, emu.Options{Faults: faults.MustParse(text)})
		require.Len(t, rep.Failed, 1, text)
		require.Empty(t, received(rep), text)
		for _, e := range rep.Events {
			if e.Rank == 0 && (e.Kind == report.EventCrash || e.Kind == report.EventHang) {
				require.Equal(t, failed, e.Time, text)
				break
			}
		}
	}
}
