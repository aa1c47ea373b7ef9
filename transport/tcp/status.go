package tcp

import (
	"maps"
	"time"
)

// inform tells the coordinator when the process has nothing to do any more, when it is asked, and
// that it lives.
func (b *boss) inform() {
	var beat <-chan time.Time
	if b.start.Beat > 0 {
		ticker := time.NewTicker(b.start.Beat)
		defer ticker.Stop()
		beat = ticker.C
	}
	defer b.node.calm.timer.Stop()
	probe, seen := 0, int64(0)
	var last *status
	tell := func(s *status) {
		b.tell(control{Status: s})
		last = s
	}
	for {
		select {
		case <-beat:
			b.tell(control{Beat: true})
		case probe = <-b.probes:
			tell(b.node.status(probe))
		case <-b.node.calm.timer.C:
			if !b.node.calm.settled(&seen) {
				continue
			}
			if s := b.node.status(probe); s.Idle && (last == nil || !s.same(last)) {
				tell(s)
			}
		case <-b.gone:
			return
		case <-b.node.over:
			return
		}
	}
}

func (s *status) same(t *status) bool {
	return s.Probe == t.Probe && s.Version == t.Version && s.Idle == t.Idle && s.Received == t.Received && maps.Equal(s.Tallies, t.Tallies)
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
	s.Idle = s.Idle && n.active.Load() == 0 && len(n.boss.changes) == 0
	return s
}

// tallies is what has been handed over to each other process.
func (n *Node) tallies() map[int]tally {
	all := make(map[int]tally)
	for process, l := range n.links {
		l.mu.Lock()
		if l.tally.Sent > 0 {
			all[process] = l.tally
		}
		l.mu.Unlock()
	}
	return all
}
