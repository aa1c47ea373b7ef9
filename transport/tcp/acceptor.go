package tcp

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// acceptor is where connections come in. It lets in who knows the secret, and does not let strangers
// take up room: a handshake has little time, and only so many may be going on.
type acceptor struct {
	listener  net.Listener
	handshake wire.Handshake
	secure    *tls.Config // nil: connections are not encrypted
	log       func(format string, args ...any)
	// accepted takes a session over. It must Welcome or Refuse it.
	accepted func(s *wire.Session)

	wg      sync.WaitGroup
	mu      sync.Mutex
	pending []*pendingConn // in the order in which they came
	closed  bool
}

// pendingConn is a connection whose handshake is going on.
type pendingConn struct {
	net.Conn
	evicted bool // by one that came later
}

// maxPending is how many handshakes may be going on. A host that starts all its processes at once
// makes as many as there are processes.
//
// If there are more, the oldest has to go: whoever belongs to the job is through in little more than
// a round trip, and is not kept out by strangers who take their time.
const maxPending = 512

// acceptAt begins to listen at an address.
func acceptAt(address string, h wire.Handshake, secure *tls.Config, log func(string, ...any), accepted func(*wire.Session)) (*acceptor, error) {
	l, err := net.Listen("tcp", cmp.Or(address, loopback))
	if err != nil {
		return nil, fmt.Errorf("tcp: %w", err)
	}
	a := &acceptor{listener: l, handshake: h, secure: secure, log: log, accepted: accepted}
	a.wg.Go(a.acceptAll)
	return a, nil
}

// acceptAll accepts connections until the acceptor is closed.
func (a *acceptor) acceptAll() {
	for {
		conn, err := a.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			a.log("no connection accepted: %v", err)
			time.Sleep(10 * time.Millisecond) // too many open files, for example: that may pass
			continue
		}
		p := &pendingConn{Conn: conn}
		if !a.begin(p) {
			conn.Close()
			return
		}
		a.wg.Go(func() { a.shakeHands(p) })
	}
}

// shakeHands makes a session of a connection, or drops it.
func (a *acceptor) shakeHands(p *pendingConn) {
	conn := newSocket(p.Conn)
	if a.secure != nil {
		conn = tls.Server(conn, a.secure)
	}
	s, err := a.handshake.Accept(conn)
	switch closed := a.end(p); {
	case closed: // and with it the connection
	case p.evicted:
		a.log("connection from %s dropped: more than %d handshakes are going on, and it was the oldest", p.RemoteAddr(), maxPending)
	case err != nil:
		a.log("connection from %s dropped: %v", p.RemoteAddr(), err)
	default:
		a.accepted(s)
	}
}

// begin notes that a handshake begins, unless the acceptor is closed. If there are too many, the oldest
// ends.
func (a *acceptor) begin(p *pendingConn) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return false
	}
	if len(a.pending) == maxPending {
		oldest := a.pending[0]
		oldest.evicted = true
		oldest.Close()
		a.pending = slices.Delete(a.pending, 0, 1)
	}
	a.pending = append(a.pending, p)
	return true
}

// end notes that a handshake has ended, and says whether the acceptor is closed.
func (a *acceptor) end(p *pendingConn) (closed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.pending, p); i >= 0 {
		a.pending = slices.Delete(a.pending, i, i+1)
	}
	return a.closed
}

// close ends listening and all handshakes.
func (a *acceptor) close() {
	a.listener.Close()
	a.mu.Lock()
	a.closed = true
	for _, p := range a.pending {
		p.Close()
	}
	a.mu.Unlock()
	a.wg.Wait()
}
