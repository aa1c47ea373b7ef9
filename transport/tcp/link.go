package tcp

import (
	"sync"
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
// and none comes out of order. Nor does one if a connection breaks and another takes its place: what
// has come over the former is delivered first.
type link struct {
	node    *Node
	process int

	mu      sync.Mutex
	state   linkState
	address string
	life    int // of the process on the other side
	out     *outbox
	dialled bool         // the connection was opened from here
	opening bool         // one is being opened from here, perhaps in vain
	waiting []wire.Frame // handed over before there is a connection
	retry   time.Time    // when refused: not to be tried again before

	tally    tally // of the connection, or of the next one
	received int64 // messages, over all connections
	readers  int   // connections that something may still come from, those given up included

	dropped seldom[error] // connections

	lastRead <-chan struct{} // closed when nothing more comes from the last connection; nil: there was none
}

type linkState uint8

const (
	unused  linkState = iota // there is no connection
	dialing                  // this side opens one, or waits for that of the other side
	open
	peerGone // the other side has failed: nothing more goes there
)

// newLink is that to another process, without a connection.
func (n *Node) newLink(process int) *link {
	l := &link{node: n, process: process}
	l.dropped = seldom[error]{pause: usualPause, tell: func(times int, last error) {
		if times == 1 {
			n.logf("process %d: connection dropped: %v", process, last)
		} else {
			n.logf("process %d: %d connections dropped, the last: %v", process, times, last)
		}
	}}
	return l
}

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
	case peerGone:
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

// sendHalf sends the first half of a message.
func (l *link) sendHalf(f wire.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == open {
		l.out.sendHalf(f)
	}
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
	case peerGone:
		ok = true
	}
	return l.tally, l.received, ok
}

// stopWaiting lets nobody wait any more until something has been sent: the run is over.
func (l *link) stopWaiting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out != nil {
		l.out.fail()
	}
}

// flush gives the kernel what was sent, before this process ends.
func (l *link) flush(patience time.Duration) {
	until := time.Now().Add(patience)
	l.node.waitFor(patience, func() bool { return !l.is(dialing) })
	l.mu.Lock()
	state, out := l.state, l.out
	l.mu.Unlock()
	if state == open {
		out.flush(time.Until(until))
	}
}

func (l *link) is(state linkState) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == state
}
