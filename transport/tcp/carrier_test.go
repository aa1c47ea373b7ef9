package tcp

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// cargo is a carrier that notes what it is told to do. Tests do the receiving.
type cargo struct {
	job       wire.Job
	broken    error
	sent      []wire.Frame
	forgotten []int
	flushes   int
	flushing  func(context.Context)
	receiving chan func(deliver func(process int, text []byte)) error
}

func (c *cargo) Send(_ int, text []byte) error {
	f, err := c.job.ParseBare(text)
	c.sent = append(c.sent, f)
	return errors.Join(err, c.broken)
}

func (c *cargo) Receive(ctx context.Context, deliver func(process int, text []byte)) error {
	for {
		select {
		case receive := <-c.receiving:
			if err := receive(deliver); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (c *cargo) Flush(ctx context.Context, _ int) {
	c.flushes++
	if c.flushing != nil {
		c.flushing(ctx)
	}
}

func (c *cargo) Forget(process int) { c.forgotten = append(c.forgotten, process) }

// bring has a frame be received, and returns when it has been taken in.
func (c *cargo) bring(from int, text []byte) {
	done := make(chan struct{})
	c.receiving <- func(deliver func(int, []byte)) error {
		deliver(from, text)
		close(done)
		return nil
	}
	<-done
}

// carrying is a process of a pair with a carrier, its way to the other one, and what it logs.
func carrying(t *testing.T, process int) (*cargo, *carried, *lines) {
	t.Helper()
	job, log := pairOfProcesses(), &lines{}
	c := &cargo{job: job.Job, receiving: make(chan func(func(int, []byte)) error)}
	n := listening(t, Config{Job: job, Process: process, Carrier: c, Log: log.add})
	return c, n.others[1-process].(*carried), log
}

// toOther is a message to a rank of the other process.
func toOther(number int64) wire.Frame {
	return wire.Frame{Type: wire.Message, From: 0, To: 1, Message: mailbox.Message{A: number}}
}

// What was sent is counted, and nothing goes to a process that has failed, whose messages the carrier may forget.
func TestCarrierIsGivenNothingForAProcessThatHasFailed(t *testing.T) {
	t.Parallel()
	c, w, _ := carrying(t, 0)
	w.send(toOther(1))
	w.send(toOther(2))
	w.setPeer(peer{Process: 1})
	w.sendHalf(toOther(3))
	counted, received, ok := w.settled()
	require.Equal(t, tally{Connection: carriage, Sent: 2}, counted)
	require.Zero(t, received)
	require.True(t, ok)
	require.Len(t, c.sent, 2)
	require.EqualValues(t, 2, c.sent[1].Message.A)
	require.Empty(t, c.forgotten)

	w.setPeer(peer{Process: 1, Failed: true})
	w.setPeer(peer{Process: 1, Failed: true, Said: true})
	require.Equal(t, []int{1}, c.forgotten, "once")
	w.send(toOther(4))
	counted, _, _ = w.settled()
	require.EqualValues(t, 2, counted.Sent)
	require.Len(t, c.sent, 2)
}

func TestNothingIsCarriedOnAWayThatIsClosed(t *testing.T) {
	t.Parallel()
	c, w, _ := carrying(t, 0)
	w.close()
	w.send(toOther(1))
	w.setPeer(peer{Process: 1, Failed: true})
	require.Empty(t, c.sent)
	require.Empty(t, c.forgotten)
}

// A message that the carrier does not take is lost. It counts as sent, as others would on a connection that breaks, and there is one line about all of them.
func TestLostCargoIsLoggedOnce(t *testing.T) {
	t.Parallel()
	c, w, log := carrying(t, 0)
	c.broken = errors.New("no way")
	w.send(toOther(1))
	w.send(toOther(2))
	counted, _, _ := w.settled()
	require.EqualValues(t, 2, counted.Sent)
	require.Equal(t, []string{"process 0: process 1: message lost: no way"}, log.told())
}

// The one with the lower number begins, the other one answers; a greeting is no message.
func TestProcessesGreetOverACarrier(t *testing.T) {
	t.Parallel()
	greeting := func(j wire.Job) []byte { return j.AppendBare(nil, &wire.Frame{Type: wire.Welcome}) }
	for process, answers := range []int{0, 1} {
		c, w, log := carrying(t, process)
		require.False(t, w.connected())
		c.bring(1-process, greeting(c.job)) // before the run begins
		require.True(t, w.connected())
		require.Len(t, c.sent, answers)
		w.connect()
		require.Len(t, c.sent, answers+1)
		require.Equal(t, wire.Welcome, c.sent[0].Type)
		counted, _, _ := w.settled()
		require.Zero(t, counted)
		require.Empty(t, log.told())
	}
}

// What a process has sent before it was killed may be where the carrier has yet to look. It has come when there was nothing new for long enough.
func TestCarrierIsDrainedWhenItHasBeenQuiet(t *testing.T) {
	t.Parallel()
	_, w, _ := carrying(t, 0)
	require.True(t, w.drained(), "it has not failed")
	w.setPeer(peer{Process: 1, Failed: true})
	quiet := func(looks int) {
		t.Helper()
		for range looks {
			require.False(t, w.drained())
		}
	}
	require.Greater(t, enoughQuiet, 2)
	quiet(enoughQuiet - 1)
	w.tally.Received++
	quiet(enoughQuiet)
	require.True(t, w.drained())
	require.True(t, w.drained())

	_, w, _ = carrying(t, 0)
	w.setPeer(peer{Process: 1, Failed: true, Said: true})
	require.True(t, w.drained(), "all was received before it said so")
}

// A process waits for its cargo to arrive only if there is some, and somebody takes it.
func TestCarrierIsFlushedWhereItHelps(t *testing.T) {
	t.Parallel()
	c, w, _ := carrying(t, 0)
	own := w.node.others[0]
	w.flush(time.Hour)
	require.Zero(t, c.flushes, "nothing was sent")
	w.send(toOther(1))
	c.flushing = func(ctx context.Context) {
		until, ok := ctx.Deadline()
		require.True(t, ok)
		require.Greater(t, time.Until(until), 30*time.Minute)
		require.NoError(t, ctx.Err())
	}
	w.flush(time.Hour)
	require.Equal(t, 1, c.flushes)
	own.send(toOther(2))
	own.flush(time.Hour)
	require.Equal(t, 1, c.flushes, "nobody sends to itself")
	c.flushing = func(ctx context.Context) { <-ctx.Done() }
	w.flush(time.Nanosecond)
	require.Equal(t, 2, c.flushes)
	w.node.shut()
	w.flush(time.Hour)
	w.setPeer(peer{Process: 1, Failed: true})
	w.flush(time.Hour)
	require.Equal(t, 3, c.flushes, "nobody takes it")
}

// Others may begin before this process knows that the run does. What is not a message for a rank here is dropped with a line, and not counted.
func TestCargoIsTakenInWhenTheRunHasBegun(t *testing.T) {
	t.Parallel()
	c, w, log := carrying(t, 1)
	text := func(f wire.Frame) []byte { return c.job.AppendBare(nil, &f) }
	c.receiving <- func(deliver func(int, []byte)) error {
		deliver(0, text(toOther(7)))
		return nil
	}
	require.True(t, w.hasReceived(tally{}))
	require.False(t, w.hasReceived(tally{Connection: carriage, Sent: 1}))
	box := w.node.local(1).box
	require.Empty(t, box.signal)
	changes := w.node.changes.Load()
	close(w.node.ready)
	c.bring(0, text(toOther(8)))
	require.EqualValues(t, 8, box.queue[1].msg.A)
	require.Greater(t, w.node.changes.Load(), changes)
	counted, received, _ := w.settled()
	require.Equal(t, tally{Connection: carriage, Received: 2}, counted)
	require.EqualValues(t, 2, received)
	require.True(t, w.hasReceived(tally{Connection: carriage, Sent: 2}))
	require.False(t, w.hasReceived(tally{Connection: carriage, Sent: 3}))

	c.bring(0, []byte("nonsense"))
	c.bring(0, text(wire.Frame{Type: wire.Message, From: 0, To: 0}))
	require.Len(t, log.told(), 2)
	require.Contains(t, log.told()[0], "process 1: a message of process 0 dropped: ")
	require.Contains(t, log.told()[1], "a message for rank 0, which does not live here")
	counted, _, _ = w.settled()
	require.EqualValues(t, 2, counted.Received)
}

func TestRunEndsWithItsCarrier(t *testing.T) {
	t.Parallel()
	c, w, _ := carrying(t, 0)
	c.receiving <- func(func(int, []byte)) error { return errors.New("no more") }
	<-w.node.over
	w.node.mu.Lock()
	defer w.node.mu.Unlock()
	require.EqualError(t, w.node.failed, "no more")
}
