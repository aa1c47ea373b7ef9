package tcp

import (
	"cmp"
	"sync"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// intake is what comes over one connection. Its own goroutine takes it in when the kernel wakes it; a rank that waits may look for
// itself, which saves both wakes: that of the goroutine, and its own.
type intake struct {
	link    *link
	session *wire.Session
	socket  *socket // nil: only its own goroutine can read, and waits

	mu    sync.Mutex
	ended error // why nothing more comes
}

// newIntake is where what comes over a connection is taken in. From now on its socket is read without waiting.
func newIntake(l *link, s *wire.Session) *intake {
	in := &intake{link: l, session: s, socket: socketOf(s)}
	if in.socket != nil {
		in.socket.eager = true
	}
	return in
}

// run takes in what comes until nothing more does, and returns why.
func (in *intake) run() error {
	if in.socket == nil {
		return in.take() // which waits
	}
	for {
		if err := in.take(); err != nil { // before the first wait: something may have come with the handshake
			return err
		}
		if err := in.socket.wait(); err != nil {
			return in.end(err)
		}
	}
}

// end notes why nothing more comes, unless a rank has found out before.
func (in *intake) end(err error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ended = cmp.Or(in.ended, err)
	return in.ended
}

// take takes in what has come. It returns an error if nothing more will.
func (in *intake) take() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.takeAll()
}

func (in *intake) takeAll() error {
	for in.ended == nil {
		f, err := in.session.ReadFrame()
		if err == wire.ErrNotYet {
			return nil
		}
		if err == nil {
			err = in.link.node.deliver(in.link.process, &f)
		}
		if err == nil {
			in.link.count(in.session)
			in.link.node.watch.heard.Store(in)
		}
		in.ended = err
	}
	return in.ended
}

// look is take for a rank that waits: it reads once, as much as that brings, so that it cannot be kept from what it waits for by all
// that comes for others. It returns false if nothing more will come.
func (in *intake) look() bool {
	if in.takeOnce() == nil {
		return true
	}
	in.session.Close() // for which its goroutine waits, that sees to the rest
	return false
}

func (in *intake) takeOnce() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.socket.once = true
	defer func() { in.socket.once = false }()
	return in.takeAll()
}

// count notes that a message has come over a connection.
func (l *link) count(s *wire.Session) {
	l.mu.Lock()
	l.received++
	if l.tally.Connection == s.Number {
		l.tally.Received++
	}
	l.mu.Unlock()
	l.node.changed()
}
