package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// watchSigns fences processes that have given no sign of life for too long.
func (c *Coordinator) watchSigns() {
	ticker := time.NewTicker(c.cfg.Timeout / beats)
	defer ticker.Stop()
	for range ticker.C {
		c.mu.Lock()
		over := c.over || c.closed
		var silent []*member
		for _, m := range c.members {
			if (m.state == joined || m.state == hanging) && time.Since(m.heard) > c.cfg.Timeout {
				silent = append(silent, m)
			}
		}
		c.mu.Unlock()
		if over {
			return
		}
		for _, m := range silent {
			c.fence(m)
		}
	}
}

// fence makes sure that a process which is silent stays so, and goes on without it.
func (c *Coordinator) fence(m *member) {
	if c.cfg.Fence != nil {
		c.cfg.Fence(m.process)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.state != joined && m.state != hanging {
		return
	}
	c.logf("process %d has given no sign of life for %s", m.process, c.cfg.Timeout)
	for rank := c.layout.First(m.process); rank < c.layout.First(m.process+1); rank++ {
		c.bury(Death{Rank: rank, Outcome: Hung, Time: c.ticks(), Fault: -1, Traffic: Traffic{Coloured: clock.Never}})
	}
	m.session.Close() // the rest follows from that
}
