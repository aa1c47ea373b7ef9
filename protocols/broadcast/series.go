package broadcast

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Series is several broadcasts, one after the other. A rank goes on to the next as soon as
// it has done its part in one, so they overlap; every message says by its epoch which one
// it belongs to. A rank that misses one waits for it for ever: messages of the next may well
// come before it, so they do not tell that it is lost.
type Series struct {
	first  *Broadcast
	count  int
	period clock.Time
}

// NewSeries returns count times the same broadcast. Each begins the given number of ticks
// after the one before; with 0 the root begins when it has done its part in the one before,
// which takes an overlapped correction: a synchronized one must know the instant, and is
// reliable only if the one before is over by then. Its Longest is always enough.
func NewSeries(first *Broadcast, count int, period clock.Time) (*Series, error) {
	if count < 1 {
		return nil, problems.New("broadcast", "a series of %d, want 1 or more", count)
	}
	if least := clock.Time(1); period < 0 || period < least && !first.Overlapped && count > 1 {
		return nil, problems.New("broadcast", "a series with a period of %d ticks, want %d or more for synchronized correction", period, least)
	}
	if period.Times(count) >= clock.Forever {
		return nil, problems.New("broadcast", "%d broadcasts with a period of %d ticks take longer than %d ticks", count, period, clock.Forever)
	}
	return &Series{first, count, period}, nil
}

// Watch is told what happens in a series. Ranks call it at the same time, but no two with the
// same i and rank. Any function may be nil.
type Watch struct {
	// Coloured is called when a rank gets the i-th message.
	Coloured func(i, rank int, at clock.Time)
	// Late is called when a rank comes to a synchronized broadcast after its begin.
	Late func(i, rank int, by clock.Time)
}

// Run does this rank's part in all of them.
func (s *Series) Run(p protocols.Proc, msg mailbox.Message, watch Watch) {
	b := *s.first
	if watch.Coloured != nil {
		b.coloured = func(p protocols.Proc, epoch uint32) {
			watch.Coloured(int(epoch-s.first.Epoch), p.Rank(), p.Now())
		}
	}
	for i := range s.count {
		if by := p.Now() - b.Begin; by > 0 && !b.Overlapped && watch.Late != nil {
			watch.Late(i, p.Rank(), by)
		}
		b.Run(p, msg)
		b.Begin += s.period
		b.correctionStart += s.period
		b.Epoch++
	}
}

// Program returns the series as a program of its own.
func (s *Series) Program(msg mailbox.Message, watch Watch) protocols.Program {
	program := s.first.Program(msg)
	program.Main = func(p protocols.Proc) { s.Run(p, msg, watch) }
	return program
}
