package tcp

import (
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// link is the way to another process: one connection for all ranks on both sides, opened when
// there is something to send.
//
// If both sides open one at the same time, that of the process with the lower number counts: it
// refuses the other's, also if that comes a little later. Who is refused tries again until the
// other side's connection is there, for it may be that only one side knows that they had one. No
// frame of a message goes over a connection before both sides have settled on it, so none is lost
// and none comes out of order.
type link struct {
	node    *Node
	process int

	mu      sync.Mutex
	state   linkState
	address string
	life    int // of the process on the other side
	out     *outbox
	dialled bool         // the connection was opened from here
	waiting []wire.Frame // handed over before there is a connection
	retry   time.Time    // when refused: not to be tried again before

	tally    tally // of the connection, or of the next one
	received int64 // messages, over all connections
	readers  int   // connections that something may still come from, those given up included
}

type linkState uint8

const (
	unused  linkState = iota // there is no connection
	dialing                  // this side opens one, or waits for that of the other side
	open
	lost // the other side has failed: nothing more goes there
)

const (
	invitation = 30 * time.Second       // how long to try again if the other side refuses, or is busy
	again      = 5 * time.Millisecond   // and how often
	refusal    = 100 * time.Millisecond // how long not to try a process that cannot be reached
	benefit    = time.Second            // how long a broken connection may mean that the process has failed
)

// send hands over a message. One to a process that cannot be reached is lost.
func (l *link) send(f wire.Frame) {
	if out := l.handOver(f); out != nil {
		out.send(f) // without the lock: it may have to wait
	}
}

// handOver keeps a message until there is a connection, or returns where to write it.
func (l *link) handOver(f wire.Frame) *outbox {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.state {
	case open:
		l.tally.Sent++
		return l.out
	case lost:
		return nil
	case unused:
		if time.Now().Before(l.retry) {
			return nil
		}
		l.beginDialing()
	}
	l.tally.Sent++
	l.waiting = append(l.waiting, f)
	return nil
}

// half sends the first half of a message.
func (l *link) half(f wire.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == open {
		l.out.half(f)
	}
}

// read receives messages until the connection ends.
func (l *link) read(s *wire.Session) {
	defer s.Close()
	select {
	case <-l.node.ready:
	case <-l.node.over:
	}
	for {
		f, err := s.ReadFrame()
		if err == nil {
			err = l.node.deliver(l.process, &f)
		}
		if err != nil {
			l.end(s, err)
			return
		}
		l.mu.Lock()
		l.received++
		if l.tally.Connection == s.Number {
			l.tally.Received++
		}
		l.mu.Unlock()
		l.node.stir()
	}
}

// end notes that a connection has ended.
func (l *link) end(s *wire.Session, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.readers--
	if l.out == nil || l.out.session != s {
		l.node.stir() // there is another one
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

// drop gives up the connection and what has not been sent. An error is worth a line, unless it is
// what happens to connections when a process fails: that is to be heard of soon.
func (l *link) drop(err error) {
	life := l.life
	switch {
	case err == nil:
	case errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		time.AfterFunc(benefit, func() {
			if !l.hasFailed(life) && !l.node.isOver() {
				l.log(err)
			}
		})
	default:
		l.log(err)
	}
	l.state, l.tally = unused, tally{}
	l.disconnect()
}

func (l *link) log(err error) {
	l.node.logf("process %d: connection dropped: %v", l.process, err)
}

// hasFailed reports whether a life of the process on the other side is known to be over.
func (l *link) hasFailed(life int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.life != life || l.state == lost
}

func (l *link) disconnect() {
	if l.out != nil {
		l.out.close()
		l.out = nil
	}
	l.waiting = nil
	l.node.stir()
}

// lose says that the process has failed. Nothing more is sent to it; what it has sent before
// still comes in.
func (l *link) lose(life int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life == life {
		l.state, l.waiting = lost, nil
		if l.out != nil {
			l.out.fail()
		}
	}
}

// drained reports whether nothing will come in any more from a process that has failed.
func (l *link) drained() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state != lost || l.out == nil
}

// close ends the connection for good.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = lost
	l.disconnect()
}

// back says where a process is that has been started again.
func (l *link) back(life int, address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if life > l.life {
		l.beginAnew(life)
	}
	if life == l.life {
		l.address = address
	}
}

// beginAnew forgets the former life of the process on the other side.
func (l *link) beginAnew(life int) {
	if l.out != nil {
		l.out.close()
		l.out = nil
	}
	l.state, l.life, l.waiting, l.retry = unused, life, nil, time.Time{}
	l.tally = tally{}
}

// settled reports whether nothing waits to be sent and nothing comes from former connections, and
// how much was sent and received.
func (l *link) settled() (t tally, received int64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.state {
	case unused:
		ok = l.readers == 0
	case open:
		ok = l.readers == 1 && l.out.empty()
	case lost:
		ok = true
	}
	return l.tally, l.received, ok
}

// release lets nobody wait any more until something has been sent: the run is over.
func (l *link) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out != nil {
		l.out.fail()
	}
}

// flush gives the kernel what was sent, before this process ends.
func (l *link) flush(patience time.Duration) {
	until := time.Now().Add(patience)
	for {
		l.mu.Lock()
		state, out := l.state, l.out
		l.mu.Unlock()
		switch {
		case state == open:
			out.flush(time.Until(until))
			return
		case state != dialing, time.Now().After(until):
			return
		}
		time.Sleep(time.Millisecond)
	}
}
