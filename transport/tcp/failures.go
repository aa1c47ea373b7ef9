package tcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// record notes what a rank says before it fails. That it says so is for the report; the failure
// detector notices by itself.
func (c *Coordinator) record(m *member, w *lastWords) error {
	if !c.isAt(m, w.Rank) || !c.inSchedule(w) || !w.Outcome.Failed() {
		return fmt.Errorf("last words of rank %d about fault %d", w.Rank, w.Fault)
	}
	c.noteFailure(failure{w.rankReport, w.Fault})
	c.noteClock(m, w.ClockError)
	switch {
	case w.Process:
		m.words = w
		if w.Outcome == report.Hung {
			m.state = hanging
			c.publish(change{Peer: m.peer()})
		}
	case w.Outcome == report.Crashed:
		c.announce(&sentBy{m.process, w.Tallies}, w.Rank)
	case c.cfg.Timeout != 0:
		c.holds++ // until it is noticed
		time.AfterFunc(c.cfg.Timeout, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.holds--
			if c.down[w.Rank] {
				c.announce(&sentBy{m.process, w.Tallies}, w.Rank)
			}
			c.endIfIdle()
		})
	}
	c.endIfIdle()
	c.cond.Broadcast()
	return nil
}

// inSchedule reports whether last words are about faults of the rank.
func (c *Coordinator) inSchedule(w *lastWords) bool {
	strange := func(place int) bool {
		return place < 0 || place >= len(c.cfg.Faults) || c.cfg.Faults[place].OfLinks() || c.cfg.Faults[place].Rank != w.Rank
	}
	return !strange(w.Fault) && !slices.ContainsFunc(w.History.Happened, func(h faults.Happening) bool { return strange(h.Place) })
}

// follow returns a tracker that is as far as a rank with faults, as far as is known.
func (c *Coordinator) follow(rank int) *faults.Tracker {
	return c.cfg.follow(rank, c.histories[rank])
}

// noteFailure notes that a rank has failed.
func (c *Coordinator) noteFailure(f failure) {
	if !c.down[f.Rank] {
		c.down[f.Rank] = true
		c.failures = append(c.failures, f)
		if f.fault != unscheduled {
			c.histories[f.Rank], c.orders[f.Rank] = f.History, f.Order
		}
	}
}

// noteRejoin notes that a rank has begun again, as it was to do at an instant of the schedule.
func (c *Coordinator) noteRejoin(r report.Rejoin, due clock.Time) {
	rank := r.Rank
	if !c.down[rank] {
		return
	}
	t := c.follow(rank)
	t.Restart(due)
	c.histories[rank] = t.History()
	delete(c.down, rank)
	c.rejoins = append(c.rejoins, r)
	if c.known.Suspected[rank] {
		c.known.trust(rank)
		c.publish(change{Present: []int{rank}})
	}
}

// lost is about a process whose connection has ended.
func (c *Coordinator) lost(m *member, err error) {
	m.out.close()
	if c.members[m.process] != m {
		// It hung, and has been started again meanwhile. Others may still have connections with it.
		m.state = ended
		c.publish(change{Peer: m.peer()})
		return
	}
	switch {
	case m.state == done || m.state == ended || c.closed:
		return
	case !c.started && m.state == expected:
		c.logf("process %d went away before it joined: %v", m.process, err)
		return
	case !c.started:
		c.fail(fmt.Errorf("tcp: process %d was lost before the run began: %w", m.process, plain(err)))
		return
	}
	// How the connection of a process ends that has said that it will fail is of no interest.
	if m.words == nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && !errors.Is(err, io.ErrUnexpectedEOF) {
		c.logf("connection of process %d dropped: %v", m.process, err)
	}
	m.state = ended
	ranks := c.layout.of(m.process)
	c.loseEvents(m)
	for _, rank := range ranks {
		c.noteFailure(failure{unheard(rank, report.Crashed, c.ticks()), unscheduled})
	}
	c.publish(change{Peer: m.peer()})
	c.announce(nil, ranks...)
	c.endIfIdle()
	c.cond.Broadcast()
}

// publish tells all processes of something that happened.
func (c *Coordinator) publish(ch change) {
	c.version++
	ch.Version = c.version
	if c.started {
		c.broadcast(control{Change: &ch})
	}
}
