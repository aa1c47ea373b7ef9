package tcp

import (
	"errors"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// member is a process as the coordinator sees it.
type member struct {
	process   int
	life      int
	born      clock.Time // when the schedule lets this life begin
	state     memberState
	address   string
	out       *outbox
	answered  time.Duration // when it was last told what time it is, on the coordinator's clock
	asked     int           // how often it has asked what time it is
	silence   int           // how often the coordinator has looked since it last gave a sign of life
	connected bool          // to all others
	fenced    bool          // somebody sees to it that it ends
	status    *status
	words     *lastWords
	report    []rankReport  // about all its ranks
	heard     time.Duration // when it last said something, on the coordinator's clock
	standing  *[]standing   // how its ranks are; nil if it has not answered
}

type memberState uint8

const (
	expected memberState = iota
	absent               // it was never started
	joined
	hanging // it has said that it will take no part any more
	ended   // its connection is closed
	done    // and its report is here
)

// live reports whether something can still come from it.
func (m *member) live() bool { return m.state == joined }

// peer is the process as others see it.
func (m *member) peer() *peer {
	failed := m.state != expected && m.state != joined
	return &peer{Process: m.process, Life: m.life, Address: m.address, Failed: failed, Ended: failed && m.state != hanging, Said: m.words != nil}
}

// tell sends something to the process.
func (m *member) tell(msg control) { m.out.send(msg.frame()) }

// accept lets a process in.
func (c *Coordinator) accept(s *wire.Session) {
	who := s.Peer
	if who.Role != wire.Member || who.Process < 0 || who.Process >= len(c.members) {
		c.logf("connection from %s dropped: it is process %d in life %d with role %d", s.RemoteAddr(), who.Process, who.Life, who.Role)
		s.Refuse("no such process in this job")
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[who.Process]
	if c.closed || m.state != expected || m.life != who.Life {
		c.logf("connection from %s dropped: process %d in life %d is not expected", s.RemoteAddr(), who.Process, who.Life)
		s.Refuse("not expected")
		return
	}
	if err := s.Welcome(); err != nil {
		c.logf("connection from %s dropped: %v", s.RemoteAddr(), err)
		return
	}
	if m.out != nil {
		m.out.close() // it has given up that connection before it joined
	}
	m.out, m.asked = newOutbox(s, func() {}), 0
	c.wg.Go(func() { c.listen(m, s) })
}

// listen hears what a process says until its connection ends.
func (c *Coordinator) listen(m *member, s *wire.Session) {
	defer s.Close()
	for {
		msg, err := readControl(s)
		c.mu.Lock()
		if m.out.session != s {
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
	m.silence, m.heard = 0, c.now()
	switch {
	case msg.Asked != 0:
		return c.tellTime(m, msg.Asked)
	case msg.Join != nil:
		return c.join(m, msg.Join)
	case msg.Connected:
		m.connected = true
		c.cond.Broadcast()
	case msg.Status != nil:
		m.status = msg.Status
		c.endIfIdle()
	case msg.LastWords != nil:
		return c.record(m, msg.LastWords)
	case msg.Rejoined != nil:
		if !c.isAt(m, msg.Rejoined.Rank) {
			return fmt.Errorf("rank %d is back, which does not live there", msg.Rejoined.Rank)
		}
		c.noteRejoin(msg.Rejoined.Rejoin, msg.Rejoined.Due)
	case msg.Events != nil:
		return c.noteEvents(m, msg.Events)
	case msg.Panic != nil:
		c.fail(msg.Panic)
	case msg.Standing != nil:
		m.standing = msg.Standing
		c.cond.Broadcast()
	case msg.Report != nil:
		if err := c.checkReport(m, msg.Report); err != nil {
			return err
		}
		m.report, m.state = msg.Report, done
		c.noteClock(m, msg.ClockError)
		m.tell(control{Delivered: true})
		c.cond.Broadcast()
	}
	return nil
}

// isAt reports whether a rank lives in a process.
func (c *Coordinator) isAt(m *member, rank int) bool {
	return rank >= 0 && rank < c.cfg.Ranks && c.layout.process(rank) == m.process
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
	m.address, m.state = j.Address, joined
	if c.started {
		c.publish(change{Peer: m.peer()})
		for _, rank := range c.layout.of(m.process) {
			c.noteRejoin(report.Rejoin{Rank: rank, Time: c.ticks()}, m.born)
		}
		c.startMember(m)
	}
	c.cond.Broadcast()
	return nil
}

// checkReport makes sure that a process speaks of its own ranks, and when it should.
func (c *Coordinator) checkReport(m *member, reports []rankReport) error {
	if !c.over || m.state != joined {
		return errors.New("report before the run is over")
	}
	ranks := c.layout.of(m.process)
	if len(reports) != len(ranks) {
		return fmt.Errorf("report about %d ranks, want %d", len(reports), len(ranks))
	}
	for i, rank := range ranks {
		if reports[i].Rank != rank {
			return fmt.Errorf("report about rank %d, want %d", reports[i].Rank, rank)
		}
		if c.down[rank] {
			continue // it does not count
		}
		if err := reports[i].check(); err != nil {
			return err
		}
	}
	return nil
}
