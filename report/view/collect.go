package view

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
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
	storage  storage
	kinds    names
	curves   *curves
	by       []int32 // who coloured each rank of the machine; -1 if nobody did
	sent     []int64 // by ranks of the range
	received []int64
	kept     int // messages, notices, steps and operations of storage
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
	late          clock.Time // it took so much longer than it should
	again         bool       // it is one that arrived once more
}

type notice struct {
	rank, about int
	start, end  clock.Time
}

func newCollector(run Run) *collector {
	n := run.Ranks.size()
	c := &collector{run: run, by: make([]int32, len(run.Report.Ranks)), sent: make([]int64, n), received: make([]int64, n), end: lastInstant(run)}
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
func lastInstant(run Run) clock.Time {
	rep := run.Report
	over := rep.Quiescence // when all programs have returned, too
	if n := len(rep.Events); n > 0 {
		over = max(over, rep.Events[n-1].Time)
	}
	last := max(rep.Quiescence, lastMark(run.Guarantees, over))
	for i := range slices.Backward(rep.Events) {
		if e := &rep.Events[i]; e.Kind != report.EventExit {
			last = max(last, e.Time)
			break
		}
	}
	for i := range rep.Events { // what storage is used for is written down when it begins
		if e := &rep.Events[i]; e.Kind.OfStorage() {
			last = max(last, e.Time+clock.Time(e.A))
		}
	}
	return last
}

func (c *collector) collect() {
	traceevent.Visit(c.run.Run, c.act)
	for e := range c.run.SlowByClock() {
		c.turn(&e)
	}
	c.messages = append(c.messages, c.unsent...)
	slices.SortStableFunc(c.messages, func(a, b message) int { return cmp.Compare(a.start, b.start) })
	slices.SortStableFunc(c.notices, func(a, b notice) int { return cmp.Compare(a.start, b.start) })
	c.turns.sort() // steps are in order, as events are
}

func (c *collector) act(a traceevent.Act) {
	switch a.Kind {
	case report.EventSend:
		c.send(&a)
	case report.EventSendLost:
		c.sendLost(&a)
	case report.EventReceive:
		c.receive(&a)
	case report.EventLost:
		c.lose(&a, fateLost)
	case report.EventCut:
		c.lose(&a, fateCut)
	case report.EventDrop:
		c.lose(&a, fateDropped)
	case report.EventLate:
		if x := c.message(a.Message.ID); x != nil {
			x.late = a.Message.Late
		}
	case report.EventTwice:
		c.repeat(&a)
	case report.EventNotice:
		if c.run.Ranks.has(a.Rank) && c.room(a.Time) {
			c.notices = append(c.notices, notice{a.Rank, a.Peer, a.Start, a.End})
		}
	case report.EventStep:
		if c.run.Ranks.has(a.Rank) && c.room(a.Time) {
			c.steps.add(a.Rank, a.Time, a.Step, 0)
		}
	case report.EventWrite, report.EventDelete, report.EventWriteLost, report.EventSync, report.EventSyncLost, report.EventRead, report.EventForget:
		if c.run.Ranks.has(a.Rank) && c.room(a.Time) {
			c.storage.add(&a)
		}
	case report.EventCrash, report.EventHang, report.EventRejoin, report.EventSlow:
		c.turn(a.Event)
	}
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

// newMessage is what its sender does.
func (c *collector) newMessage(a *traceevent.Act, id int64, fate fate) message {
	kind := c.kinds.index(mailbox.KindName(a.Msg, c.run.KindName))
	return message{
		id: id, from: a.Rank, to: a.Peer, kind: kind, epoch: a.Epoch, a: a.A,
		start: a.Start, sent: a.End, arrived: a.End, done: a.End, fate: fate,
	}
}

// send keeps a message that nobody has received yet.
func (c *collector) send(a *traceevent.Act) {
	c.curves.Sent[c.curves.bin(a.Start)]++
	if c.run.Ranks.has(a.Rank) {
		c.sent[a.Rank-c.run.Ranks.First]++
	}
	if c.shown(a.Event) && c.room(a.Time) {
		c.messages = append(c.messages, c.newMessage(a, a.Message.ID, fateUnderWay))
	}
}

// sendLost keeps a message that never left its sender.
func (c *collector) sendLost(a *traceevent.Act) {
	if c.shown(a.Event) && c.room(a.Time) {
		c.unsent = append(c.unsent, c.newMessage(a, 0, fateUnsent))
	}
}

// receive ends a message.
func (c *collector) receive(a *traceevent.Act) {
	c.curves.Received[c.curves.bin(a.Time)]++
	if c.by[a.Rank] < 0 && c.run.Report.Ranks[a.Rank].Coloured == a.Time {
		c.by[a.Rank] = int32(a.Peer)
	}
	if c.run.Ranks.has(a.Rank) {
		c.received[a.Rank-c.run.Ranks.First]++
	}
	c.finish(a, fateReceived)
}

// lose ends a message that nobody receives.
func (c *collector) lose(a *traceevent.Act, end fate) {
	c.curves.Lost[c.curves.bin(a.Time)]++
	c.finish(a, end)
}

// finish says what became of a message, if it is on the page.
func (c *collector) finish(a *traceevent.Act, end fate) {
	if x := c.message(a.Message.ID); x != nil {
		x.arrived, x.done, x.fate = a.Start, a.End, end
	}
}

// message finds a message by its ID, which ascend with the sends; nil if there was no room for it, or none of its ends is
// in the range.
func (c *collector) message(id int64) *message {
	i, found := slices.BinarySearchFunc(c.messages, id, func(x message, id int64) int { return cmp.Compare(x.id, id) })
	if !found {
		return nil
	}
	return &c.messages[i]
}

// repeat keeps a message that is under way once more.
func (c *collector) repeat(a *traceevent.Act) {
	if first := c.message(a.Message.Of); first != nil && c.room(a.Time) {
		x := *first
		x.id, x.late, x.again = a.Message.ID, a.Message.Late, true
		c.messages = append(c.messages, x)
	}
}

// turn keeps what changes a rank.
func (c *collector) turn(e *report.Event) {
	c.curves.turn(e)
	if c.run.Ranks.has(e.Rank) {
		c.turns.add(e.Rank, e.Time, e.Kind.String(), e.A)
	}
}
