package tcp

import (
	"fmt"
	"time"
)

// Connections that are opened before the run, if the job is eager.

// connectTimeout is how long it may take to connect to all others.
const connectTimeout = time.Minute

// connectToAll connects to all others: to those with higher numbers from here, and those with lower ones
// do the same.
func (n *Node) connectToAll(peers []peer) error {
	if err := n.setPeers(peers); err != nil {
		return err
	}
	until := time.Now().Add(connectTimeout)
	for process, l := range n.others {
		if process == n.cfg.Process || peers[process].Failed {
			continue
		}
		if process > n.cfg.Process {
			l.connect()
		}
		if !n.waitFor(time.Until(until), l.connected) {
			return fmt.Errorf("no connection with process %d", process)
		}
	}
	return nil
}

// connect opens a connection without having anything to send.
func (l *link) connect() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == unused {
		l.beginDialing()
	}
}

func (l *link) connected() bool { return l.is(open) }
