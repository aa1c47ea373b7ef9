package tcp

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
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
	strangers seldom[stranger]
	troubles  seldom[error] // of the listener
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
		if why := plain(err); why == errTaken || why == errNotHere {
			return nil, &AddressError{Address: address, Err: why}
		}
		return nil, fmt.Errorf("tcp: %w", err)
	}
	a := newAcceptor(l, h, secure, log, accepted)
	a.wg.Go(a.acceptAll)
	return a, nil
}

// newAcceptor makes an acceptor that has yet to begin.
func newAcceptor(l net.Listener, h wire.Handshake, secure *tls.Config, log func(string, ...any), accepted func(*wire.Session)) *acceptor {
	return &acceptor{
		listener: l, handshake: h, secure: secure, accepted: accepted,
		strangers: seldom[stranger]{pause: usualPause, tell: func(times int, last stranger) { last.log(times, log) }},
		troubles: seldom[error]{pause: usualPause, tell: func(times int, last error) {
			if times == 1 {
				log("no connection accepted: %v", last)
			} else {
				log("no connection accepted, %d times: %v", times, last)
			}
		}},
	}
}

// stranger is a connection that does not belong to the job.
type stranger struct {
	from net.Addr
	why  error
}

// log says that so many have come, of whom this was the last.
func (s stranger) log(times int, log func(string, ...any)) {
	if times == 1 {
		log("connection from %s dropped: %v", s.from, s.why)
	} else {
		log("%d connections from strangers dropped, the last from %s: %v", times, s.from, s.why)
	}
}

// acceptAll accepts connections until the acceptor is closed.
func (a *acceptor) acceptAll() {
	for {
		conn, err := a.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			a.troubles.note(err)
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
	s, err := a.accept(newSocket(p.Conn))
	switch closed := a.end(p); {
	case closed: // and with it the connection
	case p.evicted:
		a.strangers.note(stranger{p.RemoteAddr(), fmt.Errorf("more than %d handshakes are going on, and it was the oldest", maxPending)})
	case err != nil:
		a.strangers.note(stranger{p.RemoteAddr(), err})
	default:
		a.accepted(s)
	}
}

// accept makes a session of a connection.
func (a *acceptor) accept(conn net.Conn) (*wire.Session, error) {
	if a.secure == nil {
		return a.handshake.Accept(conn)
	}
	secured := tls.Server(conn, a.secure)
	err := conn.SetDeadline(time.Now().Add(encryptionTimeout))
	if err == nil {
		err = secured.Handshake()
	}
	if err == nil {
		return a.handshake.Accept(secured)
	}
	defer conn.Close()
	if refused := (tls.RecordHeaderError{}); errors.As(err, &refused) && wire.PlainHello(refused.RecordHeader[:]) {
		conn.Write(wire.AlertPlain) // then the other side knows why, too
		return nil, wire.ErrEncrypted
	}
	if strings.HasSuffix(err.Error(), badCertificate) || errors.Is(err, errForeignKey) {
		return nil, wire.ErrJob
	}
	return nil, err
}

// badCertificate is how an error ends if the other side does not take the key of this one for that of its job. The type of such errors has no name outside of
// crypto/tls.
const badCertificate = "tls: bad certificate"

// encryptionTimeout is how long it may take until a connection is encrypted. The rest of a handshake has its own limit.
const encryptionTimeout = time.Minute

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
	a.strangers.close()
	a.troubles.close()
}
