package tcp

import (
	"reflect"
	"time"
)

// A rank that waits for its next message makes its process idle, too, again and again; telling others each
// time would cost far more than the messages do. So the process looks whether it is idle only if nothing has
// changed for a while, which is twice as long after each look that came too soon.
const (
	shortestPause = 2 * time.Millisecond
	longestPause  = 50 * time.Millisecond
)

// inform tells the coordinator when the process has nothing to do any more, when it is asked, and
// that it lives.
func (cc *coordinatorConn) inform() {
	n := cc.node
	beat := time.Tick(cc.start.Beat) // nil if no signs of life are wanted
	var look <-chan time.Time        // when to look again
	poke, pause := n.poke, shortestPause
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
			tell(n.status(probe))
		case <-poke:
			poke, look = nil, time.After(pause) // what changes meanwhile wakes nobody
		case <-look:
			if changes := n.changes.Load(); changes != seen {
				seen, pause = changes, longer(pause)
				look = time.After(pause)
				continue
			}
			poke, pause = n.poke, shortestPause
			if s := n.status(probe); s.Idle && !reflect.DeepEqual(s, last) {
				tell(s)
			}
		case <-cc.gone:
			return
		case <-n.over:
			return
		}
	}
}

// longer is the pause after one that was too short.
func longer(pause time.Duration) time.Duration { return min(longestPause, 2*pause) }

// status says whether the process is idle, and what it has sent and received.
func (n *Node) status(probe int) *status {
	s := &status{Probe: probe, Version: int(n.version.Load()), Tallies: make(map[int]tally)}
	s.Idle = n.active.Load() == 0
	for process, l := range n.others {
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

// changed says that something has changed that may make the process idle. It is called for every message.
func (n *Node) changed() {
	n.changes.Add(1)
	select {
	case n.poke <- struct{}{}:
	default:
	}
}
