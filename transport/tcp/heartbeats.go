package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// watchHeartbeats fences processes that have given no sign of life for too long.
func (c *Coordinator) watchHeartbeats() {
	tick := time.Tick(c.cfg.Timeout / beatsPerTimeout)
	for {
		select {
		case <-tick:
		case <-c.watching.Done():
			return
		}
		for _, m := range c.silentMembers() {
			c.fence(m)
		}
	}
}

// silentMembers are the processes to be fenced. They must not be started again before that is done.
//
// What counts is how often the coordinator has looked, and not how long that took: if its machine stands still, it
// hears nobody, and that is not their fault.
func (c *Coordinator) silentMembers() (all []*member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.members {
		if m.state != joined && m.state != hanging || m.fenced {
			continue
		}
		if m.silence++; m.silence > beatsPerTimeout {
			m.fenced = true
			all = append(all, m)
		}
	}
	return all
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
	for _, rank := range c.layout.of(m.process) {
		silent := unheard(rank, report.Hung, c.ticks())
		silent.Late = clock.Time(c.cfg.Timeout / c.cfg.Tick) // perhaps it was only slow
		c.noteFailure(failure{silent, unscheduled})
	}
	m.out.session.Close() // all else follows from that
}
