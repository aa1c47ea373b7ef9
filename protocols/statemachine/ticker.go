package statemachine

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Ticker says when ticks are due: every so much virtual time, counted from when it was made. Like a time.Ticker it makes up for none that a rank was too busy for: of several that are
// over only one is due.
//
//	for {
//		if ticker.Due(p.Now()) {
//			node.Tick()
//		} else if from, m, ok := p.RecvUntil(mailbox.Any, ticker.Next()); ok {
//			node.Step(from, m)
//		}
//	}
type Ticker struct{ next, every clock.Time }

// NewTicker makes a ticker. Every 0 is one that never ticks.
func NewTicker(p protocols.Proc, every clock.Time) Ticker {
	switch {
	case every < 0 || every > clock.MaxCost:
		panic(fmt.Sprintf("statemachine: ticks of %d, want 0 to %d", every, clock.MaxCost))
	case every == 0:
		return Ticker{clock.Never, 0}
	}
	return Ticker{p.Now() + every, every}
}

// Next is when the next tick is due; clock.Never if there are none.
func (t *Ticker) Next() clock.Time { return t.next }

// Due reports whether a tick is due. If so it is taken for done, and another one is next.
func (t *Ticker) Due(now clock.Time) bool {
	if now < t.next {
		return false
	}
	if t.every > 0 {
		t.next += ((now-t.next)/t.every + 1) * t.every
	}
	return t.every > 0
}
