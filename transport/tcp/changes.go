package tcp

import "time"

// drainPatience is for how long connections of a process that has failed may stay open.
const drainPatience = time.Second

// deliveryPatience is how long it may take until what was sent has been received. It is much: connections may still
// have to be opened, and machines are busy. Nobody is waited for who is known to take nothing any more.
const deliveryPatience = time.Minute

// lookPause is the time between two looks at something that others do.
const lookPause = 200 * time.Microsecond

// applyChanges takes notice of what happens to others, one thing after the other.
func (cc *coordinatorConn) applyChanges() {
	for c := range cc.changes {
		cc.apply(c)
	}
}

// apply takes notice of one change.
func (cc *coordinatorConn) apply(c change) {
	n := cc.node
	if c.Peer != nil {
		n.setPeer(*c.Peer)
	}
	if a := c.After; a != nil && a.Process != n.cfg.Process {
		l, sent := n.others[a.Process], a.Tallies[n.cfg.Process]
		n.waitFor(deliveryPatience, func() bool { return l.hasReceived(sent) })
	}
	for _, rank := range c.Failed {
		n.learn(rank)
	}
	for _, rank := range c.Present {
		n.detector.trust(rank)
	}
	n.version.Store(int64(c.Version))
	n.changed()
}

// setPeer takes notice of how another process is.
func (n *Node) setPeer(p peer) {
	l := n.others[p.Process]
	l.setPeer(p)
	if p.Ended && !n.waitFor(drainPatience, l.drained) && !n.isOver() {
		n.logf("process %d has ended, but its connection has not: closed", p.Process)
		l.close()
	}
}

// waitFor waits until something is so, but not for ever. It counts looks and not time: if the machine does not let
// this goroutine run, others cannot do what it waits for, either.
func (n *Node) waitFor(patience time.Duration, is func() bool) bool {
	for looks := patience / lookPause; !is(); looks-- {
		if looks <= 0 || n.isOver() {
			return false
		}
		time.Sleep(lookPause)
	}
	return true
}

// hasReceived reports whether what the other side has sent has come in, or will never do so because
// the connection is another one by now.
func (l *link) hasReceived(theirs tally) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return theirs.Connection != 0 && theirs.Connection != l.tally.Connection || l.tally.Received >= theirs.Sent
}
