package tcp

import (
	"maps"
	"sync"
)

// endIfIdle decides whether the run is over: all processes are idle, they have received what was
// sent to them, and when they are asked again nothing has changed.
func (c *Coordinator) endIfIdle() {
	if !c.started || c.over {
		return
	}
	if c.holds > 0 || !c.allIdle() {
		c.first = nil
		return
	}
	received := make(map[int]int64)
	answered := true
	for _, m := range c.members {
		if m.live() {
			received[m.process] = m.status.Received
			answered = answered && m.status.Probe == c.probe
		}
	}
	switch {
	case c.first != nil && !answered:
		return // somebody has yet to answer
	case !c.nothingUnderWay():
		c.first = nil
		return
	case maps.Equal(received, c.first), len(received) == 0:
		c.end()
		return
	}
	c.first = received
	c.probe++
	c.broadcast(control{Probe: c.probe})
}

// allIdle reports whether every process has nothing to do, as far as it knows and has said.
func (c *Coordinator) allIdle() bool {
	for _, m := range c.members {
		switch {
		case m.state == expected:
			return false // it is being started again
		case m.state == hanging && c.cfg.Timeout != 0:
			return false // somebody is yet to notice
		case m.live() && (m.status == nil || !m.status.Idle || m.status.Version != c.version):
			return false
		}
	}
	return true
}

// nothingUnderWay reports whether nothing is under way between two processes that are idle.
func (c *Coordinator) nothingUnderWay() bool {
	for _, m := range c.members {
		for _, other := range c.members {
			if m.live() && other != m && !c.received(other, m) {
				return false
			}
		}
	}
	return true
}

// received reports whether a process has received all that another one has sent to it. Of one that
// has ended all has been received when its connections are closed, for which processes wait before
// they say that they know of its end.
func (c *Coordinator) received(from, by *member) bool {
	got := by.status.Tallies[from.process]
	switch {
	case from.live():
		if from.status == nil {
			return false
		}
		sent := from.status.Tallies[by.process]
		return sent.Connection == got.Connection && sent.Sent == got.Received
	case from.state == hanging:
		sent := from.words.Tallies[by.process]
		return sent.Connection == 0 || sent.Connection != got.Connection || sent.Sent <= got.Received
	}
	return true
}

// end ends the run.
func (c *Coordinator) end() {
	c.over = true
	c.stopWatching()
	c.wall = max(0, c.now()-c.startAt)
	c.broadcast(control{Over: true})
	c.cond.Broadcast()
}

// Hold keeps the run from being over until the function that it returns is called: somebody has
// more to do to it.
func (c *Coordinator) Hold() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.holds--
		c.endIfIdle()
	})
}
