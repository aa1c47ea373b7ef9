package broadcast_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// Broadcasts of several roots one after the other: every rank gets every message, in order,
// although later ones begin before earlier ones have ended.
func TestBroadcastsOfSeveralRootsOverlap(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 24, Latency: 3, Overhead: 1}
	proof := must(correction.NewFailureProof(logp, 1))
	for _, c := range []correction.Correction{
		correction.Checked{}, &correction.Opportunistic{Messages: 8, Optimized: true}, proof, correction.NewDelayed(logp, 4),
	} {
		var all []*broadcast.Broadcast
		for epoch, root := range []int{0, 5, 5, 23, 11, 0, 7} {
			all = append(all, lab.make(logp, broadcast.Options{
				Tree:       must(tree.WithRoot(tree.Binomial{Ranks: logp.Ranks}, root)),
				Correction: c,
				Overlapped: true,
				Epoch:      uint32(epoch),
			}))
		}
		got := make([]string, logp.Ranks)
		program := protocols.Program{Initiators: []int{0}, KindName: broadcast.KindName, Main: func(p protocols.Proc) {
			for i, b := range all {
				m, _ := b.Run(p, mailbox.Message{Payload: fmt.Sprintf("%d by %d,", i, p.Rank())})
				got[p.Rank()] += m.Payload
			}
		}}
		rep := lab.run(logp, program, faults.MustParse("crash:1,crash:2,crash:16"))
		require.Empty(t, rep.Deadlocks, "%v", c)
		require.Positive(t, overlaps(rep), "%v: some rank begins before another one has ended", c)
		for rank, text := range got {
			if rank != 1 && rank != 2 && rank != 16 {
				require.Equal(t, "0 by 0,1 by 5,2 by 5,3 by 23,4 by 11,5 by 0,6 by 7,", text, "%v, rank %d", c, rank)
			}
		}
	}
}

// overlaps counts messages that are received after one of a later epoch has been sent.
func overlaps(rep *report.Report) int {
	firstSent := make(map[uint32]clock.Time)
	for _, e := range rep.Events {
		if at, ok := firstSent[e.Epoch]; e.Kind == report.EventSend && (!ok || e.Time < at) {
			firstSent[e.Epoch] = e.Time
		}
	}
	n := 0
	for _, e := range rep.Events {
		if next, ok := firstSent[e.Epoch+1]; ok && e.Kind == report.EventReceive && e.Time > next {
			n++
		}
	}
	return n
}

// A late message of an earlier broadcast does not colour anybody, and one of a later
// broadcast is kept until its turn.
func TestMessagesOfOtherEpochsAreDroppedOrKept(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}
	one := lab.make(logp, broadcast.Options{Tree: tree.Binomial{Ranks: 2}, Correction: correction.Checked{}, Epoch: 1})
	two := lab.make(logp, broadcast.Options{Tree: tree.Binomial{Ranks: 2}, Correction: correction.Checked{}, Epoch: 2})
	var got [2]int64
	program := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Kind: broadcast.Down, Epoch: 0, A: 666})
			p.Send(1, mailbox.Message{Kind: correction.Leftward, Epoch: 2, A: 7})
			one.Run(p, mailbox.Message{A: 5})
			return
		}
		first, _ := one.Run(p, mailbox.Message{})
		second, _ := two.Run(p, mailbox.Message{})
		got = [2]int64{first.A, second.A}
	}}
	lab.run(logp, program, nil)
	require.Equal(t, [2]int64{5, 7}, got)
}

// A series in lockstep costs count times what one costs, and every one takes as long.
func TestSeriesCostsAsMuchAsItsBroadcasts(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 64, Latency: 2, Overhead: 1}
	const count = 5
	for _, overlapped := range []bool{false, true} {
		b := lab.make(logp, broadcast.Options{Tree: tree.Binomial{Ranks: 64}, Correction: correction.Checked{}, Overlapped: overlapped})
		one := lab.run(logp, b.Program(mailbox.Message{}), down(1, 33))
		series := must(broadcast.NewSeries(b, count, 100))
		at := make([][]clock.Time, count)
		for i := range at {
			at[i] = make([]clock.Time, logp.Ranks)
		}
		rep := lab.run(logp, series.Program(mailbox.Message{}, broadcast.Watch{Coloured: func(i, rank int, t clock.Time) { at[i][rank] = t }}), down(1, 33))
		require.Equal(t, count*one.Messages, rep.Messages)
		require.Equal(t, 100*(count-1)+one.Quiescence, rep.Quiescence)
		for i := range at {
			for rank, coloured := range at[i] {
				if rank != 1 && rank != 33 {
					require.Equal(t, clock.Time(100*i)+one.Ranks[rank].Coloured, coloured)
				}
			}
		}
	}
}

func TestNewSeriesRefusesWhatDoesNotFit(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}
	b := newLab(t).make(logp, checkedOn(tree.Binomial{Ranks: 2}))
	_, err := broadcast.NewSeries(b, 0, 5)
	require.EqualError(t, err, "broadcast: a series of 0, want 1 or more")
	_, err = broadcast.NewSeries(b, 2, 0)
	require.EqualError(t, err, "broadcast: a series with a period of 0 ticks, want 1 or more for synchronized correction")
}

// Acknowledgements wait for everybody: above a failed rank for ever.
func TestAcknowledgementsWaitForTheFailed(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	shape := tree.Binomial{Ranks: 8}
	o := broadcast.Options{Tree: shape, Correction: broadcast.Acknowledge{}, Overlapped: true}
	rep := lab.broadcast(logp, o, nil)
	require.EqualValues(t, 2*7, rep.Messages)
	require.Empty(t, rep.Deadlocks)
	rep = lab.broadcast(logp, o, down(3))
	var waiting []int
	for _, d := range rep.Deadlocks {
		waiting = append(waiting, d.Rank)
	}
	require.Equal(t, []int{0, 1, 7}, waiting, "two ancestors for its acknowledgement, a child for the message")
	require.Contains(t, rep.Deadlocks[1].String(), "Recv(kind=ack from 3 epoch=0)")
}

// Whatever the correction, and however large the gap, a series with the longest time between
// its broadcasts costs as much as they do, and every one takes as long as one alone.
func TestSeriesOfAnyCorrectionIsReliable(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 60, Latency: 2, Overhead: 1}
	const count = 3
	for _, c := range []correction.Correction{
		correction.Checked{}, correction.None{}, broadcast.Acknowledge{}, correction.NewDelayed(logp, 3), must(correction.NewFailureProof(logp, 2)),
		&correction.Opportunistic{Messages: 50, Direction: correction.RightOnly}, &correction.Opportunistic{Messages: 70},
	} {
		for _, dead := range []faults.Schedule{nil, down(30), down(1, 2, 3)} {
			if _, ack := c.(broadcast.Acknowledge); ack && dead != nil {
				continue // it waits for ever
			}
			o := broadcast.Options{Tree: must(tree.NewBinomial(60, tree.InOrder)), Correction: c}
			b := lab.make(logp, o)
			one := lab.run(logp, b.Program(mailbox.Message{}), dead)
			if len(one.Unreached) > 0 {
				continue
			}
			latest := make([]clock.Time, count*60)
			late := 0
			series := must(broadcast.NewSeries(b, count, b.Longest()))
			rep := lab.run(logp, series.Program(mailbox.Message{}, broadcast.Watch{
				Coloured: func(i, rank int, at clock.Time) { latest[i*60+rank] = at - clock.Time(i)*b.Longest() },
				Late:     func(int, int, clock.Time) { late++ },
			}), dead)
			require.Zero(t, late, describe(logp, o, dead))
			require.Equal(t, count*one.Messages, rep.Messages, describe(logp, o, dead))
			for i := range count {
				for rank := range 60 {
					if !one.Ranks[rank].Outcome.Failed() {
						require.Equal(t, one.Ranks[rank].Coloured, latest[i*60+rank], describe(logp, o, dead))
					}
				}
			}
		}
	}
}

// Too short a period is noticed.
func TestLateRanksAreReported(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 16, Latency: 2, Overhead: 1}
	b := lab.make(logp, checkedOn(tree.Binomial{Ranks: 16}))
	var late [2]atomic.Int64
	series := must(broadcast.NewSeries(b, 2, 1))
	lab.run(logp, series.Program(mailbox.Message{}, broadcast.Watch{Late: func(i, _ int, by clock.Time) {
		require.Positive(t, by)
		late[i].Add(1)
	}}), nil)
	require.Zero(t, late[0].Load())
	require.EqualValues(t, 16, late[1].Load())
}
