package emu

import (
	"context"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// advance opens one window after the other until nothing can happen any more.
func (m *Machine) advance(ctx context.Context) error {
	for {
		next := m.exchange(m.nextEvent())
		start := m.notify(min(next, m.rejoins.next(), m.nextPassage()))
		switch {
		case m.lost() != nil:
			return m.lost()
		case m.failure.err != nil:
			return m.failure.err
		case m.stops():
			return fmt.Errorf("emu: run cancelled at t=%d: %w", m.end, m.whyStopped(ctx))
		case start == clock.Never:
			if !m.startDormant() {
				return nil
			}
			continue
		case start > m.cfg.TimeLimit:
			return &TimeLimitError{Limit: m.cfg.TimeLimit}
		}
		m.passBottleneck(start)
		m.tell(start)
		m.restartDue(start)
		m.open(start)
		m.helpers.work(m.workers, len(m.due))
		m.windows++
	}
}

// whyStopped is why this part was told to stop, or that another one was.
func (m *Machine) whyStopped(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errCancelledElsewhere
}

// startDormant starts the ranks that no message has started, when nothing else can happen any
// more. They cannot do much: wait for ever, and then we know for what, or return. False if
// there are none, in no part.
func (m *Machine) startDormant() bool {
	found := false
	for i := range m.ranks {
		if m.ranks[i].state == dormant {
			m.wakeAt[i] = 0
			found = true
		}
	}
	if found {
		m.refreshMins()
	}
	return m.anywhere(found)
}

// nextEvent is the earliest instant at which a rank may have something to do.
func (m *Machine) nextEvent() clock.Time {
	next := slices.Min(m.unitMin)
	for i := range m.workers {
		if arrival := m.workers[i].takeExpected(); arrival != clock.Never {
			next = min(next, arrival+m.overhead)
		}
	}
	return next
}

// open begins the window that starts at the given instant.
func (m *Machine) open(start clock.Time) {
	m.end = min(start+m.lookahead, m.rejoins.next())
	// Whatever is sent from now on arrives at the horizon or later.
	m.horizon = m.end - m.overhead
	m.in, m.out = m.out, m.in
	m.due = m.due[:0]
	for i := range m.unitMin {
		if m.unitMin[i] < m.end || m.in.units[i].Load() {
			m.in.units[i].Store(false)
			m.due = append(m.due, int32(i))
		}
	}
	m.divide()
}

// refreshWord computes when the first rank of a word needs attention.
func (m *Machine) refreshWord(word int) {
	m.wordMin[word] = min(slices.Min(m.wakeAt[word*64:word*64+64]), m.later[word].attention(m.overhead))
}

// refreshUnit computes when the first word of a unit needs attention.
func (m *Machine) refreshUnit(unit int) {
	m.unitMin[unit] = slices.Min(m.wordMin[unit<<m.shift : (unit+1)<<m.shift])
}
