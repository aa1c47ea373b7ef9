package tcp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// holding is a process with three ranks, in a job in which messages are late.
func holding(t *testing.T) *Node {
	t.Helper()
	job := pairOfProcesses()
	job.Ranks, job.Processes, job.Tick, job.Faults = 3, 1, time.Hour, faults.MustParse("late:0@send1+5")
	n := listening(t, Config{Job: job})
	n.begin = time.Now()
	return n
}

func numbered(to int, left clock.Time, number int64) wire.Frame {
	return wire.Frame{Type: wire.Message, To: to, Left: left, Message: mailbox.Message{A: number}}
}

// read takes the numbers out of the mailbox of a rank.
func read(r *rank) (all []int64) {
	r.box.mu.Lock()
	defer r.box.mu.Unlock()
	for l, ok := r.box.take(mailbox.Any); ok; l, ok = r.box.take(mailbox.Any) {
		all = append(all, l.msg.A)
	}
	return all
}

func TestNothingIsHeldUpIfNothingIsLate(t *testing.T) {
	for schedule, holds := range map[string]bool{
		"none": false, "crash:1,cut:0|1,lose:0@send1": false, "late:0@send1+1": true, "twice:0|1@t5+1": true,
	} {
		job := pairOfProcesses()
		job.Faults = faults.MustParse(schedule)
		require.Equal(t, holds, listening(t, Config{Job: job}).held != nil, schedule)
	}
}

func TestMessagesWaitBehindLateOnesOfTheirLink(t *testing.T) {
	n := holding(t)
	n.held.send(numbered(1, 0, 1), false)
	n.held.send(numbered(1, 10, 2), true)
	n.held.send(numbered(1, 10, 3), true)
	n.held.sendAgain(numbered(1, 12, 2))
	n.held.send(numbered(2, 0, 4), false)
	n.held.send(wire.Frame{Type: wire.Message, From: 2, To: 1, Message: mailbox.Message{A: 7}}, false)
	require.Equal(t, []int64{1, 7}, read(n.local(1)), "others do not wait")
	require.Equal(t, []int64{4}, read(n.local(2)), "nor does the other link")
	require.EqualValues(t, 10, n.held.next())
	n.held.release(9)
	require.Empty(t, read(n.local(1)))
	n.held.send(numbered(1, 11, 5), false) // that its time has come is for others to notice
	n.held.release(11)
	require.Equal(t, []int64{2, 3, 5}, read(n.local(1)))
	n.held.send(numbered(1, 11, 6), false)
	require.Equal(t, []int64{6}, read(n.local(1)), "what comes again holds nobody up")
	n.held.release(12)
	require.Equal(t, []int64{2}, read(n.local(1)))
	require.Equal(t, clock.Never, n.held.next())
}

func TestMessagesOvertakeLateOnesWhereLinksAreNotInOrder(t *testing.T) {
	n := holding(t)
	n.cfg.Unordered = true
	n.held.send(numbered(1, 10, 1), true)
	n.held.send(numbered(1, 3, 2), false)
	n.held.send(numbered(1, 7, 3), true)
	n.held.release(10)
	require.Equal(t, []int64{2, 3, 1}, read(n.local(1)))
}

// Jitter is that of the number of the send, through all lives of a rank that fails.
func TestJitterOfARankGoesOnInItsNextLife(t *testing.T) {
	n := holding(t)
	n.cfg.Jitter, n.cfg.Seed = clock.UniformJitter{Most: 1000}, 7
	late := func(r *rank) clock.Time { r.status.sends++; return r.jitter() }
	drawn := func(rank, send int) clock.Time { return clock.DrawJitter(n.cfg.Jitter, 7, rank, send) }
	r := n.local(1) // without faults
	require.Equal(t, []clock.Time{drawn(1, 1), drawn(1, 2)}, []clock.Time{late(r), late(r)})
	r = n.local(0)
	n.armFaults(r, n.cfg.follow(0, faults.History{Sends: 4}))
	require.Equal(t, drawn(0, 5), late(r))
	r.faults.with((*faults.Tracker).Sent)
	require.Equal(t, drawn(0, 6), late(r))
}

// While it holds something the process may still do something of its own accord.
func TestProcessIsNotIdleWhileItHoldsMessages(t *testing.T) {
	n := holding(t)
	n.held.send(numbered(1, 0, 1), false)
	require.Zero(t, n.active.Load())
	n.held.send(numbered(1, 10, 2), true)
	n.held.sendAgain(numbered(1, 20, 2))
	require.EqualValues(t, 2, n.active.Load())
	n.held.release(10)
	require.EqualValues(t, 1, n.active.Load())
	n.held.handOver()
	require.Zero(t, n.active.Load())
}

// Who receives from a process that is about to fail waits in its place.
func TestReceiversHoldWhatAFailingProcessHandsOver(t *testing.T) {
	n := holding(t)
	n.held.send(numbered(1, 10, 1), true)
	n.held.send(numbered(1, 10, 2), true)
	n.held.sendAgain(numbered(1, 30, 1))
	n.held.handOver()
	require.Equal(t, clock.Never, n.held.next())
	r := n.local(1)
	require.Empty(t, read(r))
	r.box.receive(letter{at: 9, msg: mailbox.Message{A: 3}}, 10)
	require.Equal(t, []int64{1, 2, 3}, read(r), "what left later comes later, if its clock is slow, too")
	r.box.receive(letter{at: 29, msg: mailbox.Message{A: 4}}, 29)
	r.box.receive(letter{at: 31, msg: mailbox.Message{A: 5}}, 30)
	require.Equal(t, []int64{4, 1, 5}, read(r))
}

// It is as if all messages were remembered.
func TestMessagesLeaveInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o linkOrder
		last := make(map[int]clock.Time)
		left := clock.Time(0)
		for range rapid.IntRange(1, 40).Draw(t, "messages") {
			left += clock.Time(rapid.IntRange(0, 4).Draw(t, "pause"))
			to := rapid.IntRange(0, 3).Draw(t, "to")
			late := clock.Time(rapid.SampledFrom([]int{0, 0, 0, 3, 9}).Draw(t, "late"))
			last[to] = max(last[to], left+late)
			require.Equal(t, last[to], o.leave(to, left, late))
		}
	})
}

// What holds up the messages of a rank does so in its next life, in a process that is told.
func TestOrderOfLinksIsHandedDown(t *testing.T) {
	n := holding(t)
	r := n.local(0)
	r.status.order.leave(1, 3, 9)
	require.Equal(t, linkOrder{1: 12}, r.orderOfLinks())
	require.Equal(t, linkOrder{1: 12}, r.report().Order)

	c := scheduled(t, "crash:1@send1,rejoin:1@t9")
	words := unheard(1, 0, 5)
	words.Order = linkOrder{0: 12}
	c.noteFailure(failure{words, 0})
	require.Equal(t, words.Order, c.orders[1])
}
