package tcp

import (
	"reflect"
	"time"
)

// inform tells the coordinator when the process has nothing to do any more, when it is asked, and
// that it lives.
func (cc *coordinatorConn) inform() {
	var beat <-chan time.Time
	if cc.start.Beat > 0 {
		ticker := time.NewTicker(cc.start.Beat)
		defer ticker.Stop()
		beat = ticker.C
	}
	defer cc.node.idleTimer.timer.Stop()
	probe, seen := 0, int64(0)
	var last *status
	tell := func(s *status) {
		cc.tell(control{Status: s})
		last = s
	}
	for {
		select {
		case <-beat:
			cc.tell(control{Beat: true})
		case probe = <-cc.probes:
			tell(cc.node.status(probe))
		case <-cc.node.idleTimer.timer.C:
			if !cc.node.idleTimer.unchanged(&seen) {
				continue
			}
			if s := cc.node.status(probe); s.Idle && !reflect.DeepEqual(s, last) {
				tell(s)
			}
		case <-cc.gone:
			return
		case <-cc.node.over:
			return
		}
	}
}

// status says whether the process is idle, and what it has sent and received.
func (n *Node) status(probe int) *status {
	s := &status{Probe: probe, Version: int(n.version.Load()), Tallies: make(map[int]tally)}
	s.Idle = n.active.Load() == 0
	for process, l := range n.links {
		t, received, settled := l.settled()
		if t != (tally{}) {
			s.Tallies[process] = t
		}
		s.Received += received
		s.Idle = s.Idle && settled
	}
	s.Idle = s.Idle && n.active.Load() == 0 && len(n.coordinator.changes) == 0
	return s
}

// deactivate says that a rank waits for a message and nothing else, or has ended.
func (n *Node) deactivate() {
	if n.active.Add(-1) == 0 {
		n.changed()
	}
}

// activate says that a rank may do something of its own accord again.
func (n *Node) activate() { n.active.Add(1) }

// changed says that something has changed that may make the process idle.
func (n *Node) changed() { n.idleTimer.changed() }
