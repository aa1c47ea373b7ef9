package tcp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

const (
	dialPatience     = time.Minute            // how long to try again if the other side refuses, or is busy
	dialPause        = 5 * time.Millisecond   // and how often
	unreachablePause = 100 * time.Millisecond // how long not to try a process that cannot be reached
)

// beginDialing opens a connection, which takes a while.
func (l *link) beginDialing() {
	l.state, l.opening = dialing, true
	address, life := l.address, l.life
	l.node.background(func() { l.dial(address, life) })
}

// dial opens a connection.
func (l *link) dial(address string, life int) {
	for until := time.Now().Add(dialPatience); ; {
		session, err := l.node.dial(l.node.open, address, wire.Peer, l.process, life)
		if l.conclude(session, err, life, time.Now().Before(until)) {
			return
		}
		time.Sleep(dialPause)
	}
}

// conclude is about how an attempt to open a connection went. It returns false if there should be
// another one.
func (l *link) conclude(session *wire.Session, err error, life int, patient bool) (done bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil && l.life == life && l.state == peerGone: // what it has sent before still comes in
		l.use(session, true)
		l.state = peerGone
		l.out.fail()
	case l.life != life || l.state != dialing: // the other side was faster, or has failed
		if err == nil {
			session.Close()
		}
	case err == nil:
		l.use(session, true)
	case patient && mayPass(err):
		return false
	default:
		l.drop(fmt.Errorf("%s cannot be reached: %w", l.address, err))
		l.retry = time.Now().Add(unreachablePause)
	}
	l.opening = false
	return true
}

// mayPass reports whether another attempt to open a connection may go better: the other side has
// refused, or so many try to get in that it has dropped some of them, or it is too busy.
func mayPass(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout() || errors.Is(err, wire.ErrRefused) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// accept decides about a connection that the other side has opened.
func (l *link) accept(s *wire.Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch life := s.Peer.Life; {
	case life < l.life || life == l.life && l.state == peerGone:
		l.log(fmt.Errorf("its life %d is over", life))
		s.Refuse("this life of yours is over")
		return
	case life > l.life:
		l.log(fmt.Errorf("its life %d is not known of here", life)) // yet: it will try again
		s.Refuse("this life of yours is not known of yet")
		return
	case (l.state == dialing || l.state == open && l.dialled) && l.node.cfg.Process < l.process:
		s.Refuse("use the connection that is being opened from here")
		return
	}
	if err := s.Welcome(); err != nil {
		l.log(err)
		return
	}
	if l.state == open {
		l.out.close() // the other side has given it up
	}
	l.use(s, false)
}

// use makes a session the connection of this link.
func (l *link) use(s *wire.Session, dialled bool) {
	l.state, l.out, l.dialled = open, newOutbox(s, l.node.changed), dialled
	waiting := l.waiting
	l.waiting = nil
	l.tally = tally{Connection: s.Number, Sent: int64(len(waiting))}
	if len(waiting) > 0 {
		l.out.send(waiting...)
	}
	l.node.changed()
	former, done := l.lastRead, make(chan struct{})
	if !l.node.background(func() { l.read(s, former, done) }) {
		s.Close()
		return
	}
	l.readers++
	l.lastRead = done
}

const dialTimeout = time.Minute

// dial opens a connection to another process, or to the coordinator.
func (n *Node) dial(ctx context.Context, address string, role wire.Role, process, life int) (*wire.Session, error) {
	if address == "" {
		return nil, errors.New("it was never started")
	}
	conn, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	conn = newSocket(conn)
	plain := conn
	defer context.AfterFunc(ctx, func() { plain.Close() })()
	if n.secure != nil {
		conn = tls.Client(conn, n.secure)
	}
	s, err := n.handshake(role).Connect(conn)
	if err != nil {
		return nil, err
	}
	if s.Peer.Process != process || s.Peer.Life != life {
		s.Close()
		return nil, fmt.Errorf("process %d in life %d is there, want process %d in life %d", s.Peer.Process, s.Peer.Life, process, life)
	}
	return s, nil
}
