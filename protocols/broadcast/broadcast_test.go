package broadcast_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Whoever is down before the broadcast, all others get the message as long as the root is
// alive.
func TestCheckedCorrectionReachesEveryLiveRank(t *testing.T) {
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 0))
		logp := clock.LogP{
			Ranks:    1 + random.IntN(200),
			Latency:  1 + clock.Time(random.IntN(5)),
			Overhead: 1 + clock.Time(random.IntN(4)),
		}
		dead, err := faults.UniformRanks(faults.Crash, random.IntN(logp.Ranks), faults.OnTime(0), logp.Ranks, seed, broadcast.Root)
		if len(dead) == 0 {
			err = nil // a draw of no rank is not a schedule
		}
		require.NoError(t, err)
		report := run(t, logp, dead)
		require.Empty(t, report.Unreached, "%+v, faults %v", logp, dead)
		require.Empty(t, report.Deadlocks, "%+v, faults %v", logp, dead)
		require.Len(t, report.Failed, len(dead))
	}
}

// No crash of one rank, at any time, leaves a live rank without the message.
func TestNoSingleCrashAtAnyTimeLeavesALiveRankOut(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	quiet := run(t, logp, nil).Quiescence
	for rank := 1; rank < logp.Ranks; rank++ {
		for at := range quiet + 1 {
			dead := faults.Schedule{{Kind: faults.Crash, Rank: rank, At: faults.OnTime(at)}}
			require.Empty(t, run(t, logp, dead).Unreached, "faults %v", dead)
		}
	}
}

// The example of Corrected Trees, section 3.1: rank 23 hears from 19 on its left and 28 on
// its right, and stops when it has sent to both.
func TestRankStopsOnceItHasReachedItsNeighbours(t *testing.T) {
	var targets []int
	checked := &correction.Checked{}
	program := protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 23:
			p.WaitUntil(50) // it has heard from both when it begins
			checked.Run(p, mailbox.Message{})
		case 19, 28:
			checked.Run(p, mailbox.Message{})
		}
	}}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents})
	require.NoError(t, err)
	report, err := machine.Run(context.Background(), program, emu.Options{})
	require.NoError(t, err)
	for _, e := range report.Events {
		if e.Kind == emu.EventSend && e.Rank == 23 {
			targets = append(targets, e.Peer)
		}
	}
	require.Equal(t, []int{22, 24, 21, 25, 20, 26, 19, 27, 28}, targets)
}

// Every rank returns the root's message, payload included, however it was reached.
func TestEveryRankReturnsTheRootsMessage(t *testing.T) {
	logp := clock.LogP{Ranks: 50, Latency: 3, Overhead: 2}
	b, err := broadcast.New(logp, tree.Binomial{Ranks: logp.Ranks}, &correction.Checked{})
	require.NoError(t, err)
	b.Epoch = 7
	got := make([]mailbox.Message, logp.Ranks)
	program := protocols.Program{Initiators: []int{broadcast.Root}, Main: func(p protocols.Proc) {
		got[p.Rank()] = b.Run(p, mailbox.Message{A: int64(100 + p.Rank()), Payload: "hello"})
	}}
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(t, err)
	_, err = machine.Run(context.Background(), program, emu.Options{Faults: faults.MustParse("crash:1,crash:2,crash:9@t0")})
	require.NoError(t, err)
	for rank, m := range got {
		if rank == 1 || rank == 2 || rank == 9 {
			require.Zero(t, m, "rank %d is down", rank)
			continue
		}
		require.EqualValues(t, 100, m.A, "rank %d", rank)
		require.Equal(t, "hello", m.Payload)
		require.EqualValues(t, 7, m.Epoch)
	}
}

func TestMessagesOfOtherEpochsAreDropped(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}
	b, err := broadcast.New(logp, tree.Binomial{Ranks: 2}, &correction.Checked{})
	require.NoError(t, err)
	b.Epoch = 1
	var got mailbox.Message
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: broadcast.Down, Epoch: 0, A: 666})
			p.Send(1, mailbox.Message{Kind: correction.Leftward, Epoch: 2, A: 666})
		}
		if m := b.Run(p, mailbox.Message{A: 5}); p.Rank() == 1 {
			got = m
		}
	}}
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(t, err)
	_, err = machine.Run(context.Background(), program, emu.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 5, got.A)
}

func TestNewRefusesWhatDoesNotFit(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	_, err := broadcast.New(logp, tree.Binomial{Ranks: 9}, &correction.Checked{})
	require.EqualError(t, err, "broadcast: the tree has 9 ranks, the machine 8")
	_, err = broadcast.New(logp, nil, nil)
	require.Error(t, err)
}

func TestKindsHaveNames(t *testing.T) {
	require.Equal(t, "tree", broadcast.KindName(broadcast.Down))
	require.Equal(t, "left", broadcast.KindName(correction.Leftward))
	require.Equal(t, "right", broadcast.KindName(correction.Rightward))
	require.Empty(t, broadcast.KindName(9))
}

// A broadcast leaves alone what others say meanwhile, and goes through whatever kind of
// message the root is given.
func TestCorrectionLeavesOtherMessagesAlone(t *testing.T) {
	logp := clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}
	b, err := broadcast.New(logp, tree.Binomial{Ranks: 4}, &correction.Checked{})
	require.NoError(t, err)
	const other mailbox.Kind = 7
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: other})
		}
		b.Run(p, mailbox.Message{Kind: correction.Leftward})
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: other})
		}
		if p.Rank() == 1 {
			p.Recv(mailbox.OfKind(other))
			p.Recv(mailbox.OfKind(other))
		}
	}}
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(t, err)
	report, err := machine.Run(context.Background(), program, emu.Options{})
	require.NoError(t, err)
	require.Empty(t, report.Deadlocks)
	require.Empty(t, report.Unreached)
}
