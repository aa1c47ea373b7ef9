package broadcast

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Series is several broadcasts, one after the other. A rank goes on to the next as soon as
// it has done its part in one, so they overlap; every message says by its epoch which one
// it belongs to.
type Series struct {
	first  *Broadcast
	count  int
	period clock.Time
}

// NewSeries returns count times the same broadcast. Each begins the given number of ticks
// after the one before; with 0 the root begins when it has done its part in the one before,
// which takes an overlapped correction: a synchronized one must know the instant.
func NewSeries(first *Broadcast, count int, period clock.Time) (*Series, error) {
	if count < 1 {
		return nil, fmt.Errorf("broadcast: a series of %d, want 1 or more", count)
	}
	if period < 0 || period == 0 && !first.Overlapped && count > 1 {
		return nil, fmt.Errorf("broadcast: a series with a period of %d ticks, want 1 or more for synchronized correction", period)
	}
	return &Series{first, count, period}, nil
}

// Run does this rank's part in all of them. It reports when the rank got each message.
func (s *Series) Run(p protocols.Proc, msg mailbox.Message, got func(i int, at clock.Time)) {
	b := *s.first
	for i := range s.count {
		_, at := b.Run(p, msg)
		got(i, at)
		b.Begin += s.period
		b.correctionStart += s.period
		b.Epoch++
	}
}

// Program returns the series as a program of its own. Ranks call got at the same time, but
// no two with the same i and rank.
func (s *Series) Program(msg mailbox.Message, got func(i, rank int, at clock.Time)) protocols.Program {
	program := s.first.Program(msg)
	program.Main = func(p protocols.Proc) {
		s.Run(p, msg, func(i int, at clock.Time) { got(i, p.Rank(), at) })
	}
	return program
}
