package traceevent_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

var small = clock.LogP{Ranks: 2, Latency: 2, Overhead: 2}

// shot is when a slice is, and its thread.
type shot struct {
	thread   string
	from, to int64
	cat      string
}

// shots lists all slices, thread by thread.
func (p *parsed) shots() (all []shot) {
	for thread := range 2*len(p.threads) + 1 {
		for _, e := range p.slices[thread] {
			all = append(all, shot{p.threads[thread], *e.TS, e.end(), e.Cat})
		}
	}
	return all
}

// script is a program that does something else on each rank.
func script(mains ...func(protocols.Proc)) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() < len(mains) {
			mains[p.Rank()](p)
		}
	}}
}

func sendTo(to, n int) func(protocols.Proc) {
	return func(p protocols.Proc) {
		for range n {
			p.Send(to, mailbox.Message{})
		}
	}
}

func faultsOf(text string) faults.Schedule { return faults.MustParse(text) }

func TestTheHeaderSaysWhatWasRun(t *testing.T) {
	run := ofLine(t, "broadcast P=4 seed=18446744073709551615 faults=crash:2@t3")
	run.Tick = 1500 * time.Nanosecond
	p := parse(t, write(t, run))
	assert.Equal(t, map[string]string{
		"line":    "broadcast P=4 seed=18446744073709551615 faults=crash:2@t3",
		"machine": "P=4 L=2 o=1 g=0 G=0",
		"seed":    "18446744073709551615",
		"faults":  "crash:2@t3",
		"hash":    run.Report.Hash.String(),
		"tick":    "shown as 1us, stands for 1.5us",
	}, p.Other)
	run.Tick, run.Line = 0, ""
	p = parse(t, write(t, run))
	assert.Equal(t, "shown as 1us", p.Other["tick"])
	assert.NotContains(t, p.Other, "line")
	run.Tick = 100 * time.Nanosecond
	assert.Equal(t, "shown as 1us, stands for 100ns", parse(t, write(t, run)).Other["tick"])
}

func TestARankHasTwoThreadsInTheOrderOfRanks(t *testing.T) {
	p := parse(t, write(t, ofLine(t, "broadcast P=3")))
	assert.Equal(t, map[int]string{1: "rank 0", 2: "rank 0 receives", 3: "rank 1", 4: "rank 1 receives", 5: "rank 2", 6: "rank 2 receives"}, p.threads)
	for _, e := range p.named("M", "thread_sort_index") {
		assert.Equal(t, json.Number(strconv.Itoa(*e.TID)), e.Args["sort_index"])
	}
}

func TestAMessageIsTwoSlicesAndAnArrow(t *testing.T) {
	program := script(func(p protocols.Proc) {
		p.WaitUntil(3)
		p.Send(1, mailbox.Message{Kind: 5, Epoch: 7, A: -9, Payload: "not shown"})
	})
	program.KindName = func(mailbox.Kind) string { return "a \"kind\"\n" }
	p := parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, program, nil, 0)))
	assert.Equal(t, []shot{{"rank 0", 3, 5, "send"}, {"rank 1 receives", 7, 9, "receive"}}, p.shots())
	require.Len(t, p.arrows, 1)
	for peer, e := range map[json.Number]*entry{"1": p.arrows[0].send, "0": p.arrows[0].receive} {
		assert.Equal(t, "a \"kind\"\n", e.Name)
		assert.Equal(t, map[string]any{"peer": peer, "kind": "a \"kind\"\n", "epoch": json.Number("7"), "a": json.Number("-9")}, e.Args)
	}
	coloured := p.named("i", "coloured")
	require.Len(t, coloured, 1)
	assert.EqualValues(t, 9, *coloured[0].TS)
	assert.Equal(t, "rank 1", p.threads[*coloured[0].TID])
}

func TestPortsOfARankWorkAtTheSameTime(t *testing.T) {
	// Rank 1 sends from 5 to 7, and receives from 4 to 6: neither is in the other.
	p := parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, script(sendTo(1, 1), func(p protocols.Proc) {
		p.WaitUntil(5)
		p.Send(0, mailbox.Message{})
	}), nil, 0)))
	assert.Equal(t, []shot{
		{"rank 0", 0, 2, "send"}, {"rank 0 receives", 9, 11, "receive"}, {"rank 1", 5, 7, "send"}, {"rank 1 receives", 4, 6, "receive"},
	}, p.shots())
}

func TestRanksThatReceiveManyAtOnceHaveAsManyThreads(t *testing.T) {
	many := clock.LogP{Ranks: 4, Latency: 2, Overhead: 2, ManyReceives: true}
	p := parse(t, write(t, ofProgram(t, emu.Config{LogP: many}, script(idle, sendTo(0, 2), sendTo(0, 1), sendTo(0, 1)), nil, 0)))
	assert.Equal(t, []shot{{"rank 0 receives", 4, 6, "receive"}, {"rank 0 receives", 6, 8, "receive"}}, p.shots()[:2])
	assert.Equal(t, "rank 0 receives, 2", p.threads[9])
	assert.Equal(t, "rank 0 receives, 3", p.threads[10])
	assert.Len(t, p.threads, 10)
	assert.Len(t, p.arrows, 4)
}

func idle(protocols.Proc) {}

func TestSlowRanksTakeAsLongAsTheyDid(t *testing.T) {
	for _, tt := range []struct {
		name, faults string
		want         []shot
	}{
		{"by the clock", "slow:0x3@t1,slow:1x2@t5", []shot{
			{"rank 0", 0, 2, "send"}, {"rank 0", 2, 8, "send"}, {"rank 1 receives", 4, 6, "receive"}, {"rank 1 receives", 10, 14, "receive"},
		}},
		{"at a point", "slow:0x3@send2", []shot{
			{"rank 0", 0, 2, "send"}, {"rank 0", 2, 8, "send"}, {"rank 1 receives", 4, 6, "receive"}, {"rank 1 receives", 10, 12, "receive"},
		}},
		// From 4 at four times 2, until 12, when it takes four: 4 + 8 = 12 is also 8 + 4.
		{"less slow", "slow:1x4@t0,slow:1x2@t8", []shot{
			{"rank 0", 0, 2, "send"}, {"rank 0", 2, 4, "send"}, {"rank 1 receives", 4, 12, "receive"}, {"rank 1 receives", 12, 16, "receive"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, script(sendTo(1, 2)), faultsOf(tt.faults), 0)))
			assert.Equal(t, tt.want, p.shots())
		})
	}
}

func TestLostMessagesHaveNoArrow(t *testing.T) {
	for _, tt := range []struct {
		name, faults, instant string
		at                    int64
		shots                 []shot
	}{
		// The first is received, of the second the receiver, the sender or the link is gone.
		{"the receiver crashed", "crash:1@t7", "lost", 7, []shot{{"rank 0", 0, 2, "send"}, {"rank 0", 2, 4, "send"}, {"rank 1 receives", 4, 6, "receive"}}},
		{"cut", "cut:0|1@t4", "cut", 4, []shot{{"rank 0", 0, 2, "send"}, {"rank 0", 2, 4, "send"}, {"rank 1 receives", 4, 6, "receive"}}},
		{"the sender crashed", "crash:0@send2", "crash", 3, []shot{{"rank 0", 0, 2, "send"}, {"rank 0", 2, 3, "send-lost"}, {"rank 1 receives", 4, 6, "receive"}}},
		{"the sender hangs", "hang:0@t3", "hang", 3, []shot{{"rank 0", 0, 2, "send"}, {"rank 0", 2, 3, "send-lost"}, {"rank 1 receives", 4, 6, "receive"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, script(sendTo(1, 2)), faultsOf(tt.faults), 0)))
			assert.Equal(t, tt.shots, p.shots())
			require.Len(t, p.arrows, 1)
			assert.Zero(t, *p.arrows[0].send.TS, "the first message, though both look the same")
			instants := p.named("i", tt.instant)
			require.Len(t, instants, 1)
			assert.Equal(t, tt.at, *instants[0].TS)
			if tt.instant == "lost" || tt.instant == "cut" {
				peer := json.Number(map[string]string{"lost": "0", "cut": "1"}[tt.instant])
				assert.Equal(t, map[string]any{"peer": peer, "kind": "0", "epoch": json.Number("0"), "a": json.Number("0")}, instants[0].Args, "which one")
			}
		})
	}
}

func TestTheMessageThatIsLostIsTheFirstAndTheOneThatIsCutTheLast(t *testing.T) {
	// All messages look the same. The second one reaches rank 1 when that has begun again.
	p := parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, script(sendTo(1, 2)), faultsOf("crash:1@t5,rejoin:1@t6"), 0)))
	require.Len(t, p.arrows, 1)
	assert.EqualValues(t, 2, *p.arrows[0].send.TS)
	assert.EqualValues(t, 6, *p.arrows[0].receive.TS)

	// Two are under way when the link is cut; four are lost on it.
	far := clock.LogP{Ranks: 2, Latency: 20, Overhead: 2}
	p = parse(t, write(t, ofProgram(t, emu.Config{LogP: far}, script(sendTo(1, 6)), faultsOf("cut:0|1@t5"), 0)))
	require.Len(t, p.arrows, 2)
	for _, a := range p.arrows {
		assert.Equal(t, *a.send.TS+22, *a.receive.TS)
	}
	assert.Len(t, p.named("i", "cut"), 4)
}

func TestARankThatBeginsAgainHasAFreePort(t *testing.T) {
	// The gap keeps the port of rank 1 busy until 24, in its first life.
	wide := clock.LogP{Ranks: 3, Latency: 2, Overhead: 2, Gap: 20}
	program := script(sendTo(1, 1), idle, func(p protocols.Proc) {
		p.WaitUntil(6)
		p.Send(1, mailbox.Message{})
	})
	p := parse(t, write(t, ofProgram(t, emu.Config{LogP: wide}, program, faultsOf("crash:1@t7,rejoin:1@t9,slow:1x2@t9"), 0)))
	assert.Equal(t, []shot{
		{"rank 0", 0, 2, "send"}, {"rank 1 receives", 4, 6, "receive"}, {"rank 1 receives", 10, 14, "receive"}, {"rank 2", 6, 8, "send"},
	}, p.shots())
}

func TestAReceiveStartsWhenItsMessageIsThereAndThePortIsFree(t *testing.T) {
	// From 8 to 12 at twice the cost might be from 4 at four times, but the message arrives at 8.
	late := script(func(p protocols.Proc) { p.WaitUntil(4); p.Send(1, mailbox.Message{}) })
	p := parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, late, faultsOf("slow:1x4@t0,slow:1x2@t8"), 0)))
	assert.Equal(t, []shot{{"rank 0", 4, 6, "send"}, {"rank 1 receives", 8, 12, "receive"}}, p.shots())

	// From 12 to 16 might be from 8, but the port is busy with the first message.
	p = parse(t, write(t, ofProgram(t, emu.Config{LogP: small}, script(sendTo(1, 2)), faultsOf("slow:1x4@t0,slow:1x2@t12"), 0)))
	assert.Equal(t, []shot{
		{"rank 0", 0, 2, "send"}, {"rank 0", 2, 4, "send"}, {"rank 1 receives", 4, 12, "receive"}, {"rank 1 receives", 12, 16, "receive"},
	}, p.shots())
}

func TestMessagesThatOvertakeEachOtherKeepTheirArrows(t *testing.T) {
	event := func(at clock.Time, rank int, kind report.EventKind, peer int, a int64) report.Event {
		return report.Event{Time: at, Rank: rank, Kind: kind, Peer: peer, A: a}
	}
	run := traceevent.Run{Report: &report.Report{LogP: small, Ranks: make([]report.RankResult, 2), Events: []report.Event{
		event(0, 0, report.EventSend, 1, 1),
		event(2, 0, report.EventSend, 1, 2),
		event(4, 0, report.EventSend, 1, 1),
		event(8, 1, report.EventReceive, 0, 2),
		event(10, 1, report.EventReceive, 0, 1),
		event(12, 1, report.EventReceive, 0, 1),
		event(14, 1, report.EventReceive, 0, 1), // never sent
	}}}
	p := parse(t, write(t, run))
	got := make(map[int64]int64)
	for _, a := range p.arrows {
		got[*a.send.TS] = *a.receive.TS
	}
	assert.Equal(t, map[int64]int64{2: 6, 0: 8, 4: 10}, got)
	assert.Equal(t, 4, p.count("X", "receive"))
}

func TestFailuresStepsAndWaitingAreInstants(t *testing.T) {
	run := ofProgram(t, emu.Config{LogP: small}, script(
		func(p protocols.Proc) { p.Step("be\tgin"); p.Recv(mailbox.From(1)) },
		func(p protocols.Proc) { p.WaitUntil(30) },
	), faultsOf("hang:1@t5,rejoin:1@t9,crash:1@t12,slow:1x3@t4"), 0)
	p := parse(t, write(t, run))
	for _, want := range []struct {
		name, cat, thread string
		at                int64
		args              map[string]any
	}{
		{"be\tgin", "step", "rank 0", 0, nil},
		{"slow", "failure", "rank 1", 4, map[string]any{"factor": json.Number("3")}},
		{"hang", "failure", "rank 1", 5, nil},
		{"rejoin", "failure", "rank 1", 9, nil},
		{"crash", "failure", "rank 1", 12, nil},
		{"waits for ever", "deadlock", "rank 0", 12, map[string]any{
			"call": "Recv", "want": "any from 1", "since": json.Number("0"), "cause": run.Report.Deadlocks[0].Cause,
		}},
	} {
		found := p.named("i", want.name)
		require.Len(t, found, 1, want.name)
		assert.Equal(t, want.cat, found[0].Cat)
		assert.Equal(t, want.thread, p.threads[*found[0].TID])
		assert.Equal(t, want.at, *found[0].TS, want.name)
		assert.Equal(t, want.args, found[0].Args)
	}
}

func TestNoticesOfTheFailureDetectorAreSlicesWithoutArrows(t *testing.T) {
	run := ofLine(t, "bfb P=16 faults=crash:4@t3")
	p := parse(t, write(t, run))
	requireCounts(t, p, run.Report)
	require.NotZero(t, p.count("X", "notice"))
	assert.Len(t, p.named("X", "notice"), p.count("X", "notice"))
}

func TestNobodyIsColouredWhereNothingIsSpread(t *testing.T) {
	run := ofLine(t, "reduce P=8")
	run.Uncoloured = true
	assert.Zero(t, parse(t, write(t, run)).count("i", "colouring"))
}

func TestEveryProtocolHasATraceThatKeepsTheRules(t *testing.T) {
	for _, line := range []string{
		"broadcast P=64 faults=crash:~5,slow:~3x4@t3", "gossip P=64 faults=crash:~3", "membership P=32 faults=crash:5@t0",
		"collective op=reduce P=16 faults=crash:0@step:exchange", "allreduce P=50 f=2 faults=crash:~2@t7",
		"broadcast P=64 network=torus:4x4x4 latency=100ns overhead=1us tick=100ns faults=slow:~5x3@t9", "broadcast P=16 repeat=5",
	} {
		t.Run(strings.ReplaceAll(line, " ", ","), func(t *testing.T) {
			run := ofLine(t, line)
			p := parse(t, write(t, run))
			requireCounts(t, p, run.Report)
			requireMatched(t, p)
		})
	}
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	const line = "broadcast P=300 seed=3 faults=crash:~9@t5,slow:~9x2@t4,cut:4|*@t9"
	first := write(t, ofLine(t, line))
	for range 3 {
		require.Equal(t, string(first), string(write(t, ofLine(t, line))))
	}
}

// limited is a writer that fails after so many bytes.
type limited int

var errFull = errors.New("full")

func (l *limited) Write(p []byte) (int, error) {
	if *l -= limited(len(p)); *l < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteSaysThatItCouldNot(t *testing.T) {
	run := ofLine(t, "broadcast P=1024")
	for _, limit := range []limited{0, 1 << 17} {
		require.ErrorIs(t, traceevent.Write(&limit, run), errFull)
	}
}

// What a rank does with its storage is on the thread of its program, and as long as it took; what it loses is an instant.
func TestStorageIsSlicesOfTheProgram(t *testing.T) {
	text := write(t, ofProgram(t, emu.Config{LogP: small, Disk: clock.Disk{Write: 3, Sync: 10, Read: 2}}, script(func(p protocols.Proc) {
		disk := p.Storage()
		disk.Read("vote")
		disk.Write(`a "name"`, "1")
		disk.Sync()
	}), faultsOf("crash:0@sync1"), 0))
	p := parse(t, text)
	require.Equal(t, []shot{
		{"rank 0", 0, 2, "storage"}, {"rank 0", 2, 5, "storage"}, {"rank 0", 5, 10, "storage"},
	}, p.shots())
	require.Contains(t, string(text), `"name":"read vote"`)
	require.Contains(t, string(text), `"name":"write a \"name\""`)
	require.Contains(t, string(text), `"name":"sync-lost"`)
	forgets := p.named("i", "forget")
	require.Len(t, forgets, 1)
	require.Equal(t, map[string]any{"changes": json.Number("1")}, forgets[0].Args)
}
