package tcp

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

const patience = 3 * time.Minute

// sessions returns both sides of one.
func sessions(t *testing.T) (a, b *wire.Session) {
	t.Helper()
	l, err := net.Listen("tcp", loopback)
	require.NoError(t, err)
	defer l.Close()
	h := wire.Handshake{Job: wire.NewJob()}
	var wg sync.WaitGroup
	wg.Go(func() { b = welcome(h, l) })
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	a, err = h.Connect(newSocket(conn))
	require.NoError(t, err)
	wg.Wait()
	require.NotNil(t, b)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// welcome lets the next one in, or returns nil.
func welcome(h wire.Handshake, l net.Listener) *wire.Session {
	conn, err := l.Accept()
	if err != nil {
		return nil
	}
	s, err := h.Accept(newSocket(conn))
	if err != nil || s.Welcome() != nil {
		return nil
	}
	return s
}

func bigFrame(number int64) wire.Frame {
	return wire.Frame{Type: wire.Message, Message: mailbox.Message{A: number, Payload: strings.Repeat("x", 1<<20)}}
}

func TestOutboxDoesNotWaitForTheOtherSide(t *testing.T) {
	t.Parallel()
	a, b := sessions(t)
	o := newOutbox(a, func() {})
	defer o.close()
	for i := range int64(30) {
		o.send(bigFrame(i)) // much more than the kernel takes
	}
	require.False(t, o.empty())
	for i := range int64(30) {
		f, err := b.ReadFrame()
		require.NoError(t, err)
		require.Equal(t, bigFrame(i), f)
	}
	o.flush(patience)
	require.True(t, o.empty())
}

func TestOutboxWaitsIfVeryMuchIsWaiting(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(o *outbox, b *wire.Session){
		"until it is read":        func(_ *outbox, b *wire.Session) { go readAll(b) },
		"until it is given up":    func(o *outbox, _ *wire.Session) { o.fail() },
		"until it is closed":      func(o *outbox, _ *wire.Session) { o.close() },
		"until others close it":   func(_ *outbox, b *wire.Session) { b.Close() },
		"until patience runs out": func(o *outbox, _ *wire.Session) { o.flush(time.Millisecond) },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := sessions(t)
			o := newOutbox(a, func() {})
			defer o.close()
			o.limit = 2 << 20
			const frames = 40
			var sent atomic.Int64
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range frames {
					o.send(bigFrame(0))
					sent.Add(1)
				}
			}()
			awaitStuck(t, &sent)
			require.Less(t, sent.Load(), int64(frames))
			end(o, b)
			select {
			case <-done:
			case <-time.After(patience):
				require.Fail(t, "somebody still waits")
			}
		})
	}
}

// awaitStuck waits until somebody who counts what was sent has begun and does not go on.
func awaitStuck(t *testing.T, sent *atomic.Int64) {
	t.Helper()
	const pause = 300 * time.Millisecond // on a busy machine, whoever is not stuck may be slow
	until := time.Now().Add(patience)
	for before := int64(0); before == 0 || before != sent.Load(); time.Sleep(pause) {
		require.True(t, time.Now().Before(until), "nobody is stuck")
		before = sent.Load()
	}
}

func readAll(s *wire.Session) {
	for {
		if _, err := s.ReadFrame(); err != nil {
			return
		}
	}
}

var errEnough = errors.New("enough")

// A rank that waits because another process reads nothing ends when everything does. Here the test
// plays that process.
func TestCancelEndsRanksThatWaitToSend(t *testing.T) {
	t.Parallel()
	job := Job{Job: wire.NewJob(), LogP: clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, Processes: 2, Tick: time.Millisecond}
	c, err := NewCoordinator(CoordinatorConfig{Job: job})
	require.NoError(t, err)
	defer c.Close()
	l, err := net.Listen("tcp", loopback)
	require.NoError(t, err)
	defer l.Close()

	conn, err := net.Dial("tcp", c.Addr().String())
	require.NoError(t, err)
	h := wire.Handshake{Job: job.Job, Self: wire.Identity{Role: wire.Member, Process: 1}}
	member, err := h.Connect(conn)
	require.NoError(t, err)
	defer member.Close()
	f := control{Join: &joining{Address: l.Addr().String()}}.frame()
	require.NoError(t, member.WriteFrame(&f))

	n, err := Listen(Config{Job: job})
	require.NoError(t, err)
	defer n.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	ends := make(chan error, 1)
	var sent atomic.Int64
	go func() {
		if err := n.Join(ctx, c.Addr().String()); err != nil {
			ends <- err
			return
		}
		ends <- n.Run(ctx, protocols.Program{Main: func(p protocols.Proc) {
			p.Send(1, mailbox.Message{})
			for limited(n.links[1], 1<<20) == false {
				p.WaitUntil(p.Now() + 1)
			}
			for {
				p.Send(1, bigFrame(0).Message)
				sent.Add(1)
			}
		}}, nil)
	}()
	err = c.Start(ctx, 0)
	require.NoError(t, err)
	h.Self.Role = wire.Peer
	peer := welcome(h, l)
	require.NotNil(t, peer)
	defer peer.Close()
	awaitStuck(t, &sent)
	cancel(errEnough)
	select {
	case err := <-ends:
		require.ErrorIs(t, err, errEnough)
	case <-time.After(patience):
		require.Fail(t, "the rank still waits")
	}
}

// limited sets the limit on what may wait for a connection, if there is one.
func limited(l *link, limit int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != open {
		return false
	}
	l.out.mu.Lock()
	defer l.out.mu.Unlock()
	l.out.limit = limit
	return true
}

// slowly is a connection whose writes wait until they may go on, and always succeed.
type slowly struct {
	net.Conn
	begun, may chan struct{}
}

func (s slowly) Write(text []byte) (int, error) {
	s.begun <- struct{}{}
	<-s.may
	return len(text), nil
}

// That the last write still succeeds does not bring back what was given up.
func TestOutboxThatIsGivenUpStaysSo(t *testing.T) {
	t.Parallel()
	a, _ := sessions(t)
	conn := slowly{a.Conn, make(chan struct{}), make(chan struct{})}
	a.Conn = conn
	emptied := make(chan struct{})
	o := newOutbox(a, func() { close(emptied) })
	o.send(wire.Frame{Type: wire.Message})
	<-conn.begun
	o.fail()
	close(conn.may)
	<-emptied
	require.True(t, o.failed)
	o.send(wire.Frame{Type: wire.Message})
	require.True(t, o.empty(), "nobody writes")
}

// A process that dies in a send leaves half a message behind, which is none, unless there is something to be sent before.
func TestHalfAMessageIsNone(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(o *outbox){
		"half":                 func(*outbox) {},
		"something is waiting": func(o *outbox) { o.writing = true },
		"it is given up":       func(o *outbox) { o.failed = true },
	} {
		a, b := sessions(t)
		o := newOutbox(a, func() {})
		whole := wire.Frame{Type: wire.Message, Message: mailbox.Message{A: 1}}
		o.send(whole)
		spoil(o)
		o.sendHalf(wire.Frame{Type: wire.Message, Message: mailbox.Message{A: 2}})
		require.NoError(t, a.Close())
		f, err := b.ReadFrame()
		require.NoError(t, err)
		require.Equal(t, whole, f)
		_, err = b.ReadFrame()
		if name == "half" {
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		} else {
			require.ErrorIs(t, err, io.EOF, name)
		}
	}
}

// What was handed over while a connection was being opened is given to the kernel before a process fails, if it
// can be.
func TestFlushWaitsForTheConnection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then func(t *testing.T, l *link)
		left linkState
	}{
		"opened":    {func(t *testing.T, l *link) { l.conclude(silentSession(t, l.node.cfg.Job.Job), nil, 0, true) }, open},
		"in vain":   {func(_ *testing.T, l *link) { l.conclude(nil, wire.ErrSecret, 0, true) }, unused},
		"it failed": {func(_ *testing.T, l *link) { l.setPeer(peer{Process: 1, Failed: true}) }, peerGone},
	} {
		t.Run(name, func(t *testing.T) {
			l := listening(t, Config{Job: pairOfProcesses()}).links[1]
			l.state, l.waiting = dialing, []wire.Frame{{Type: wire.Message}}
			flushed := make(chan struct{})
			go func() {
				defer close(flushed)
				l.flush(patience)
			}()
			select {
			case <-flushed:
				require.Fail(t, "nobody has waited")
			case <-time.After(5 * time.Millisecond):
			}
			c.then(t, l)
			<-flushed
			require.True(t, l.is(c.left))
			if c.left == open {
				require.True(t, l.out.empty())
			}
		})
	}
}

// Whoever waits for what is not taken has enough after a while.
func TestFlushDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	a, _ := sessions(t)
	o := newOutbox(a, func() {})
	defer o.close()
	for range 30 {
		o.send(bigFrame(0))
	}
	l := listening(t, Config{Job: pairOfProcesses()}).links[1]
	l.state, l.out = open, o
	l.flush(time.Millisecond)
	o.mu.Lock()
	require.True(t, o.failed)
	o.mu.Unlock()
	o.send(bigFrame(0))
	l.state, l.out = unused, nil
	l.flush(time.Millisecond)
}

// What a coordinator has told a process at the end is on its way before the connection is closed, also if it is
// encrypted, so that the kernel does not get it at once.
func TestCoordinatorIsClosedWhenProcessesHaveHeardTheLastOfIt(t *testing.T) {
	t.Parallel()
	c := startedCoordinator(t, 1)
	m := c.members[0]
	m.out.close()
	here, there := net.Pipe() // which takes only what is read
	h := wire.Handshake{Job: c.cfg.Job.Job}
	heard, read := make(chan control, 1), make(chan struct{})
	go func() {
		defer close(heard)
		s, err := h.Connect(there)
		<-read
		if err == nil {
			msg, _ := readControl(s)
			heard <- msg
		}
	}()
	s, err := h.Accept(here)
	require.NoError(t, err)
	require.NoError(t, s.Welcome())
	m.state, m.out = done, newOutbox(s, func() {})
	m.tell(control{Delivered: true})
	closed := make(chan error, 1)
	go func() { closed <- c.Close() }()
	time.Sleep(5 * time.Millisecond)
	close(read)
	require.True(t, (<-heard).Delivered)
	require.NoError(t, <-closed)
}
