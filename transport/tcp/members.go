package tcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// listen hears what a process says until its connection ends.
func (c *Coordinator) listen(m *member, s *wire.Session) {
	defer s.Close()
	for {
		msg, err := readControl(s)
		c.mu.Lock()
		if m.session != s {
			c.mu.Unlock()
			return // it has another one
		}
		if err == nil {
			err = c.hear(m, msg)
		}
		if err != nil {
			c.lost(m, err)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}

// hear is about one thing that a process says. An error is something that it must not say.
func (c *Coordinator) hear(m *member, msg control) error {
	m.heard = time.Now()
	switch {
	case msg.Asked != nil:
		return c.tellTime(m, msg.Asked)
	case msg.Join != nil:
		return c.join(m, msg.Join)
	case msg.Met:
		m.met = true
		c.cond.Broadcast()
	case msg.Status != nil:
		m.status = msg.Status
		c.consider()
	case msg.Words != nil:
		return c.record(m, msg.Words)
	case msg.Awake != nil:
		if !c.isAt(m, msg.Awake.Rank) {
			return fmt.Errorf("rank %d is back, which does not live there", msg.Awake.Rank)
		}
		c.noteRejoin(msg.Awake.Rank, msg.Awake.Time)
	case msg.Panic != nil:
		c.fail(msg.Panic)
	case msg.Report != nil:
		if err := c.checkReport(m, msg.Report); err != nil {
			return err
		}
		m.report, m.state = msg.Report, done
		m.out.send(control{Bye: true}.frame())
		c.cond.Broadcast()
	}
	return nil
}

// isAt reports whether a rank lives in a process.
func (c *Coordinator) isAt(m *member, rank int) bool {
	return c.layout.First(m.process) <= rank && rank < c.layout.First(m.process+1)
}

// tellTime answers a process that has yet to join. It asks so often and no more: answers that
// nobody reads must not pile up.
func (c *Coordinator) tellTime(m *member, a *clockAsked) error {
	if m.asked++; m.state != expected || m.asked > clockReadings {
		return errors.New("it asks what time it is again")
	}
	m.out.send(control{Clock: &clockRead{a.Number, c.now()}}.frame())
	return nil
}

// join notes where a process is. One that has been started again begins at once.
func (c *Coordinator) join(m *member, j *joining) error {
	switch {
	case m.state != expected:
		return errors.New("it joins again")
	case c.over:
		return errors.New("it joins when the run is over")
	case j.Terms != "" && j.Terms != c.cfg.terms():
		err := fmt.Errorf("tcp: process %d has %s, want %s: all must run the same", m.process, j.Terms, c.cfg.terms())
		c.fail(err)
		return err
	}
	m.address, m.pid, m.state = j.Address, j.Pid, joined
	if c.started {
		c.publish(change{Back: &process{m.process, m.life, m.address}})
		for rank := c.layout.First(m.process); rank < c.layout.First(m.process+1); rank++ {
			c.noteRejoin(rank, c.ticks())
		}
		c.startMember(m)
	}
	c.cond.Broadcast()
	return nil
}

// checkReport makes sure that a process speaks of its own ranks, and when it should.
func (c *Coordinator) checkReport(m *member, r *processReport) error {
	if !c.over || m.state != joined {
		return errors.New("report before the run is over")
	}
	if len(r.Ranks) != c.layout.Count(m.process) {
		return fmt.Errorf("report about %d ranks, want %d", len(r.Ranks), c.layout.Count(m.process))
	}
	for i := range r.Ranks {
		if want := c.layout.First(m.process) + i; r.Ranks[i].Rank != want {
			return fmt.Errorf("report about rank %d, want %d", r.Ranks[i].Rank, want)
		}
		if c.down[r.Ranks[i].Rank] {
			continue // it does not count
		}
		if err := r.Ranks[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// record notes what a rank says before it fails. That it says so is for the report; the failure
// detector notices by itself.
func (c *Coordinator) record(m *member, w *lastWords) error {
	if !c.isAt(m, w.Rank) || !c.inSchedule(slices.Concat([]int{w.Fault}, w.Counts.Slowed, w.Counts.Struck)) || !w.Outcome.Failed() {
		return fmt.Errorf("last words of rank %d about fault %d", w.Rank, w.Fault)
	}
	c.noteFailure(failure{w.rankReport, w.Fault})
	switch {
	case w.Process:
		m.words, m.counts = w, w.Counts
		if w.Outcome == report.Hung {
			m.state = hanging
			c.publish(change{Stuck: &process{Process: m.process, Life: m.life}})
		}
	case w.Outcome == report.Crashed:
		c.announce(&sentBy{m.process, w.Tallies}, w.Rank)
	case c.cfg.Timeout > 0:
		release := c.hold()
		time.AfterFunc(c.cfg.Timeout, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			release()
			if c.down[w.Rank] {
				c.announce(&sentBy{m.process, w.Tallies}, w.Rank)
			}
			c.consider()
		})
	}
	c.consider()
	c.cond.Broadcast()
	return nil
}

// inSchedule reports whether all of these are places in the schedule.
func (c *Coordinator) inSchedule(places []int) bool {
	return !slices.ContainsFunc(places, func(i int) bool { return i < 0 || i >= len(c.cfg.Faults) })
}

// hold is Hold for those who have the lock.
func (c *Coordinator) hold() (release func()) {
	c.holds++
	return func() { c.holds-- }
}

// noteFailure notes that a rank has failed.
func (c *Coordinator) noteFailure(f failure) {
	if !c.down[f.Rank] {
		c.down[f.Rank] = true
		c.failures = append(c.failures, f)
	}
}

// noteRejoin notes that a rank has begun again.
func (c *Coordinator) noteRejoin(rank int, t clock.Time) {
	if !c.down[rank] {
		return
	}
	delete(c.down, rank)
	c.rejoins = append(c.rejoins, report.Rejoin{Rank: rank, Time: t})
	if c.suspects[rank] {
		delete(c.suspects, rank)
		c.present = append(c.present, rank)
		c.publish(change{Present: []int{rank}})
	}
}

// lost is about a process whose connection has ended.
func (c *Coordinator) lost(m *member, err error) {
	m.out.close()
	if c.members[m.process] != m {
		// It hung, and has been started again meanwhile. Others may still have connections with it.
		c.publish(change{Gone: &process{Process: m.process, Life: m.life}})
		return
	}
	switch {
	case m.state == done || m.state == ended || c.closed:
		return
	case !c.started && m.state == expected:
		c.logf("process %d went away before it joined: %v", m.process, err)
		return
	case !c.started:
		c.fail(fmt.Errorf("tcp: process %d ended before the run began: %w", m.process, err))
		return
	}
	// How the connection of a process ends that has said that it will fail is of no interest.
	if m.words == nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && !errors.Is(err, io.ErrUnexpectedEOF) {
		c.logf("connection of process %d dropped: %v", m.process, err)
	}
	m.state = ended
	var ranks []int
	for rank := c.layout.First(m.process); rank < c.layout.First(m.process+1); rank++ {
		c.noteFailure(failure{unheard(rank, report.Crashed, c.ticks()), unscheduled})
		ranks = append(ranks, rank)
	}
	c.publish(change{Gone: &process{Process: m.process, Life: m.life}})
	c.announce(nil, ranks...)
	c.consider()
	c.cond.Broadcast()
}

// announce lets the failure detector tell of ranks that have failed.
func (c *Coordinator) announce(after *sentBy, ranks ...int) {
	if !c.cfg.Offered {
		return
	}
	ranks = slices.DeleteFunc(ranks, func(rank int) bool { return c.suspects[rank] })
	if len(ranks) == 0 {
		return
	}
	for _, rank := range ranks {
		c.suspects[rank] = true
		c.present = slices.DeleteFunc(c.present, func(r int) bool { return r == rank })
	}
	c.known = append(c.known, ranks...)
	c.publish(change{Failed: ranks, After: after})
}

// publish tells all processes of something that happened.
func (c *Coordinator) publish(ch change) {
	c.version++
	ch.Version = c.version
	if c.started {
		c.broadcast(control{Change: &ch})
	}
}
