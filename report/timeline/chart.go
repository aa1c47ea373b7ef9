package timeline

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// The largest chart that can be drawn in 80 columns: so many ranks, and less than so many ticks.
const (
	MaxRanks = 64
	MaxTicks = 74
)

// activity is what a rank does in one tick.
type activity uint8

const (
	uncoloured activity = iota // waiting for the message
	coloured                   // waiting, with the message
	sending
	receiving
	both    // sending and receiving: the ports work at the same time
	storing // changing or reading what it has stored
	finished
	failed
)

// chart is a run as what every rank does in every tick. The last column is the instant
// at which nothing happens any more.
type chart struct {
	rows    [][]activity
	columns int
}

// newChart lays out a run.
func newChart(run traceevent.Run) (*chart, error) {
	rep := run.Report
	end := max(rep.Quiescence, rep.Exit)
	for _, e := range rep.Events {
		end = max(end, e.Time)
		if e.Kind.OfStorage() {
			end = max(end, e.Time+clock.Time(e.A))
		}
	}
	if end >= MaxTicks {
		return nil, fmt.Errorf("the run takes %d ticks, a drawing has room for %d; try a smaller P, L or o", end, MaxTicks-1)
	}
	c := &chart{rows: make([][]activity, len(rep.Ranks)), columns: int(end) + 1}
	for rank, result := range rep.Ranks {
		c.rows[rank] = make([]activity, c.columns)
		c.fill(rank, result.Coloured, clock.Never, coloured)
	}
	c.drawEnds(rep, report.EventExit, finished)
	traceevent.Visit(run, c.draw)
	c.drawEnds(rep, report.EventCrash, failed) // a failed rank's ports do not matter
	c.drawEnds(rep, report.EventHang, failed)
	return c, nil
}

// fill sets what a rank does from one instant to another, as far as the chart goes.
func (c *chart) fill(rank int, from, to clock.Time, a activity) {
	for t := from; t < min(to, clock.Time(c.columns)); t++ {
		c.rows[rank][t] = a
	}
}

// drawEnds draws what ranks are from such an event on.
func (c *chart) drawEnds(rep *report.Report, kind report.EventKind, a activity) {
	for _, e := range rep.Events {
		if e.Kind == kind {
			c.fill(e.Rank, e.Time, comesBack(rep, e.Rank, e.Time), a)
		}
	}
}

// comesBack is when a rank that failed at an instant was started again, or clock.Never.
func comesBack(rep *report.Report, rank int, failed clock.Time) clock.Time {
	for _, r := range rep.Rejoined {
		if r.Rank == rank && r.Time > failed {
			return r.Time
		}
	}
	return clock.Never
}

// overlay adds the use of a port to what the other one does.
func (c *chart) overlay(rank int, from, to clock.Time, port activity) {
	other := sending + receiving - port
	for t := from; t < min(to, clock.Time(c.columns)); t++ {
		cell := &c.rows[rank][t]
		if *cell == other {
			*cell = both
		} else if *cell != both {
			*cell = port
		}
	}
}

// store draws the use of storage where no port is at work.
func (c *chart) store(rank int, from, to clock.Time) {
	for t := from; t < min(to, clock.Time(c.columns)); t++ {
		if cell := &c.rows[rank][t]; *cell == uncoloured || *cell == coloured {
			*cell = storing
		}
	}
}

// draw draws what a rank sends and receives. The rest is not drawn, or as the state that a rank is in.
func (c *chart) draw(a traceevent.Act) {
	switch a.Kind {
	case report.EventSend, report.EventSendLost:
		c.overlay(a.Rank, a.Start, a.End, sending)
	case report.EventReceive:
		c.overlay(a.Rank, a.Start, a.End, receiving)
	case report.EventWrite, report.EventDelete, report.EventWriteLost, report.EventSync, report.EventSyncLost, report.EventRead:
		c.store(a.Rank, a.Start, a.End)
	}
}
