package tcp

import "time"

// peerHasFailed reports whether a life of the process on the other side is known to be over.
func (l *link) peerHasFailed(life int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.life != life || l.state == peerGone
}

// peerFailed says that the process has failed. Nothing more is sent to it; what it has sent before
// still comes in.
func (l *link) peerFailed(life int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life == life {
		l.state, l.waiting = peerGone, nil
		if l.out != nil {
			l.out.fail()
		}
	}
}

// drained reports whether nothing will come in any more from a process that has failed.
func (l *link) drained() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state != peerGone || l.out == nil
}

// close ends the connection for good.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = peerGone
	l.disconnect()
}

// peerIsAt says where a process is that has been started again.
func (l *link) peerIsAt(life int, address string) {
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
	l.state, l.life, l.retry, l.tally = unused, life, time.Time{}, tally{}
	l.disconnect()
}
