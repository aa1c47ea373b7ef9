package tcp

import "time"

// peerHasFailed reports whether a life of the process on the other side is known to be over.
func (l *link) peerHasFailed(life int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.life != life || l.state == peerGone
}

// setPeer says how the process on the other side is. If it has failed nothing more is sent to it; what it
// has sent before still comes in.
func (l *link) setPeer(p peer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.Life > l.life { // its former life is forgotten
		l.state, l.life, l.retry, l.tally = unused, p.Life, time.Time{}, tally{}
		l.disconnect()
	}
	if p.Life < l.life {
		return
	}
	l.address = p.Address
	if p.Failed {
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
	return l.state != peerGone || l.out == nil && !l.opening
}

// close ends the connection; for good, unless the process on the other side is started again.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = peerGone
	l.disconnect()
}
