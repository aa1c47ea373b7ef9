package tcp

import (
	"errors"
	"time"
)

// How a process gets to know the time of the run, which is that of the coordinator.

// How often the coordinator is asked what time it is before the run. Each answer may tell a little more of a clock that another host has; of
// one that both have there is nothing more to be told, but that it is the same.
const (
	clockReadings  = 32
	sharedReadings = 4
)

// timePause is after how long it is asked again, for as long as the run goes on. By then clocks have drifted apart by 25 us at most.
const timePause = 250 * time.Millisecond

// timeTold is what the coordinator answers.
type timeTold struct {
	Asked int           // the number of the question
	Shows time.Duration // its clock
	// Host and Origin are the clock of its host, and what that showed when its own was at 0. Only for processes that have yet to join.
	Host   *hostReading  `json:",omitempty"`
	Origin time.Duration `json:",omitempty"`
}

// timeAsked is a question that has not been answered yet.
type timeAsked struct {
	number int
	at     time.Duration
}

// timeHeard is an answer, and when it was heard.
type timeHeard struct {
	*timeTold
	at time.Duration
}

// readClock finds out when the coordinator's clock shows what: from the clock of the host, if both have the same, and else by asking.
func (cc *coordinatorConn) readClock() error {
	n := cc.node
	own := dropAnchor()
	s := &steering{epoch: own.at, skewed: n.skewed}
	var known offset
	shared := n.skewed == nil // else it is to be taken for one of another host
	for number := 1; number <= clockReadings && (!shared || number <= sharedReadings); number++ {
		asked, before := s.own(), readHostClock()
		cc.tell(control{Asked: number})
		c, err := readControl(cc.session)
		if err != nil {
			return err
		}
		answered, after := s.own(), readHostClock()
		if c.Clock == nil {
			return errors.New("the coordinator does not say what time it is")
		}
		cc.asked.number = number
		if number == 1 {
			known = firstOffset(asked, answered, c.Clock.Shows)
		} else {
			known, _ = known.and(asked, answered, c.Clock.Shows)
		}
		shared = shared && own.isOf(c.Clock.Host, before, after)
		if shared {
			n.begin, n.readingError = own.when(c.Clock.Origin), own.Error+c.Clock.Host.Error
		}
	}
	if !shared {
		s.set(known)
		n.steered = s
	}
	return nil
}

// isOf reports whether another process has read the clock of the same host. Names may be the same where hosts are not, such as machines that
// have been copied while they ran: so the reading must also lie between two of this process's own.
func (a *anchor) isOf(other *hostReading, before, after time.Duration) bool {
	return other != nil && a.Host != "" && a.Host == other.Host && before <= other.Shows && other.Shows <= after
}

// beginAt says when the run begins, on the coordinator's clock.
func (n *Node) beginAt(at time.Duration) {
	if n.steered != nil {
		n.steered.begin(at)
	} else {
		n.begin = n.begin.Add(at)
	}
}

// keepTime goes on to ask what time it is, if this process has a clock of its own.
func (cc *coordinatorConn) keepTime() {
	if cc.node.steered != nil {
		cc.node.background(cc.askTime)
	}
}

// askTime asks again and again, until the run is over. An answer that does not come before the next question does not count.
func (cc *coordinatorConn) askTime() {
	n, pause := cc.node, time.Tick(timePause)
	for {
		select {
		case <-pause:
			cc.asked = timeAsked{cc.asked.number + 1, n.steered.own()}
			cc.tell(control{Asked: cc.asked.number})
		case heard := <-cc.heard:
			cc.learnTime(heard)
		case <-n.over:
			return
		}
	}
}

// learnTime learns from an answer, unless it is one to a question before the last.
func (cc *coordinatorConn) learnTime(heard timeHeard) {
	if heard.Asked == cc.asked.number && !cc.node.steered.learn(cc.asked.at, heard.at, heard.Shows, timePause) && !cc.drifts {
		cc.drifts = true // it will go on to do so
		cc.node.logf("the clock of this host goes too fast or too slow, or has been set: by more than 100 us a second")
	}
}

// heardTime takes in an answer.
func (cc *coordinatorConn) heardTime(told *timeTold) {
	if s := cc.node.steered; s != nil {
		select {
		case cc.heard <- timeHeard{told, s.own()}:
		default: // there are more than questions
		}
	}
}

// tellTime answers a process. Answers that nobody reads must not pile up: before it joins it asks so often and no more, and afterwards
// it is answered if it has read all that it was told.
func (c *Coordinator) tellTime(m *member, number int) error {
	if m.state != expected {
		if m.out.empty() {
			m.tell(control{Clock: &timeTold{Asked: number, Shows: c.now()}})
		}
		return nil
	}
	if m.asked++; m.asked > clockReadings {
		return errors.New("it asks what time it is again")
	}
	if m.asked > 1 {
		c.slowest = max(c.slowest, c.now()-m.answered)
	}
	m.answered = c.now()
	host := c.anchor.hostReading
	host.Shows = readHostClock()
	m.tell(control{Clock: &timeTold{Asked: number, Shows: m.answered, Host: &host, Origin: c.anchor.Shows}})
	return nil
}

// noteClock remembers by how much the clock of a process was wrong.
func (c *Coordinator) noteClock(m *member, by time.Duration) {
	c.clockErrors[m.process] = max(c.clockErrors[m.process], by)
}

// clocksDiffer is by how much the clocks of any two processes may have differed: one was ahead, and the other behind.
func (c *Coordinator) clocksDiffer() time.Duration {
	var most, second time.Duration
	for _, by := range c.clockErrors {
		if by > most {
			most, second = by, most
		} else {
			second = max(second, by)
		}
	}
	return most + second
}
