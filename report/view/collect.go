package view

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// collector goes through a run and keeps what is drawn.
type collector struct {
	run      Run
	messages []message // those that were sent, by their IDs
	unsent   []message // those whose sender failed
	notices  []notice
	steps    marks
	turns    marks
	kinds    names
	curves   *curves
	by       []int32 // who coloured each rank of the machine; -1 if nobody did
	sent     []int64 // by ranks of the range
	received []int64
	kept     int // messages, notices and steps
	dropped  int
	from     clock.Time // when the first of them was dropped
	end      clock.Time
}

type message struct {
	id            int64
	from, to      int
	kind          int
	epoch         uint32
	a             int64
	start, sent   clock.Time
	arrived, done clock.Time // the receive; both are the instant at which it was lost
	fate          fate
}

type notice struct {
	rank, about int
	start, end  clock.Time
}

func newCollector(run Run) *collector {
	n := run.Ranks.size()
	c := &collector{run: run, by: make([]int32, len(run.Report.Ranks)), sent: make([]int64, n), received: make([]int64, n), end: lastInstant(run.Report)}
	for i := range c.by {
		c.by[i] = -1
	}
	for _, kind := range turnNames {
		c.turns.names.index(kind)
	}
	c.curves = newCurves(run.Report, c.end)
	return c
}

// lastInstant is when nothing happened any more that is drawn. Programs may return long after that.
func lastInstant(rep *report.Report) clock.Time {
	for i := range slices.Backward(rep.Events) {
		if e := &rep.Events[i]; e.Kind != report.EventExit {
			return max(rep.Quiescence, e.Time)
		}
	}
	return rep.Quiescence
}

func (c *collector) collect() {
	traceevent.Visit(c.run.Run, c)
	for rank, s := range c.run.SlowByClock() {
		c.SlowDown(rank, s)
	}
	c.messages = append(c.messages, c.unsent...)
	slices.SortStableFunc(c.messages, func(a, b message) int { return cmp.Compare(a.start, b.start) })
	slices.SortStableFunc(c.notices, func(a, b notice) int { return cmp.Compare(a.start, b.start) })
	c.steps.sort()
	c.turns.sort()
}

// room reports whether one more thing fits on the page.
func (c *collector) room(at clock.Time) bool {
	if c.kept < c.run.Limit {
		c.kept++
		return true
	}
	if c.dropped == 0 {
		c.from = at
	}
	c.dropped++
	return false
}

// shown reports whether one end of a message is in the range.
func (c *collector) shown(e *report.Event) bool {
	return c.run.Ranks.has(e.Rank) || c.run.Ranks.has(e.Peer)
}

// newMessage is that of an event at its sender.
func (c *collector) newMessage(e *report.Event) message {
	kind := c.kinds.index(mailbox.KindName(e.Msg, c.run.KindName))
	return message{from: e.Rank, to: e.Peer, kind: kind, epoch: e.Epoch, a: e.A, start: e.Time}
}

// Send keeps a message that nobody has received yet.
func (c *collector) Send(e *report.Event, m traceevent.Flight) {
	c.curves.sent[c.curves.bin(m.Start)]++
	if c.run.Ranks.has(e.Rank) {
		c.sent[e.Rank-c.run.Ranks.First]++
	}
	if !c.shown(e) || !c.room(e.Time) {
		return
	}
	x := c.newMessage(e)
	x.id, x.sent, x.arrived, x.done, x.fate = m.ID, m.Resumed, m.Resumed, m.Resumed, fateUnderWay
	c.messages = append(c.messages, x)
}

// SendLost keeps a message that never left its sender.
func (c *collector) SendLost(e *report.Event, end clock.Time) {
	if !c.shown(e) || !c.room(e.Time) {
		return
	}
	x := c.newMessage(e)
	x.sent, x.arrived, x.done, x.fate = end, end, end, fateUnsent
	c.unsent = append(c.unsent, x)
}

// Receive ends a message.
func (c *collector) Receive(e *report.Event, start clock.Time, m traceevent.Flight) {
	c.curves.received[c.curves.bin(e.Time)]++
	if c.by[e.Rank] < 0 && c.run.Report.Ranks[e.Rank].Coloured == e.Time {
		c.by[e.Rank] = int32(e.Peer)
	}
	if c.run.Ranks.has(e.Rank) {
		c.received[e.Rank-c.run.Ranks.First]++
	}
	c.finish(e, m, start, e.Time, fateReceived)
}

// Lost ends a message at a crashed rank.
func (c *collector) Lost(e *report.Event, m traceevent.Flight) { c.lose(e, m, fateLost) }

// Cut ends a message on a cut link.
func (c *collector) Cut(e *report.Event, m traceevent.Flight) { c.lose(e, m, fateCut) }

// lose ends a message that nobody receives.
func (c *collector) lose(e *report.Event, m traceevent.Flight, end fate) {
	c.curves.lost[c.curves.bin(e.Time)]++
	c.finish(e, m, e.Time, e.Time, end)
}

// finish says what became of a message, if it was kept. IDs ascend with the sends.
func (c *collector) finish(e *report.Event, m traceevent.Flight, arrived, done clock.Time, end fate) {
	if !c.shown(e) {
		return
	}
	i, found := slices.BinarySearchFunc(c.messages, m.ID, func(x message, id int64) int { return cmp.Compare(x.id, id) })
	if !found {
		return // it was dropped
	}
	x := &c.messages[i]
	x.arrived, x.done, x.fate = arrived, done, end
}

// Notice keeps what the failure detector tells.
func (c *collector) Notice(e *report.Event, start clock.Time) {
	if c.run.Ranks.has(e.Rank) && c.room(e.Time) {
		c.notices = append(c.notices, notice{e.Rank, e.Peer, start, e.Time})
	}
}

// SlowDown keeps a slow-down.
func (c *collector) SlowDown(rank int, s faults.Slowdown) {
	if c.run.Ranks.has(rank) {
		c.turns.add(rank, s.From, report.EventSlow.String(), int64(s.Factor))
	}
}

// Instant keeps a step if there is room, and everything else.
func (c *collector) Instant(e *report.Event) {
	c.curves.turn(e)
	switch {
	case !c.run.Ranks.has(e.Rank):
	case e.Kind != report.EventStep:
		c.turns.add(e.Rank, e.Time, e.Kind.String(), 0)
	case c.room(e.Time):
		c.steps.add(e.Rank, e.Time, e.Step, 0)
	}
}
