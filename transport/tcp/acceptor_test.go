package tcp

import (
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// scripted is a listener to which the test says what comes.
type scripted struct {
	net.Listener
	come chan func() (net.Conn, error)
}

func (s *scripted) Accept() (net.Conn, error) { return (<-s.come)() }

// closable is a connection of which only the end is of interest.
type closable struct {
	net.Conn
	closed int
}

func (c *closable) Close() error {
	c.closed++
	return nil
}

// Too many open files, for example, may pass: the next connection is let in.
func TestErrorsOfAListenerMayPass(t *testing.T) {
	job := wire.NewJob()
	l := &scripted{come: make(chan func() (net.Conn, error), 3)}
	var log []string
	accepted := make(chan *wire.Session, 1)
	a := newAcceptor(l, wire.Handshake{Job: job}, nil, func(format string, _ ...any) { log = append(log, format) }, func(s *wire.Session) { accepted <- s })
	defer a.troubles.close()
	here, there := net.Pipe()
	defer here.Close()
	l.come <- func() (net.Conn, error) { return nil, errors.New("too many open files") }
	l.come <- func() (net.Conn, error) { return there, nil }
	l.come <- func() (net.Conn, error) { return nil, net.ErrClosed }
	a.acceptAll() // until it is closed
	go wire.Handshake{Job: job}.Connect(here)
	s := <-accepted
	require.NoError(t, s.Close())
	a.wg.Wait()
	require.Equal(t, []string{"no connection accepted: %v"}, log)
	require.Empty(t, a.pending, "its handshake is over")
}

// A connection that comes when the acceptor is being closed is not taken.
func TestClosedAcceptorTakesNoConnection(t *testing.T) {
	l := &scripted{come: make(chan func() (net.Conn, error), 1)}
	a := &acceptor{listener: l, closed: true}
	var conn closable
	l.come <- func() (net.Conn, error) { return &conn, nil }
	a.acceptAll()
	require.Equal(t, 1, conn.closed)
	require.Empty(t, a.pending)
}

// Whoever closes an acceptor ends the handshakes that are going on, and no other begins.
func TestHandshakesEndWithTheAcceptor(t *testing.T) {
	l, err := net.Listen("tcp", loopback)
	require.NoError(t, err)
	a := &acceptor{listener: l}
	first, second, late := new(closable), new(closable), new(closable)
	require.True(t, a.begin(&pendingConn{Conn: first}))
	require.True(t, a.begin(&pendingConn{Conn: second}))
	a.close()
	require.Equal(t, []int{1, 1}, []int{first.closed, second.closed})
	require.False(t, a.begin(&pendingConn{Conn: late}))
	require.True(t, a.end(a.pending[0]))
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
}

// The oldest handshake ends if there are too many, and no other one.
func TestOldestHandshakeHasToGo(t *testing.T) {
	var a acceptor
	var conns []*closable
	var pending []*pendingConn
	for range maxPending {
		conns = append(conns, new(closable))
		pending = append(pending, &pendingConn{Conn: conns[len(conns)-1]})
		require.True(t, a.begin(pending[len(pending)-1]))
	}
	for _, c := range conns {
		require.Zero(t, c.closed, "so many may be going on")
	}
	require.False(t, a.end(pending[5]))
	require.True(t, a.begin(pending[5]), "one has ended, so there is room")
	require.Zero(t, conns[0].closed)
	next := &pendingConn{Conn: new(closable)}
	require.True(t, a.begin(next))
	require.Len(t, a.pending, maxPending)
	for i, c := range conns {
		require.Equal(t, i == 0, c.closed == 1, i)
		require.Equal(t, i == 0, pending[i].evicted, i)
	}
	require.False(t, a.end(pending[0]), "it is on the list no more")
	require.Len(t, a.pending, maxPending)
	require.Same(t, next, a.pending[maxPending-1])
	a.closed = true
	require.True(t, a.end(next))
	require.False(t, a.begin(next))
}

func TestAddressThatIsTakenIsAnError(t *testing.T) {
	n := listening(t, Config{Job: pairOfProcesses()})
	_, err := Listen(Config{Job: pairOfProcesses(), Listen: n.Addr().String()})
	require.EqualError(t, err, "tcp: nobody can listen at "+n.Addr().String()+": the port is taken, want a free one")
	_, err = NewCoordinator(CoordinatorConfig{Job: pairOfProcesses(), Listen: n.Addr().String()})
	require.EqualError(t, err, "tcp: nobody can listen at "+n.Addr().String()+": the port is taken, want a free one")
}
