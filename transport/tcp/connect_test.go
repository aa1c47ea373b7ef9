package tcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// refusing is an address where nobody listens.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", loopback)
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

func TestAnotherAttemptIsMadeOnlyIfItMayGoBetter(t *testing.T) {
	for err, may := range map[error]bool{
		os.ErrDeadlineExceeded: true, wire.ErrRefused: true, io.EOF: true, io.ErrUnexpectedEOF: true, syscall.ECONNRESET: true, syscall.EPIPE: true,
		syscall.ECONNREFUSED: false, wire.ErrSecret: false, errForeignKey: false, net.ErrClosed: false, errors.New("it was never started"): false,
		&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}: false, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}: true,
	} {
		require.Equal(t, may, mayPass(fmt.Errorf("wrapped: %w", err)), err)
	}
}

// An attempt that failed is made again, or what was to be sent is given up and the process left alone for a while.
func TestAttemptThatFailedIsMadeAgainOrGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		state   linkState
		life    int
		err     error
		patient bool
		done    bool
		left    linkState
	}{
		"may go better":              {dialing, 0, io.EOF, true, false, dialing},
		"no more patience":           {dialing, 0, io.EOF, false, true, unused},
		"will not go better":         {dialing, 0, syscall.ECONNREFUSED, true, true, unused},
		"the other side was faster":  {open, 0, io.EOF, true, true, open},
		"the other side has failed":  {peerGone, 0, io.EOF, true, true, peerGone},
		"to a former life":           {dialing, 1, io.EOF, true, true, dialing},
		"to a former life, in vain":  {dialing, 1, syscall.ECONNREFUSED, true, true, dialing},
		"nothing is wanted any more": {unused, 0, io.EOF, true, true, unused},
	} {
		t.Run(name, func(t *testing.T) {
			l := listening(t, Config{Job: pairOfProcesses()}).links[1]
			l.state, l.life, l.opening, l.waiting = c.state, c.life, true, []wire.Frame{{}}
			began := time.Now()
			require.Equal(t, c.done, l.conclude(nil, c.err, 0, c.patient))
			require.True(t, l.is(c.left))
			require.Equal(t, !c.done, l.opening)
			givenUp := c.done && c.state == dialing && c.life == 0
			require.Equal(t, givenUp, l.retry.After(began.Add(99*time.Millisecond)))
			require.Equal(t, givenUp, len(l.waiting) == 0)
		})
	}
}

func TestProcessThatCannotBeReachedIsLogged(t *testing.T) {
	t.Parallel()
	lines := make(chan string, 10)
	n := listening(t, Config{Job: pairOfProcesses(), Log: func(line string) { lines <- line }})
	l, address := n.links[1], refusing(t)
	l.setPeer(peer{Process: 1, Address: address})
	l.send(wire.Frame{Type: wire.Message, To: 1})
	line := <-lines
	require.Contains(t, line, "process 0: process 1: connection dropped: "+address+" cannot be reached: ")
	require.Contains(t, line, "refused")
	require.True(t, l.is(unused))
}

// What breaks a connection is worth a line at once, unless that is what a failure of the other side looks like, which may
// be heard of yet, or the run is over.
func TestBrokenConnectionIsLoggedUnlessTheOtherSideHasFailed(t *testing.T) {
	t.Parallel()
	type event struct {
		err          error
		failed, over bool // by the time that this would have been heard of
	}
	for e, says := range map[event]int{
		{nil, false, false}: 0, {wire.ErrTag, false, false}: 1, {wire.ErrTag, true, true}: 1, {syscall.ECONNRESET, false, false}: 1,
		{syscall.ECONNRESET, true, false}: 0, {syscall.ECONNRESET, false, true}: 0, {syscall.ECONNREFUSED, true, false}: 0,
		{io.ErrUnexpectedEOF, true, false}: 0, {io.EOF, true, false}: 0, {io.EOF, false, false}: 1,
	} {
		t.Run(fmt.Sprintf("%+v", e), func(t *testing.T) {
			t.Parallel()
			lines := make(chan string, 10)
			n := listening(t, Config{Job: pairOfProcesses(), Log: func(line string) { lines <- line }})
			l := n.links[1]
			l.mu.Lock()
			l.state, l.tally, l.waiting = open, tally{1, 2, 3}, []wire.Frame{{}}
			if e.err != nil {
				e.err = fmt.Errorf("the end: %w", e.err)
			}
			l.drop(e.err)
			require.Equal(t, unused, l.state)
			require.Zero(t, l.tally)
			require.Empty(t, l.waiting)
			if e.failed {
				l.state = peerGone
			}
			l.mu.Unlock()
			if e.over {
				n.finish(nil)
			}
			if says > 0 {
				require.Contains(t, <-lines, "process 0: process 1: connection dropped: "+e.err.Error())
				return
			}
			time.Sleep(failureGrace * 11 / 10)
			require.Empty(t, lines)
		})
	}
}

// Connections that are being opened do not keep a process from being closed, nor a context that has ended.
func TestNobodyWaitsForAProcessThatAnswersNothing(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", loopback) // nobody accepts
	require.NoError(t, err)
	defer l.Close()
	n := listening(t, Config{Job: pairOfProcesses()})
	n.links[1].setPeer(peer{Process: 1, Address: l.Addr().String()})
	n.links[1].send(wire.Frame{Type: wire.Message, To: 1})
	ctx, cancel := context.WithCancelCause(t.Context())
	joined := make(chan error, 1)
	go func() { joined <- n.Join(ctx, l.Addr().String()) }()
	time.Sleep(10 * time.Millisecond)
	began := time.Now()
	cancel(errEnough)
	require.ErrorIs(t, <-joined, errEnough)
	require.NoError(t, n.Close())
	require.Less(t, time.Since(began), dialTimeout)
}

// A process that was never started cannot be reached, and one that is closed opens nothing.
func TestProcessThatWasNeverStartedIsNotReached(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	_, err := n.dial(t.Context(), "", wire.Peer, 1, 0)
	require.ErrorContains(t, err, "it was never started")
	other := listening(t, Config{Job: n.cfg.Job, Process: 1})
	s, err := n.dial(t.Context(), other.Addr().String(), wire.Peer, 1, 0)
	require.NoError(t, err)
	require.NoError(t, n.Close())
	l := n.links[1]
	l.use(s, true)
	require.ErrorIs(t, s.SetDeadline(time.Time{}), net.ErrClosed)
	require.Zero(t, l.readers)
	require.False(t, n.background(func() {}))
}

// Who is welcomed too late is gone: the connection is not used.
func TestConnectionThatBreaksAtTheWelcomeIsNotUsed(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	s := silentSession(t, n.cfg.Job.Job)
	require.NoError(t, s.Close())
	l := n.links[1]
	l.accept(s)
	require.True(t, l.is(unused))
	require.Nil(t, l.out)

	c := startedCoordinator(t, 2)
	var log []string
	c.cfg.Log = func(line string) { log = append(log, line) }
	c.members[0].state, c.members[0].out = expected, nil
	gone := silentSession(t, c.cfg.Job.Job)
	gone.Peer.Role = wire.Member
	require.NoError(t, gone.Close())
	c.accept(gone)
	require.Nil(t, c.members[0].out)
	require.Len(t, log, 1)
	require.Contains(t, log[0], "dropped: ")
}
