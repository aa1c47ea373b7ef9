package tcp

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// read receives messages until the connection ends. It begins when the reader of the former connection,
// which is closed by now, is done.
func (l *link) read(s *wire.Session, former <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	defer s.Close()
	if former != nil {
		<-former
	}
	select {
	case <-l.node.ready:
	case <-l.node.over:
	}
	l.end(s, newIntake(l, s).run())
}

// end notes that a connection has ended.
func (l *link) end(s *wire.Session, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.readers--
	if l.out == nil || l.out.session != s {
		l.node.changed() // there is another one
		return
	}
	if l.state == open {
		if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
			err = nil // nothing unusual
		}
		l.drop(err)
	} else {
		l.disconnect()
	}
}

// failureGrace is how long a broken connection may mean that the process has failed.
const failureGrace = time.Second

// drop gives up the connection and what has not been sent. An error is worth a line, unless it is
// what happens to connections when a process fails: that is to be heard of soon.
func (l *link) drop(err error) {
	life := l.life
	switch {
	case err == nil:
	case errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		time.AfterFunc(failureGrace, func() {
			if !l.peerHasFailed(life) && !l.node.isOver() {
				l.log(err)
			}
		})
	default:
		l.log(err)
	}
	l.state, l.tally = unused, tally{}
	l.disconnect()
}

// log writes a line about a connection that was dropped or refused. The other side may try again as often as it likes.
func (l *link) log(err error) { l.dropped.note(err) }

// disconnect closes the connection, if there is one, and gives up what was to go over it.
func (l *link) disconnect() {
	if l.out != nil {
		l.out.close()
		l.out = nil
	}
	l.waiting = nil
	l.node.changed()
}
