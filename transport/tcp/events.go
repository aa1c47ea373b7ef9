package tcp

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// Record has all processes record what their ranks do, and the result has the events of the run then. It must be called before Start.
func (c *Coordinator) Record() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recorded, c.unrecorded = make([][]recorded, c.cfg.Ranks), make(map[int]bool)
}

// noteEvents takes in events of a process.
func (c *Coordinator) noteEvents(m *member, events []recorded) error {
	if c.recorded == nil {
		return fmt.Errorf("%d events that nobody wants", len(events))
	}
	for i := range events {
		e := &events[i]
		wrong := !c.isAt(m, e.Rank) || !recordedHere(e.Kind) || e.Time < 0 || e.At != withinTick(e.Time, e.At, c.cfg.Tick)
		if wrong || e.Peer < report.NoPeer || e.Peer >= c.cfg.Ranks || (e.Peer == report.NoPeer) != e.Kind.OfOneRank() {
			return fmt.Errorf("an event of rank %d with rank %d, of kind %d at t=%d", e.Rank, e.Peer, e.Kind, e.Time)
		}
		c.recorded[e.Rank] = append(c.recorded[e.Rank], *e)
	}
	return nil
}

// recordedHere reports whether processes record events of a kind, if there is such a kind.
func recordedHere(k report.EventKind) bool { return k <= report.EventForget && !k.OfDecisions() }

// loseEvents is about a process that has ended without having sent what it had recorded.
func (c *Coordinator) loseEvents(m *member) {
	if c.recorded != nil && m.words == nil {
		for _, rank := range c.layout.of(m.process) {
			c.unrecorded[rank] = true
		}
	}
}

// addEvents puts the events of all ranks into the result, if they are wanted. How ranks have ended is known by now.
func (c *Coordinator) addEvents(res *Result) {
	if c.recorded == nil {
		return
	}
	for rank := range res.Ranks {
		c.recordEnd(rank, &res.Ranks[rank])
	}
	m := newMerger(c.recorded, res.ClockError)
	m.merge()
	m.loseAtCrashed(c.unrecorded)
	res.Events = m.inOrder(c.cfg.Tick)
	res.Unrecorded = slices.Sorted(maps.Keys(c.unrecorded))
	for rank, moved := range m.moved(res.Events) {
		if own := &res.Ranks[rank]; own.Coloured != clock.Never && !slices.Contains(c.cfg.Initiators, rank) {
			own.Coloured = max(own.Coloured, moved)
		}
	}
}

// recordEnd records that a rank has failed, if it had nobody to do so: its process was never there, or was killed, or its program had
// returned before.
func (c *Coordinator) recordEnd(rank int, end *report.RankResult) {
	kind := report.EventCrash
	switch end.Outcome {
	case report.Crashed:
	case report.Hung:
		kind = report.EventHang
	default:
		return
	}
	for i := range slices.Backward(c.recorded[rank]) {
		if k := c.recorded[rank][i].Kind; k == kind {
			return
		} else if k == report.EventRejoin {
			break
		}
	}
	e := report.Event{Kind: kind, Rank: rank, Peer: report.NoPeer, Time: end.Exit}
	c.recorded[rank] = append(c.recorded[rank], recorded{e, time.Duration(end.Exit) * c.cfg.Tick})
}
