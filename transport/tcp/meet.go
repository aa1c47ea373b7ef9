package tcp

import (
	"fmt"
	"time"
)

// introduce says where the other processes are.
func (n *Node) introduce(peers []peer) error {
	if len(peers) != n.cfg.Processes {
		return fmt.Errorf("a job of %d processes, want %d", len(peers), n.cfg.Processes)
	}
	for process, p := range peers {
		l := n.links[process]
		l.back(p.Life, p.Address)
		if p.Gone {
			l.lose(p.Life)
		}
	}
	return nil
}

// meeting is how long it may take to connect to all others.
const meeting = 30 * time.Second

// meet connects to all others: to those with higher numbers from here, and those with lower ones
// do the same.
func (n *Node) meet(peers []peer) error {
	if err := n.introduce(peers); err != nil {
		return err
	}
	until := time.Now().Add(meeting)
	for process, l := range n.links {
		if process == n.cfg.Process || peers[process].Gone {
			continue
		}
		if process > n.cfg.Process {
			l.connect()
		}
		for ; !l.isOpen(); time.Sleep(time.Millisecond) {
			if time.Now().After(until) || n.isOver() {
				return fmt.Errorf("no connection with process %d", process)
			}
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

func (l *link) isOpen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == open
}
