package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// A machine may be one part of several, which share the ranks among them. Each keeps what belongs to its own ranks; what all must know, all
// keep: who has failed and when that is known, who has been started again, what waits at a bottleneck. They are told so between two windows
// (exchange.go), and agree on when the next one starts.

// shareOf is a machine's share of the ranks, and what it has for others.
func shareOf(cfg *Config) (parts.Block, *abroad) {
	if cfg.Part == nil || cfg.Part.Count() == 1 {
		return parts.Block{Len: cfg.Ranks}, nil
	}
	return parts.BlockOf(cfg.Part.Index(), cfg.Part.Count(), cfg.Ranks), newAbroad(cfg.Part, cfg.Ranks)
}

// reported is of how many ranks the results are in the report of this part.
func (m *Machine) reported() int {
	if m.block.First == 0 && !m.apart() {
		return m.cfg.Ranks
	}
	return m.block.Len
}

// apart reports whether results stay in the parts that have them. Events do not: they are in order only if all are in one place.
func (m *Machine) apart() bool { return m.abroad != nil && m.cfg.Apart && m.cfg.Trace < TraceEvents }

// reportsAll reports whether this part says how the whole run went: the first one, or all of them.
func (m *Machine) reportsAll() bool { return m.apart() || m.abroad.group.Index() == 0 }

// own is a rank of this part; nil if it belongs to another one.
func (m *Machine) own(number int) *rank {
	place := number - m.block.First
	if uint(place) >= uint(len(m.ranks)) {
		return nil
	}
	return &m.ranks[place]
}

// placeOf is where a rank is among those of this part.
func (m *Machine) placeOf(rank int32) int32 { return rank - int32(m.block.First) }

// smallest is the smallest of what all parts have.
func (m *Machine) smallest(t clock.Time) clock.Time {
	if m.abroad == nil {
		return t
	}
	return m.abroad.min(t)
}

// latest is the latest of what all parts have.
func (m *Machine) latest(t clock.Time) clock.Time { return -m.smallest(-t) }

// anywhere reports whether something is so in any part.
func (m *Machine) anywhere(here bool) bool {
	if m.abroad == nil {
		return here
	}
	t := clock.Time(1)
	if here {
		t = 0
	}
	return m.abroad.min(t) == 0
}

// stops reports whether all were told to stop.
func (m *Machine) stops() bool {
	if m.abroad == nil {
		return m.stopping.Load()
	}
	return m.abroad.stopped
}

// lost is why the parts cannot agree any more; nil as long as they can.
func (m *Machine) lost() error {
	if m.abroad == nil {
		return nil
	}
	return m.abroad.lost
}
