package buntinas_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/report"
)

func TestNewRefusesWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		machine clock.LogP
		options buntinas.Options
		want    string
	}{
		{paper(5), buntinas.Options{DetectorDelay: 4, Root: 5}, "buntinas: root 5, want 0 to 4"},
		{paper(5), buntinas.Options{DetectorDelay: 4, Root: -1}, "buntinas: root -1, want 0 to 4"},
		{paper(5), buntinas.Options{}, "buntinas: detector delay = 0 ticks, want 1 to 1099511627776"},
		{paper(0), buntinas.Options{DetectorDelay: 4}, "buntinas: clock: ranks P = 0 ranks, want 1 to 2147483647"},
		{paper(5), buntinas.Options{DetectorDelay: 4, Linger: -2}, "buntinas: linger = -2 ticks, want 0 to 1152921504606846975"},
		{
			clock.LogP{Latency: 2, Overhead: 1}, buntinas.Options{Root: -1, Linger: clock.Forever},
			"buntinas: clock: ranks P = 0 ranks, want 1 to 2147483647; root -1, want 0 to -1; " +
				"detector delay = 0 ticks, want 1 to 1099511627776; linger = 1152921504606846976 ticks, want 0 to 1152921504606846975",
		},
		{
			clock.LogP{Ranks: clock.MaxRanks, Latency: clock.MaxCost, Overhead: clock.MaxCost}, buntinas.Options{DetectorDelay: 4},
			"buntinas: ranks would linger for 1152921504606846976 ticks or more; want lower costs, fewer ranks or a Linger",
		},
	} {
		_, err := buntinas.New(c.machine, c.options)
		require.EqualError(t, err, c.want)
	}
	_, err := buntinas.New(clock.LogP{Ranks: clock.MaxRanks, Latency: clock.MaxCost, Overhead: clock.MaxCost}, buntinas.Options{DetectorDelay: 4, Linger: 1})
	require.NoError(t, err)
}

// The example of the package comment.
func TestTheTreeIsMadeOnTheWay(t *testing.T) {
	b := (&trial{logp: paper(8), trace: emu.TraceEvents}).start(t)
	b.play(t, "crash:4")
	sent := make(map[int][]int)
	for _, e := range b.report.Events {
		if e.Kind == report.EventSend && e.Msg == buntinas.Down {
			sent[e.Rank] = append(sent[e.Rank], e.Peer)
		}
	}
	require.Equal(t, map[int][]int{0: {5, 2, 1}, 5: {7, 6}, 2: {3}}, sent)
}

// Who has left too early is missing in the next attempt, and the root waits for it.
func TestRanksMustLinger(t *testing.T) {
	b := (&trial{logp: paper(8), options: buntinas.Options{Linger: 5}}).start(t)
	b.run(t, nil)
	b.check(t)
	rep := b.play(t, "crash:7@t11")
	require.Equal(t, clock.Never, b.complete)
	require.Equal(t, report.Deadlocked, rep.Ranks[0].Outcome)
	b.options.Linger = 2 * buntinas.Longest(b.logp, b.detector.Delay, 20)
	b.start(t).play(t, "crash:7@t11")
	b.check(t)
	require.Equal(t, 2, b.attempts)
}

// By itself a rank lingers for as many attempts as there are ranks, each with the longest list of failures: 14 bytes, and 4 for each rank.
func TestRanksLingerForAsManyAttemptsAsThereAreRanks(t *testing.T) {
	const ranks, said = 5, 100
	logp := paper(ranks)
	logp.PerByte = 1
	usual := (&trial{logp: logp, message: news}).start(t)
	usual.run(t, nil)
	short := (&trial{logp: logp, message: news, options: buntinas.Options{Linger: said}}).start(t)
	short.run(t, nil)
	attempt := buntinas.Longest(logp, usual.detector.Delay, len(news.Payload)+14+4*ranks)
	for rank := 1; rank < ranks; rank++ {
		require.Equal(t, 5*attempt-said, usual.report.Ranks[rank].Exit-short.report.Ranks[rank].Exit, "rank %d", rank)
	}
}

func TestKindsHaveNames(t *testing.T) {
	require.Equal(t, "down", buntinas.KindName(buntinas.Down))
	require.Equal(t, "ack", buntinas.KindName(buntinas.Ack))
	require.Equal(t, "nack", buntinas.KindName(buntinas.Nack))
	require.Equal(t, "failed", buntinas.KindName(protocols.Failed))
	require.Empty(t, buntinas.KindName(0))
}

// Broadcasts in a row, from different roots. Ranks come to the next one when they have
// lingered, and messages of it wait for them.
func TestBroadcastsInARowAreToldApart(t *testing.T) {
	const ranks = 9
	roots := []int{0, 5, 0, 8}
	var all []*buntinas.Broadcast
	for i, root := range roots {
		b, err := buntinas.New(paper(ranks), buntinas.Options{Root: root, Epoch: uint32(i), DetectorDelay: 4, Linger: 500})
		require.NoError(t, err)
		all = append(all, b)
	}
	got := make([][]int64, ranks)
	machine, err := emu.New(emu.Config{LogP: paper(ranks), Detection: emu.Detection{Delay: 4}, TimeLimit: 100_000})
	require.NoError(t, err)
	for _, schedule := range []string{"none", "crash:4@t5", "crash:4@recv1,crash:7@t520,crash:3@t1040"} {
		clear(got)
		rep, err := machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
			for i, b := range all {
				result := b.Run(p, mailbox.Message{A: int64(100*i + p.Rank())})
				got[p.Rank()] = append(got[p.Rank()], result.Message.A)
			}
		}}, emu.Options{Faults: faults.MustParse(schedule)})
		require.NoError(t, err)
		require.Empty(t, rep.Deadlocks, schedule)
		for rank, values := range got {
			if !rep.Ranks[rank].Outcome.Failed() {
				require.Equal(t, []int64{0, 105, 200, 308}, values, "rank %d, %s", rank, schedule)
			}
		}
	}
}
